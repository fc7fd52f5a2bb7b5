import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  linkSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { InputError, LocalError } from "../errors.js";
import { displayText } from "./display-text.js";

/**
 * Finds out early that a file cannot be written: something is there already and `force` is not given, it is no file, or its folder does not
 * exist. Throws `InputError` on `output`.
 */
export function requireWritable(path: string, force: boolean): void {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there !== undefined && !there.isFile()) {
    throw unusable(path, "is there already and is not a file. Choose another --output.");
  }
  if (there !== undefined && !force) {
    throw unusable(path, "is there already. Choose another --output, or give --force to replace it.");
  }
  if (!statSync(dirname(resolve(path)), { throwIfNoEntry: false })?.isDirectory()) {
    throw unusable(path, "cannot be made: its folder does not exist. Make the folder first.");
  }
}

/**
 * Writes a file whole or not at all: beside its place first, then moved there in one step. What is there already, also what has come in
 * the meantime, is only replaced with `force`. Throws `InputError` on `output`, or `LocalError` `output_failed`.
 */
export function writeWhole(path: string, bytes: Uint8Array, force: boolean): void {
  requireWritable(path, force);
  const exists = statSync(path, { throwIfNoEntry: false }) !== undefined;
  // The file itself is replaced, not a link that leads to it.
  const target = exists ? realpathSync(path) : resolve(path);
  const beside = join(dirname(target), `.browser-infra-${randomBytes(6).toString("hex")}.part`);
  try {
    writeAndSync(beside, bytes);
    if (force) {
      renameSync(beside, target);
    } else {
      placeNew(beside, target);
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") {
      throw unusable(path, "has come into being meanwhile and was left as it is.");
    }
    throw new LocalError(
      "output_failed",
      `Writing "${displayText(path)}" failed (${code}). Check the disk and the permissions of its folder, or choose another --output.`,
      { cause: error },
    );
  } finally {
    rmSync(beside, { force: true });
  }
}

function writeAndSync(path: string, bytes: Uint8Array): void {
  const file = openSync(path, "wx");
  try {
    for (let written = 0; written < bytes.length; ) {
      written += writeSync(file, bytes, written);
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** A rename would replace what is there; a link fails then. */
function placeNew(beside: string, target: string): void {
  try {
    linkSync(beside, target);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Not every file system has hard links.
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].includes(code ?? "")) {
      throw error;
    }
    copyFileSync(beside, target, constants.COPYFILE_EXCL);
  }
}

function unusable(path: string, problem: string): InputError {
  return new InputError("output_unusable", "output", `"${displayText(path)}" ${problem}`);
}
