import { randomBytes } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { BrowserInfraError, InputError, LocalError } from "../../errors.js";
import { displayText } from "./text.js";

/**
 * Whether `--output` means standard output. `./-` is a file named `-`. `what`: content, for the
 * error. Throws `InputError` `output_unusable` if `--json` requires standard output as well.
 */
export function isStandardOutput(path: string, what: string, json: boolean): boolean {
  if (path === "-" && json) {
    const problem = `--output - cannot be used with --json: standard output is ${what}. Use only one.`;
    throw new InputError("output_unusable", "output", problem);
  }
  return path === "-";
}

/**
 * Checks before any work that a file can be written. Throws `InputError` `output_unusable`, and
 * `LocalError` `output_failed` when the path cannot be read. `option`: gives the path, such as
 * `--output`; or the thing to choose instead of an option.
 */
export function requireWritable(path: string, force = false, option = "--output"): void {
  const refuse = (problem: string): never => {
    const property = option.startsWith("--") ? option.slice(2) : "output";
    throw new InputError("output_unusable", property, `"${displayText(path)}" ${problem}`);
  };
  const existing = statOf(path, option);
  if (existing !== undefined && !existing.isFile()) {
    refuse(`already exists and is not a file. Choose another ${option}.`);
  }
  if (existing !== undefined && !force) {
    refuse(`already exists. Choose another ${option}, or pass --force to replace it.`);
  }
  if (!statOf(dirname(resolve(path)), option)?.isDirectory()) {
    refuse("cannot be created: its folder does not exist. Create the folder first.");
  }
}

/**
 * Writes a file completely or not at all. An existing file, even if created since the command
 * began, is replaced only with `force`. Throws as `requireWritable`. `mode`: permissions of the file,
 * less those that the umask takes.
 */
export function writeNewFile(
  path: string,
  bytes: Uint8Array,
  force = false,
  option = "--output",
  mode = 0o666,
): void {
  // Replaces the file itself, not a symbolic link to the file.
  const target = existsSync(path) ? realpathSync(path) : resolve(path);
  const partial = join(dirname(target), `.browser-infra-${randomBytes(6).toString("hex")}.part`);
  try {
    writeFileSync(partial, bytes, { flag: "wx", flush: true, mode });
    requireWritable(path, force, option);
    renameSync(partial, target);
  } catch (error) {
    throw error instanceof BrowserInfraError ? error : writeFailedError(path, error, option);
  } finally {
    rmSync(partial, { force: true });
  }
}

/** Creates a folder, unless the folder exists. Throws `LocalError` `output_failed`. */
export function ensureFolder(path: string, option: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    throw writeFailedError(path, error, option);
  }
}

function statOf(path: string, option: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw writeFailedError(path, error, option);
  }
}

function writeFailedError(path: string, error: unknown, option: string): LocalError {
  const { code } = error as NodeJS.ErrnoException;
  return new LocalError(
    "output_failed",
    `Writing "${displayText(path)}" failed (${code}). Check the disk and the permissions of its folder, or choose another ${option}.`,
    { cause: error },
  );
}
