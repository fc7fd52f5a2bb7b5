/**
 * A thread that reads, hashes and compresses files: the code behind `DeflateWorkers`. Takes a `Batch`, answers with an
 * `Answer`, one at a time.
 */
import { parentPort } from "node:worker_threads";
import { ArchiveError } from "../errors.js";
import { sha256Of } from "./contents.js";
import { type ListedFile, readListedFile } from "./read-file.js";
import { compressEntry, type ZipEntry } from "./zip-entry.js";

/** Files that go to a thread in one message. */
export interface Batch {
  /** Names the folder in errors. */
  readonly label: string;
  readonly files: readonly ListedFileOfFolder[];
}

/** A listed file with the path it has in the archive. */
export interface ListedFileOfFolder extends ListedFile {
  readonly path: string;
}

/** What a thread made of one file. Its data are the next `dataBytes` bytes of the answer's. */
export interface CompressedFile extends Omit<ZipEntry, "data"> {
  /** SHA-256 of the contents, 64 lowercase hexadecimal digits. */
  readonly sha256: string;
  readonly dataBytes: number;
}

/** The files of a batch in its order, or the `ArchiveError` one of them ended in: an error loses its class on the way. */
export type Answer =
  | { readonly files: readonly CompressedFile[]; readonly data: Uint8Array<ArrayBuffer> }
  | { readonly code: string; readonly message: string };

function compress({ label, files }: Batch): Answer {
  const compressed: CompressedFile[] = [];
  const parts: Uint8Array[] = [];
  for (const file of files) {
    const contents = readListedFile(withBuffer(file), label);
    const { data, ...entry } = compressEntry(file.path, contents);
    compressed.push({ ...entry, sha256: sha256Of(contents), dataBytes: data.length });
    parts.push(data);
  }
  return { files: compressed, data: joined(parts) };
}

/** A buffer arrives in a message as a plain array of bytes. */
function withBuffer(file: ListedFileOfFolder): ListedFileOfFolder {
  const { location } = file;
  return location instanceof Uint8Array ? { ...file, location: Buffer.from(location) } : file;
}

/** In memory of its own, which can change threads. One large file is not copied for that. */
function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const [first] = parts;
  if (parts.length === 1 && first !== undefined && ownsItsMemory(first)) {
    return first;
  }
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function ownsItsMemory(bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer && bytes.buffer.byteLength === bytes.length;
}

function answerTo(batch: Batch): Answer {
  try {
    return compress(batch);
  } catch (error) {
    if (error instanceof ArchiveError) {
      return { code: error.code, message: error.message };
    }
    throw error;
  }
}

parentPort?.on("message", (batch: Batch) => {
  const answer = answerTo(batch);
  parentPort?.postMessage(answer, "data" in answer ? [answer.data.buffer] : []);
});
