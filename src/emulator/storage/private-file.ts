import { chmodSync, closeSync, openSync, statSync } from "node:fs";

/** Mode of a file that only its owner may read and write. */
export const privateMode = 0o600;

/** Creates an empty file that only its owner may read, unless the file exists. Throws errors of `node:fs`. */
export function createPrivate(path: string): void {
  try {
    closeSync(openSync(path, "wx", privateMode));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") {
      throw error;
    }
  }
}

/**
 * Makes an existing file private: an earlier version or a restored copy may have let others read the
 * file. Leaves devices and other users' files as they are. Opens nothing, because closing any
 * descriptor of a database drops SQLite's locks.
 */
export function makePrivate(path: string): void {
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isFile()) {
      chmodSync(path, privateMode);
    }
  } catch {
    // The owner is a different user, or the file system has no modes.
  }
}
