import type { Entry, ZipFile } from "yauzl";
import { ArchiveError } from "../../errors.js";
import { quotePath, quotePathBytes } from "../../text/escape.js";
import { sizeText } from "../../text/words.js";
import { archiveFilesMax, fileBytesMax, rawBytesMax } from "../contents.js";
import { CaseCollisions, decodeName, foldersAbove, pathProblem } from "../rules/entry-name.js";
import { Refusals } from "../rules/refusals.js";
import { createPause } from "../steps.js";

/** Maximum ratio of unpacked size to zip size. The limit of deflate itself: about 1,032 to 1. */
export const expansionRatioMax = 1_000;

/** Unpacked size in bytes up to which the ratio does not count. */
const expansionFreeBytes = 16 * 1024 * 1024;

/** Sizes of parts of a zip without names and comments, in bytes. */
const headerBytes = 46;
const endRecordBytes = 22;
const zip64LocatorBytes = 20;

/** Extra field with an entry's name in UTF-8, after its version and a checksum. */
const unicodePathId = 0x7075;
const unicodePathHeadBytes = 5;

export interface ZipFileEntry {
  readonly path: string;
  /** Declared size after unpacking, in bytes. */
  readonly sizeBytes: number;
  readonly entry: Entry;
}

/**
 * Lists the files of a zip, without folders, by the central directory. Refuses hostile zips before
 * unpacking: names that lead out of the extension or occur twice, links, encryption, unknown
 * compression, absurd declared sizes, and a list with more entries than the stated number.
 */
export async function listZip(
  zip: ZipFile,
  bytes: Buffer,
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
  const collisions = new CaseCollisions();
  const refusals = new Refusals();
  const pause = createPause(label, signal);
  let unpackedBytes = 0;
  let listBytes = 0;

  for await (const entry of withZipErrors(zip.eachEntry(), label, "its list of files is damaged")) {
    await pause();
    listBytes += headerBytes + entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
    const name = decodeName(entry.fileNameRaw);
    if (name === undefined) {
      refusals.add("archive_name_not_utf8", quotePathBytes(entry.fileNameRaw));
      continue;
    }
    const isFolder = name.endsWith("/");
    const path = isFolder ? name.slice(0, -1) : name;
    const problem = pathProblem(path);
    if (problem?.code === "archive_name_too_long") {
      // Every check below walks all folders above the path: a name of 64 KiB can have 32,000.
      refusals.add(problem.code, `${quotePath(path)} (${problem.problem})`);
      continue;
    }
    unpackedBytes += isFolder ? 0 : entry.uncompressedSize;
    const hostile =
      nameProblem(path) ??
      names.addPath(path, isFolder) ??
      (await dataProblem(zip, entry)) ??
      (isFolder ? undefined : sizeProblem(entry.uncompressedSize, unpackedBytes, bytes.length));
    if (hostile !== undefined) {
      throw zipInvalidError(label, `${quotePath(name)} ${hostile}`);
    }
    // The upper half of the attributes is a Unix mode, or zero for zips of other systems.
    const kind = (entry.externalFileAttributes >>> 16) & 0o170000;
    if (kind === 0o120000) {
      refusals.add("archive_symlink", quotePath(path));
    } else if (![0, 0o100000, 0o040000].includes(kind)) {
      refusals.add("archive_special_file", quotePath(path));
    }
    if (problem !== undefined) {
      refusals.add(problem.code, `${quotePath(path)} (${problem.problem})`);
    }
    const twin = collisions.add(path);
    if (twin !== undefined) {
      refusals.add("archive_name_collision", `${quotePath(path)} (with ${quotePath(twin)})`);
    }
    if (!isFolder) {
      files.push({ path, sizeBytes: entry.uncompressedSize, entry });
    }
  }
  if (!isWholeList(zip, bytes, listBytes)) {
    throw zipInvalidError(label, "its list of files differs from the stated size or number of files");
  }
  refusals.throwIfAny(label);
  return files;
}

/**
 * Whether the list consists of exactly the entries that were read, `listBytes` long. Some readers
 * use the number of entries stated at the end of a zip, others the size or the place of the list.
 * All readers must see the same files.
 */
function isWholeList({ comment }: ZipFile, bytes: Buffer, listBytes: number): boolean {
  const end = bytes.length - endRecordBytes - comment.length;
  const locator = end - zip64LocatorBytes;
  if (locator >= 0 && bytes.readUInt32LE(locator) === 0x07064b50) {
    const record = Number(bytes.readBigUInt64LE(locator + 8));
    const [size, start] = [bytes.readBigUInt64LE(record + 40), bytes.readBigUInt64LE(record + 48)];
    return size === BigInt(listBytes) && start + size === BigInt(record);
  }
  const [size, start] = [bytes.readUInt32LE(end + 12), bytes.readUInt32LE(end + 16)];
  return size === listBytes && start + size === end;
}

