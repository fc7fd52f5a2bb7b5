import { type BigIntStats, lstatSync, readdirSync } from "node:fs";
import { sep } from "node:path";
import { ArchiveError } from "../../errors.js";
import { quotePath, quotePathBytes } from "../../text/escape.js";
import { counted, sizeText } from "../../text/words.js";
import { archiveFilesMax, fileBytesMax, rawBytesMax, sortedByPath } from "../contents.js";
import { CaseCollisions, decodeName, portabilityProblem } from "../rules/entry-name.js";
import type { ExcludeMatcher } from "../rules/exclude.js";
import { neverShipReason } from "../rules/never-ship.js";
import { largestFiles, Refusals } from "../rules/refusals.js";
import type { Steps } from "../steps.js";
import type { FolderLocation } from "./extension-folder.js";
import { type ListedFile, readingFailed } from "./read-file.js";

/** A file of a folder that goes into the archive. */
export interface FolderFile extends ListedFile {
  readonly path: string;
  /** In bytes, as listed. */
  readonly sizeBytes: number;
}

/** What a folder holds. */
export interface FolderListing {
  /** The files that ship, in the byte order of their UTF-8 paths. */
  readonly files: readonly FolderFile[];
  /** Files and folders that never ship, folders with a `/` at the end, in byte order. */
  readonly leftOut: readonly string[];
}

/**
 * Lists a folder down to its last file. Nothing is opened, no link is followed, and what is left
 * out is not looked into. Links, special files and names that are not the same file everywhere are
 * refused, all in one error.
 *
 * Throws `ArchiveError`.
 */
export function* listFolder(
  { absolutePath, label }: FolderLocation,
  isExcluded: ExcludeMatcher,
): Steps<FolderListing> {
  const files: FolderFile[] = [];
  const leftOut: string[] = [];
  const refusals = new Refusals();
  let rawBytes = 0;

  yield* listInto(Buffer.from(absolutePath), "");
  // The refusals are thrown first: with a name decoded wrongly, nothing else can be trusted.
  const sorted = sortedByPath(files);
  const collisions = new CaseCollisions();
  for (const { path } of sorted) {
    const twin = collisions.add(path);
    if (twin !== undefined) {
      refusals.add("archive_name_collision", `${quotePath(path)} (with ${quotePath(twin)})`);
    }
  }
  refusals.throwIfAny(label, ' What the extension does not need can be left out with "exclude".');
  requireSize(sorted, rawBytes, label);
  return { files: sorted, leftOut: sortedByPath(leftOut.map((path) => ({ path }))).map(({ path }) => path) };

  function* listInto(folder: Buffer, folderPath: string): Steps<void> {
    for (const nameBytes of namesIn(folder, folderPath, label)) {
      yield;
      const location = Buffer.concat([folder, Buffer.from(sep), nameBytes]);
      const name = decodeName(nameBytes);
      if (name === undefined) {
        refusals.add(
          "archive_name_not_utf8",
          quotePathBytes(Buffer.concat([Buffer.from(folderPath), nameBytes])),
        );
        continue;
      }
      const path = folderPath + name;
      const stats = statsOf(location, path, label);
      const isFolder = stats.isDirectory();
      if (isExcluded(path, isFolder)) {
        continue;
      }
      if (neverShipReason(path, isFolder) !== undefined) {
        leftOut.push(isFolder ? `${path}/` : path);
      } else if (isFolder) {
        yield* listInto(location, `${path}/`);
      } else {
        addFile(location, path, stats);
      }
    }
  }

  function addFile(location: Buffer, path: string, stats: BigIntStats): void {
    if (stats.isSymbolicLink()) {
      refusals.add("archive_symlink", quotePath(path));
      return;
    }
    if (!stats.isFile()) {
      refusals.add("archive_special_file", quotePath(path));
      return;
    }
    const nameProblem = portabilityProblem(path);
    if (nameProblem !== undefined) {
      refusals.add(nameProblem.code, `${quotePath(path)} (${nameProblem.problem})`);
      return;
    }
    if (files.length === archiveFilesMax) {
      throw tooManyFiles(files, label);
    }
    // Only the times and the size are kept: a whole `Stats` for each file would be most of the
    // memory.
    const { size, mtimeNs, ctimeNs } = stats;
    const sizeBytes = Number(size);
    rawBytes += sizeBytes;
    files.push({ location, path, sizeBytes, state: { size, mtimeNs, ctimeNs } });
  }
}

/**
 * Names as bytes: decoded by Node, one that is not UTF-8 would look like a file that does not
 * exist.
 */
function namesIn(folder: Buffer, folderPath: string, label: string): Buffer[] {
  try {
    return readdirSync(folder, { encoding: "buffer" });
  } catch (error) {
    throw readingFailed(error, label, folderPath === "" ? undefined : folderPath);
  }
}

function statsOf(location: Buffer, path: string, label: string): BigIntStats {
  try {
    return lstatSync(location, { bigint: true });
  } catch (error) {
    throw readingFailed(error, label, path);
  }
}

/** Refuses what could not be read into memory file by file, before anything is read. */
function requireSize(files: readonly FolderFile[], rawBytes: number, label: string): void {
  const large = files.filter(({ sizeBytes }) => sizeBytes > fileBytesMax);
  if (large.length > 0) {
    throw new ArchiveError(
      "archive_too_large",
      `${label} has ${counted(large.length, "file")} above ${sizeText(fileBytesMax)}: ${largestFiles(large)}. ` +
        'Leave out with "exclude" what the extension does not need.',
    );
  }
  if (rawBytes > rawBytesMax) {
    throw new ArchiveError(
      "archive_too_large",
      `${label} holds ${sizeText(rawBytes)}; ${sizeText(rawBytesMax)} can be packed. ` +
        `Largest files: ${largestFiles(files)}. Leave out with "exclude" what the extension does not need.`,
    );
  }
}

function tooManyFiles(files: readonly FolderFile[], label: string): ArchiveError {
  const countByFolder = new Map<string, number>();
  for (const { path } of files) {
    const folder = path.slice(0, path.indexOf("/") + 1) || "its top level";
    countByFolder.set(folder, (countByFolder.get(folder) ?? 0) + 1);
  }
  const [largest = ["its top level", files.length] as const] = [...countByFolder].toSorted(
    (a, b) => b[1] - a[1],
  );
  return new ArchiveError(
    "archive_too_many_files",
    `${label} holds more than ${archiveFilesMax.toLocaleString("en-US")} files, the most a zip can count; ` +
      `at least ${largest[1].toLocaleString("en-US")} are in ${quotePath(largest[0])}. Leave out with "exclude" what the extension does not need.`,
  );
}
