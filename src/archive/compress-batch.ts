import { ArchiveError } from "../errors.js";
import { sha256Of } from "./contents.js";
import { type ListedFile, readListedFile } from "./read-file.js";
import { releaseMemory } from "./release-memory.js";
import { compressEntry, type ZipEntry } from "./zip-entry.js";

/** Files that are compressed together, so that a thread gets them in one message. */
export interface Batch {
  /** Names the folder in errors. */
  readonly label: string;
  readonly files: readonly ListedFileOfFolder[];
}

/** A listed file with the path it has in the archive. */
export interface ListedFileOfFolder extends ListedFile {
  readonly path: string;
}

/** What became of one file. Its data are the next `dataBytes` bytes of the batch's. */
export interface CompressedFile extends Omit<ZipEntry, "data"> {
  /** SHA-256 of the contents, 64 lowercase hexadecimal digits. */
  readonly sha256: string;
  readonly dataBytes: number;
}

/** The files of a batch in its order. `data` owns its memory, which can change threads. */
export interface CompressedBatch {
  readonly files: readonly CompressedFile[];
  readonly data: Uint8Array<ArrayBuffer>;
}

/** A batch, or the `ArchiveError` one of its files ended in: between threads an error loses its class. */
export type Answer = CompressedBatch | { readonly code: string; readonly message: string };

/** Reads, hashes and compresses the files of a batch. */
export function answerTo(batch: Batch): Answer {
  try {
    return compressed(batch);
  } catch (error) {
    if (error instanceof ArchiveError) {
      return { code: error.code, message: error.message };
    }
    throw error;
  }
}

function compressed({ label, files }: Batch): CompressedBatch {
  const done: CompressedFile[] = [];
  const parts: Uint8Array[] = [];
  for (const file of files) {
    const contents = readListedFile(withBuffer(file), label);
    const { data, ...entry } = compressEntry(file.path, contents);
    done.push({ ...entry, sha256: sha256Of(contents), dataBytes: data.length });
    parts.push(data);
    if (data !== contents) {
      releaseMemory(contents);
    }
  }
  return { files: done, data: joined(parts) };
}

/** A buffer arrives on another thread as a plain array of bytes. */
function withBuffer(file: ListedFileOfFolder): ListedFileOfFolder {
  const { location } = file;
  return location instanceof Uint8Array ? { ...file, location: Buffer.from(location) } : file;
}

/** In memory of its own. One large file is not copied for that. */
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
