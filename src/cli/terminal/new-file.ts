import { randomBytes } from "node:crypto";
import {
  constants,
  copyFileSync,
  linkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { InputError, LocalError } from "../../errors.js";
import { displayText } from "./text.js";

/**
 * Checks before any work that a file can be written. Throws `InputError` `output_unusable` when the
 * file exists and `force` is false, when it is not a regular file, or when its folder does not
 * exist.
 */
export function requireWritable(path: string, force: boolean): void {
  const existing = statSync(path, { throwIfNoEntry: false });
  if (existing !== undefined && !existing.isFile()) {
    throw unusable(path, "already exists and is not a file. Choose another --output.");
  }
  if (existing !== undefined && !force) {
    throw unusable(path, "already exists. Choose another --output, or pass --force to replace it.");
  }
  if (!statSync(dirname(resolve(path)), { throwIfNoEntry: false })?.isDirectory()) {
    throw unusable(path, "cannot be created: its folder does not exist. Create the folder first.");
  }
}

/**
 * Writes a file completely or not at all: first under another name in the same folder, then moved
 * into place in one step. A file that exists, even one created in the meantime, is replaced only
 * with `force`. Throws `InputError` `output_unusable` as `requireWritable` does, or `LocalError`
 * `output_failed`.
 */
export function writeNewFile(path: string, bytes: Uint8Array, force: boolean): void {
  requireWritable(path, force);
  const exists = statSync(path, { throwIfNoEntry: false }) !== undefined;
  // Replace the file itself, not a symbolic link that points to it.
  const target = exists ? realpathSync(path) : resolve(path);
  const partial = join(dirname(target), `.browser-infra-${randomBytes(6).toString("hex")}.part`);
  try {
    writeFileSync(partial, bytes, { flag: "wx", flush: true });
    if (force) {
      renameSync(partial, target);
    } else {
      moveToFreeName(partial, target);
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") {
      throw unusable(path, "was created in the meantime and was left unchanged.");
    }
    throw new LocalError(
      "output_failed",
      `Writing "${displayText(path)}" failed (${code}). Check the disk and the permissions of its folder, or choose another --output.`,
      { cause: error },
    );
  } finally {
    rmSync(partial, { force: true });
  }
}

/**
 * Gives a file a name that no other file has yet. A rename would replace the other file; a link
 * fails instead.
 */
function moveToFreeName(partial: string, target: string): void {
  try {
    linkSync(partial, target);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Not every file system has hard links.
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].includes(code ?? "")) {
      throw error;
    }
    copyFileSync(partial, target, constants.COPYFILE_EXCL);
  }
}

function unusable(path: string, problem: string): InputError {
  return new InputError("output_unusable", "output", `"${displayText(path)}" ${problem}`);
}
