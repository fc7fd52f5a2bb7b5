import type { Entry, ZipFile } from "yauzl";
import { ArchiveError } from "../../errors.js";
import { quotePath, quotePathBytes } from "../../text/escape.js";
import { sizeText } from "../../text/words.js";
import { archiveFilesMax, fileBytesMax, rawBytesMax } from "../contents.js";
import { decodeName, unpackProblem } from "../rules/entry-name.js";
import { Refusals } from "../rules/refusals.js";
import { pauses } from "../steps.js";

/** Most a zip may grow when it is unpacked. Deflate itself ends at about 1,032 to 1. */
export const expansionRatioMax = 1_000;

/**
 * A zip that unpacks to no more than this is not judged by its ratio, in bytes: a small file of
 * zeros is harmless.
 */
export const expansionFreeBytes = 16 * 1024 * 1024;

/** A file in a ready zip. */
export interface ZipFileEntry {
  readonly path: string;
  readonly entry: Entry;
}

/** The files of a ready zip, in its own order, without its folders. */
export interface ZipListing {
  readonly files: readonly ZipFileEntry[];
}

/**
 * Lists a zip by its central directory and refuses hostile ones before anything is unpacked: names
 * that lead out of the extension or are there twice, links, encryption, unknown compression, and
 * claims to unpack to absurd sizes.
 */
export async function listZip(
  zip: ZipFile,
  zipBytes: number,
  label: string,
  signal: AbortSignal | undefined,
): Promise<ZipListing> {
  if (zip.entryCount > archiveFilesMax) {
    throw new ArchiveError(
      "archive_too_many_files",
      `${label} has ${zip.entryCount} entries; ${archiveFilesMax} are the most.`,
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
      throw refused(label, `the name ${quotePath(name)} is there twice, or is a file and a folder at once`);
    }
    refuseKind(entry, path, refusals);
    const problem = unpackProblem(path);
    if (problem !== undefined) {
      refusals.add(problem.code, `${quotePath(path)} (${problem.problem})`);
    }
    if (isFolder) {
      continue;
    }
    await requireReadable(zip, entry, path, label);
    unpackedBytes += entry.uncompressedSize;
    requireSize(path, entry.uncompressedSize, unpackedBytes, zipBytes, label);
    files.push({ path, entry });
  }
  refusals.throwIfAny(label, "");
  return { files };
}

async function* entriesOf(zip: ZipFile, label: string): AsyncGenerator<Entry> {
  try {
    yield* zip.eachEntry();
  } catch (error) {
    throw refused(label, `its list of files is damaged (${(error as Error).message})`);
  }
}

/** The one place a name must stay inside of is the extension's folder. */
function requireInside(path: string, label: string): void {
  const isAbsolute = path.startsWith("/") || path.startsWith("\\") || /^[A-Za-z]:/.test(path);
  if (isAbsolute || path.split(/[/\\]/).some((name) => name === ".." || name === "." || name === "")) {
    throw refused(label, `the name ${quotePath(path)} leads out of the extension or is not a plain path`);
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
  if (entry.isEncrypted()) {
    throw refused(label, `${quotePath(path)} is encrypted`);
  }
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8) {
    throw refused(
      label,
      `${quotePath(path)} is compressed by method ${entry.compressionMethod}; browsers read stored and deflated files`,
    );
  }
  let localName: Buffer;
  try {
    ({ fileName: localName } = await zip.readLocalFileHeaderPromise(entry));
  } catch (error) {
    throw refused(label, `${quotePath(path)} is damaged (${(error as Error).message})`);
  }
  // Two readers of such a zip would see two different files.
  if (!localName.equals(entry.fileNameRaw)) {
    throw refused(
      label,
      `${quotePath(path)} has another name, ${quotePathBytes(localName)}, in front of its data`,
    );
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
    throw refused(
      label,
      `it claims to unpack to ${sizeText(unpackedBytes)} and more; ${quotePath(path)} alone to ${sizeText(sizeBytes)}`,
    );
  }
  if (unpackedBytes > expansionFreeBytes && unpackedBytes > zipBytes * expansionRatioMax) {
    throw refused(label, `it claims to unpack to more than ${expansionRatioMax} times its size`);
  }
}

/** The names of a zip, as the tree they unpack to. */
class PathTree {
  readonly #files = new Set<string>();
  readonly #folders = new Set<string>();
  readonly #folderEntries = new Set<string>();

  /**
   * Adds a path. True when it is there already, or when a file would have to be a folder at once.
   */
  isTaken(path: string, isFolder: boolean): boolean {
    const isTwice = isFolder ? this.#folderEntries.has(path) : this.#folders.has(path);
    if (isTwice || this.#files.has(path)) {
      return true;
    }
    for (let end = path.indexOf("/"); end !== -1; end = path.indexOf("/", end + 1)) {
      const folder = path.slice(0, end);
      if (this.#files.has(folder)) {
        return true;
      }
      this.#folders.add(folder);
    }
    if (isFolder) {
      this.#folderEntries.add(path);
      this.#folders.add(path);
    } else {
      this.#files.add(path);
    }
    return false;
  }
}

function refused(label: string, problem: string): ArchiveError {
  return new ArchiveError(
    "archive_zip_invalid",
    `${label} cannot be used: ${problem}. Make it again, or point "path" at the folder, which is then packed here.`,
  );
}
