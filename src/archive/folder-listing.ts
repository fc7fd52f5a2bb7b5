import { isUtf8 } from "node:buffer";
import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { sep } from "node:path";
import { ArchiveError, CanceledError } from "../errors.js";
import { byPathBytes } from "./contents.js";
import { excludeMatcher } from "./exclude.js";
import { filesMax } from "./limits.js";
import { isNeverShipped } from "./never-ship.js";
import { refuseUnportable } from "./portable-name.js";

/** Most paths that are named as left out. */
const leftOutMax = 100;

/** A file to be packed. */
export interface ListedFile {
  /** Path below the folder, with `/`. */
  readonly path: string;
  /** Where it lies, in the bytes the file system uses. */
  readonly location: Buffer;
}

/** The files of a folder in archive order, and what is never shipped of it. */
export interface FolderListing {
  readonly files: readonly ListedFile[];
  readonly leftOut: readonly string[];
}

/**
 * Lists a folder. Refuses what cannot be packed faithfully: links, pipes, devices, names that are not UTF-8 or not portable.
 * Names are read as bytes, because text would already have lost what is not UTF-8.
 */
export async function listFolder(
  folder: string,
  exclude: readonly string[],
  signal: AbortSignal | undefined,
): Promise<FolderListing> {
  const isExcluded = excludeMatcher(exclude);
  const files: ListedFile[] = [];
  const leftOut: string[] = [];

  const descend = async (location: Buffer, parent: string): Promise<void> => {
    if (signal?.aborted) {
      throw new CanceledError(`Reading "${folder}" was canceled.`);
    }
    for (const entry of await entriesOf(location, parent === "" ? folder : parent)) {
      const path = parent + nameOf(entry, parent === "" ? folder : parent);
      if (isExcluded(path)) {
        continue;
      }
      if (isNeverShipped(entry.name.toString(), entry.isDirectory())) {
        leftOut.push(path);
        continue;
      }
      const entryLocation = Buffer.concat([location, Buffer.from(sep), entry.name]);
      if (entry.isDirectory()) {
        await descend(entryLocation, `${path}/`);
      } else if (entry.isFile()) {
        files.push({ path, location: entryLocation });
      } else {
        throw notAFile(path, entry);
      }
    }
  };
  await descend(Buffer.from(folder), "");

  if (files.length > filesMax) {
    throw new ArchiveError(
      "archive_too_many_files",
      `"${folder}" has ${files.length} files; an archive takes ${filesMax}. Leave some out with "exclude".`,
    );
  }
  refuseUnportable(
    files.map(({ path }) => path),
    `"${folder}"`,
  );
  return { files: files.sort(byPathBytes), leftOut: leftOut.slice(0, leftOutMax) };
}

async function entriesOf(location: Buffer, shownPath: string): Promise<Dirent<Buffer>[]> {
  try {
    return await readdir(location, { withFileTypes: true, encoding: "buffer" });
  } catch (error) {
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    throw new ArchiveError(
      "archive_unreadable",
      `The folder "${shownPath}" cannot be listed (${code}). Make it readable, or leave it out with "exclude".`,
      { cause: error },
    );
  }
}

function nameOf(entry: Dirent<Buffer>, shownParent: string): string {
  if (!isUtf8(entry.name)) {
    throw new ArchiveError(
      "archive_name_not_utf8",
      `A name in "${shownParent}" is not UTF-8: "${entry.name.toString("latin1")}" when read as Latin-1. Rename it.`,
    );
  }
  return entry.name.toString();
}

function notAFile(path: string, entry: Dirent<Buffer>): ArchiveError {
  if (entry.isSymbolicLink()) {
    return new ArchiveError(
      "archive_symlink",
      `"${path}" is a symbolic link. Links are not packed, because they lead to different files on different machines: ` +
        `put the file itself there, or leave the link out with "exclude".`,
    );
  }
  return new ArchiveError(
    "archive_special_file",
    `"${path}" is neither a file nor a folder. Remove it, or leave it out with "exclude".`,
  );
}
