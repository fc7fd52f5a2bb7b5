import { type BigIntStats, lstatSync, readdirSync } from "node:fs";
import { sep } from "node:path";
import { ArchiveError } from "../../errors.js";
import { quotePath, quotePathBytes } from "../../text/escape.js";
import { counted, sizeText } from "../../text/words.js";
import {
  archiveFilesMax,
  type ExtensionContents,
  fileBytesMax,
  rawBytesMax,
  sortedByPath,
} from "../contents.js";
import { CaseCollisions, decodeName, pathProblem } from "../rules/entry-name.js";
import { excludeAdvice } from "../rules/exclude.js";
import { neverShipReason } from "../rules/never-ship.js";
import { largestFiles, Refusals } from "../rules/refusals.js";
import { redactedPath } from "../rules/secrets.js";
import type { Steps } from "../steps.js";
import type { FolderSource } from "./location.js";
import { type ListedFile, readError } from "./read-file.js";

export interface FolderFile extends ListedFile {
  readonly path: string;
  readonly sizeBytes: number;
}

/** A listed folder, with the manifest checked. */
export interface OpenFolder extends Omit<ExtensionContents, "kind" | "entries" | "contentDigest"> {
  /** Shipped files, in the byte order of the UTF-8 paths. */
  readonly files: readonly FolderFile[];
}

/**
 * Lists a folder with all subfolders: the files that ship, and the files and folders (with a `/` at
 * the end) that never ship, both in the byte order of the UTF-8 paths. Opens no file, follows no
 * link, and skips excluded folders. Refuses links, special files and names that are not the same
 * file on every system, all in one `ArchiveError`, which ends with `advice`.
 */
export function* listFolder(
  { absolutePath, label, apiKey }: FolderSource,
  isExcluded: (path: string, isFolder: boolean) => boolean,
  advice: () => string,
): Steps<{ readonly files: readonly FolderFile[]; readonly excludedPaths: readonly string[] }> {
  const files: FolderFile[] = [];
  const leftOut: { readonly path: string }[] = [];
  const refusals = new Refusals();

  yield* listInto(absolutePath, "");
  const sorted = sortedByPath(files);
  const collisions = new CaseCollisions();
  for (const { path } of sorted) {
    const twin = collisions.add(path);
    if (twin !== undefined) {
      refusals.add("archive_name_collision", `${quotePath(path)} (with ${quotePath(twin)})`);
    }
  }
  // Before all other checks: with a wrongly decoded name, no further result can be trusted.
  refusals.throwIfAny(label, advice);
  requireSize(sorted, label);
  return { files: sorted, excludedPaths: sortedByPath(leftOut).map(({ path }) => path) };

  function* listInto(folder: string, folderPath: string): Steps<void> {
    // Names as bytes: decoded by Node, a name that is not UTF-8 looks like a missing file.
    const names = withReadError(folderPath || undefined, () => readdirSync(folder, { encoding: "buffer" }));
    for (const nameBytes of names) {
      yield;
      const name = decodeName(nameBytes);
      if (name === undefined) {
        const path = Buffer.concat([Buffer.from(folderPath), nameBytes]);
        refusals.add("archive_name_not_utf8", quotePathBytes(path));
        continue;
      }
      const path = folderPath + name;
      const location = folder + sep + name;
      const stats = withReadError(path, () => lstatSync(location, { bigint: true }));
      const isFolder = stats.isDirectory();
      if (isExcluded(path, isFolder)) {
        continue;
      }
      const pathWithKey = redactedPath(path, apiKey);
      if (pathWithKey !== undefined) {
        refusals.add("archive_api_key", pathWithKey);
      } else if (neverShipReason(path, isFolder) !== undefined) {
        leftOut.push({ path: isFolder ? `${path}/` : path });
      } else if (isFolder) {
        yield* listInto(location, `${path}/`);
      } else {
        addFile(location, path, stats);
      }
    }
  }

  function addFile(location: string, path: string, stats: BigIntStats): void {
    const problem = pathProblem(path);
    if (stats.isSymbolicLink()) {
      refusals.add("archive_symlink", quotePath(path));
    } else if (!stats.isFile()) {
      refusals.add("archive_special_file", quotePath(path));
    } else if (problem !== undefined) {
      refusals.add(problem.code, `${quotePath(path)} (${problem.problem})`);
    } else if (files.length === archiveFilesMax) {
      throw tooManyFilesError(files, label);
    } else {
      // Only times and size are kept: the whole `Stats` of every file would take most of the
      // memory.
      const { size, mtimeNs, ctimeNs } = stats;
      files.push({ location, path, sizeBytes: Number(size), state: { size, mtimeNs, ctimeNs } });
    }
  }

  function withReadError<T>(path: string | undefined, read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw readError(error, label, path);
    }
  }
}

/** Refuses files and folders above the size limits before any file is read. */
function requireSize(files: readonly FolderFile[], label: string): void {
  const large = files.filter(({ sizeBytes }) => sizeBytes > fileBytesMax);
  const rawBytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const excess =
    large.length > 0
      ? `${label} has ${counted(large.length, "file")} above ${sizeText(fileBytesMax)}: ${largestFiles(large)}`
      : rawBytes > rawBytesMax
        ? `${label} holds ${sizeText(rawBytes)}; the maximum is ${sizeText(rawBytesMax)}. Largest files: ${largestFiles(files)}`
        : undefined;
  if (excess !== undefined) {
    throw new ArchiveError("archive_too_large", `${excess}. ${excludeAdvice}`);
  }
}

function tooManyFilesError(files: readonly FolderFile[], label: string): ArchiveError {
  const counts = new Map<string, number>();
  for (const { path } of files) {
    const folder = path.slice(0, path.indexOf("/") + 1) || "its top level";
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const [[folder, count] = ["", 0]] = [...counts].sort((a, b) => b[1] - a[1]);
  return new ArchiveError(
    "archive_too_many_files",
    `${label} holds more than ${counted(archiveFilesMax, "file")}, the maximum of a zip; ` +
      `at least ${count.toLocaleString("en-US")} are in ${quotePath(folder)}. ${excludeAdvice}`,
  );
}
