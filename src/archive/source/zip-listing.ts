import type { Entry, ZipFile } from "yauzl";
import { ArchiveError } from "../../errors.js";
import { quotePath, quotePathBytes } from "../../text/escape.js";
import { sizeText } from "../../text/words.js";
import { archiveFilesMax, fileBytesMax, rawBytesMax } from "../contents.js";
import { decodeName, foldersAbove, unpackProblem } from "../rules/entry-name.js";
import { Refusals } from "../rules/refusals.js";
import { pauses } from "../steps.js";

/** Most a zip may grow when it is unpacked. Deflate itself ends at about 1,032 to 1. */
export const expansionRatioMax = 1_000;

/**
 * A zip that unpacks to no more than this is not judged by its ratio, in bytes: a small file of
 * zeros is harmless.
 */
const expansionFreeBytes = 16 * 1024 * 1024;

/** A file in a ready zip. */
interface ZipFileEntry {
  readonly path: string;
  readonly entry: Entry;
}

/**
 * Lists the files of a zip, without its folders, by its central directory. Refuses hostile zips
 * before anything is unpacked: names that lead out of the extension or occur twice, links,
 * encryption, unknown compression, and claims to unpack to absurd sizes.
 */
export async function listZip(
  zip: ZipFile,
  zipBytes: number,
  label: string,
  signal: AbortSignal | undefined,
): Promise<ZipFileEntry[]> {
  if (zip.entryCount > archiveFilesMax) {
    throw new ArchiveError(
      "archive_too_many_files",
      `${label} has ${zip.entryCount} entries; the maximum is ${archiveFilesMax}.`,
    );
  }
  const files: ZipFileEntry[] = [];
  const names = new PathTree();
  const refusals = new Refusals();
  const pause = pauses(label, signal);
  let unpackedBytes = 0;

  for await (const entry of entriesOf(zip, label)) {
    await pause();
    const name = decodeName(entry.fileNameRaw);
    if (name === undefined) {
      refusals.add("archive_name_not_utf8", quotePathBytes(entry.fileNameRaw));
      continue;
    }
    const isFolder = name.endsWith("/");
    const path = isFolder ? name.slice(0, -1) : name;
    requireInside(path, label);
    if (names.isTaken(path, isFolder)) {
      throw zipInvalid(
        label,
        `the name ${quotePath(name)} is there twice, or is a file and a folder at once`,
      );
    }
    refuseKind(entry, path, refusals);
    const problem = unpackProblem(path);
    if (problem !== undefined) {
      refusals.add(problem.code, `${quotePath(path)} (${problem.problem})`);
    }
    if (!isFolder) {
      await requireReadable(zip, entry, path, label);
      unpackedBytes += entry.uncompressedSize;
      requireSize(path, entry.uncompressedSize, unpackedBytes, zipBytes, label);
      files.push({ path, entry });
    }
  }
  refusals.throwIfAny(label, "");
  return files;
}

async function* entriesOf(zip: ZipFile, label: string): AsyncGenerator<Entry> {
  try {
    yield* zip.eachEntry();
  } catch (error) {
    throw zipInvalid(label, `its list of files is damaged (${(error as Error).message})`);
  }
}

/** A name must stay inside of the extension's folder, on every system. */
function requireInside(path: string, label: string): void {
  const isAbsolute = /^(?:[/\\]|[A-Za-z]:)/.test(path);
  if (isAbsolute || path.split(/[/\\]/).some((name) => ["..", ".", ""].includes(name))) {
    throw zipInvalid(label, `the name ${quotePath(path)} leads out of the extension or is not a plain path`);
  }
}

function refuseKind(entry: Entry, path: string, refusals: Refusals): void {
  // The upper half of the attributes is a Unix mode, or zero where another system made the zip.
  const kind = (entry.externalFileAttributes >>> 16) & 0o170000;
  if (kind === 0o120000) {
    refusals.add("archive_symlink", quotePath(path));
  } else if (kind !== 0 && kind !== 0o100000 && kind !== 0o040000) {
    refusals.add("archive_special_file", quotePath(path));
  }
}

async function requireReadable(zip: ZipFile, entry: Entry, path: string, label: string): Promise<void> {
  const file = quotePath(path);
  if (entry.isEncrypted()) {
    throw zipInvalid(label, `${file} is encrypted`);
  }
  const { compressionMethod: method } = entry;
  if (method !== 0 && method !== 8) {
    throw zipInvalid(
      label,
      `${file} is compressed by method ${method}; browsers read stored and deflated files`,
    );
  }
  const { fileName: localName } = await zip.readLocalFileHeaderPromise(entry).catch((error: Error) => {
    throw zipInvalid(label, `${file} is damaged (${error.message})`);
  });
  // Two readers of such a zip would see two different files.
  if (!localName.equals(entry.fileNameRaw)) {
    throw zipInvalid(label, `${file} has another name, ${quotePathBytes(localName)}, in front of its data`);
  }
}

function requireSize(
  path: string,
  sizeBytes: number,
  unpackedBytes: number,
  zipBytes: number,
  label: string,
): void {
  if (sizeBytes > fileBytesMax || unpackedBytes > rawBytesMax) {
    throw zipInvalid(
      label,
      `it claims to unpack to ${sizeText(unpackedBytes)} and more; ${quotePath(path)} alone to ${sizeText(sizeBytes)}`,
    );
  }
  if (unpackedBytes > expansionFreeBytes && unpackedBytes > zipBytes * expansionRatioMax) {
    throw zipInvalid(label, `it claims to unpack to more than ${expansionRatioMax} times its size`);
  }
}

/** The names of a zip, as the tree they unpack to. */
class PathTree {
  /** `implied`: a folder that is named only in the paths of what is in it. */
  readonly #kinds = new Map<string, "file" | "folder" | "implied">();

  /** Adds a path. True when it is there already, or when a file would also be a folder. */
  isTaken(path: string, isFolder: boolean): boolean {
    const kind = this.#kinds.get(path);
    const above = foldersAbove(path);
    const isTaken =
      (kind !== undefined && !(isFolder && kind === "implied")) ||
      above.some((folder) => this.#kinds.get(folder) === "file");
    for (const folder of above) {
      this.#kinds.set(folder, this.#kinds.get(folder) ?? "implied");
    }
    this.#kinds.set(path, isFolder ? "folder" : "file");
    return isTaken;
  }
}

/** The error of a zip that is damaged or hostile. `problem` completes a sentence about it. */
export function zipInvalid(label: string, problem: string): ArchiveError {
  return new ArchiveError(
    "archive_zip_invalid",
    `${label} cannot be used: ${problem}. Make it again, or point "path" at the folder, which is then packed here.`,
  );
}
