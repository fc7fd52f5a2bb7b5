import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { ArchiveError } from "../errors.js";
import { fileBytesMax, mebibytes } from "./limits.js";

/**
 * Reads a whole file, and makes sure that it was one file all the time: what is opened is what was listed, and what is read is
 * what was there when reading began. `shownPath` is the path in messages.
 */
export async function readSourceFile(path: Buffer | string, shownPath: string): Promise<Buffer> {
  let handle: FileHandle;
  try {
    // A link put in the file's place is not followed, and a pipe put there does not hang.
    handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    throw unreadable(shownPath, error);
  }
  try {
    const before = await handle.stat({ bigint: true });
    if (!before.isFile()) {
      throw changed(shownPath);
    }
    if (before.size > fileBytesMax) {
      throw new ArchiveError(
        "archive_too_large",
        `"${shownPath}" holds ${mebibytes(Number(before.size))}; a single file may hold ${mebibytes(fileBytesMax)}. Leave it out with "exclude".`,
      );
    }
    const contents = await handle.readFile();
    const after = await handle.stat({ bigint: true });
    const same =
      before.size === after.size && before.mtimeNs === after.mtimeNs && before.ctimeNs === after.ctimeNs;
    if (!same || BigInt(contents.byteLength) !== before.size) {
      throw changed(shownPath);
    }
    return contents;
  } catch (error) {
    throw error instanceof ArchiveError ? error : unreadable(shownPath, error);
  } finally {
    await handle.close();
  }
}

/** A file that is not what it was a moment ago. */
export function changed(shownPath: string): ArchiveError {
  return new ArchiveError(
    "archive_changed_while_reading",
    `"${shownPath}" changed while it was read. Nothing was packed. Run this again when nothing writes to it.`,
  );
}

function unreadable(shownPath: string, error: unknown): ArchiveError {
  const { code = "unknown error" } = error as NodeJS.ErrnoException;
  return new ArchiveError(
    "archive_unreadable",
    `"${shownPath}" cannot be read (${code}). Every file is packed or none is: make it readable, or leave it out with "exclude".`,
    { cause: error },
  );
}