/** A name must stay inside of the archive, on every system. */
function nameProblem(path: string): string | undefined {
  const isAbsolute = /^(?:[/\\]|[A-Za-z]:)/.test(path);
  return isAbsolute || path.split(/[/\\]/).some((name) => ["..", ".", ""].includes(name))
    ? "leads out of the archive or is not a plain path"
    : undefined;
}

async function dataProblem(zip: ZipFile, entry: Entry): Promise<string | undefined> {
  if (entry.isEncrypted()) {
    return "is encrypted";
  }
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8) {
    return `is compressed by method ${entry.compressionMethod}; browsers read stored and deflated files`;
  }
  try {
    const { fileName, extraField } = await zip.readLocalFileHeaderPromise(entry);
    // Two readers of such a zip would see two different files.
    if (!fileName.equals(entry.fileNameRaw)) {
      return `has a different name, ${quotePathBytes(fileName)}, in its local header`;
    }
    const other = [entry.extraFieldRaw, extraField]
      .flatMap(unicodePathsOf)
      .find((name) => !name.equals(fileName));
    return (
      other && `has a different name, ${quotePathBytes(other)}, in an extra field (Info-ZIP Unicode Path)`
    );
  } catch (error) {
    return `is damaged (${(error as Error).message})`;
  }
}

/**
 * Names in the Unicode Path fields of a header. Some readers use them instead of the entry's name, so
 * every one counts, whatever its version and checksum. A field without a name has the name "". Source:
 * PKWARE's APPNOTE, 4.5.3 and 4.6.9.
 */
function unicodePathsOf(extraFields: Buffer): Buffer[] {
  const names: Buffer[] = [];
  for (let at = 0; at + 4 <= extraFields.length; ) {
    const end = at + 4 + extraFields.readUInt16LE(at + 2);
    if (extraFields.readUInt16LE(at) === unicodePathId) {
      names.push(extraFields.subarray(at + 4 + unicodePathHeadBytes, end));
    }
    at = end;
  }
  return names;
}

function sizeProblem(sizeBytes: number, unpackedBytes: number, zipBytes: number): string | undefined {
  if (sizeBytes > fileBytesMax || unpackedBytes > rawBytesMax) {
    return `would unpack to ${sizeText(sizeBytes)}, together with the previous files to ${sizeText(unpackedBytes)}`;
  }
  return unpackedBytes > expansionFreeBytes && unpackedBytes > zipBytes * expansionRatioMax
    ? `and the previous files would unpack to more than ${expansionRatioMax} times the size of the zip`
    : undefined;
}

/** Names of a zip, as a tree of unpacked files. */
class PathTree {
  /** `implied`: a folder that is named only in the paths of its contents. */
  readonly #kinds = new Map<string, "file" | "folder" | "implied">();

  /** Adds a path. Returns a problem if a name occurs twice, or as both file and folder. */
  addPath(path: string, isFolder: boolean): string | undefined {
    const kind = this.#kinds.get(path);
    const isTaken = kind !== undefined && !(isFolder && kind === "implied");
    const above = foldersAbove(path);
    if (isTaken || above.some((folder) => this.#kinds.get(folder) === "file")) {
      return "appears twice, or as both a file and a folder";
    }
    for (const folder of above) {
      this.#kinds.set(folder, this.#kinds.get(folder) ?? "implied");
    }
    this.#kinds.set(path, isFolder ? "folder" : "file");
    return undefined;
  }
}

/** Yields items read from a zip. `problem`: clause about the zip for the error of a failed read. */
export async function* withZipErrors<T>(
  items: AsyncIterable<T> | Promise<AsyncIterable<T>>,
  label: string,
  problem: string,
): AsyncGenerator<T> {
  try {
    yield* await items;
  } catch (error) {
    throw zipInvalidError(label, `${problem} (${(error as Error).message})`);
  }
}

/** Builds the error for a damaged or hostile zip. `problem`: end of a sentence about the zip. */
export function zipInvalidError(label: string, problem: string): ArchiveError {
  return new ArchiveError(
    "archive_zip_invalid",
    `${label} cannot be used: ${problem}. Create the archive again, or point "path" at the unpacked folder.`,
  );
}
