import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { LocalError } from "../../errors.js";
import { messageOf } from "../../text/words.js";

/**
 * The folder in the program's folder for what the next deployment needs if this one is interrupted.
 */
export const journalFolder = ".browser-infra";

/** The environment variable that names another folder. */
const journalVariable = "BROWSER_INFRA_JOURNAL_DIR";

/** Where a journal is. */
export interface JournalPlace {
  /** Absolute path of its folder. */
  readonly folder: string;
  /** Its path in messages: relative to the program's folder, or absolute when it is elsewhere. */
  readonly shownAs: string;
  /** Whether the environment names the folder. Then it is the user's own, and stays when empty. */
  readonly isNamed: boolean;
}

/**
 * Finds the journal: the folder in `BROWSER_INFRA_JOURNAL_DIR`, absolute or relative to the
 * program's folder, else {@link journalFolder}. Only whitespace counts as not set.
 */
export function journalPlace({
  programFolder,
  environment,
}: {
  readonly programFolder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}): JournalPlace {
  const named = environment[journalVariable]?.trim();
  if (!named) {
    return { folder: join(programFolder, journalFolder), shownAs: journalFolder, isNamed: false };
  }
  const folder = resolve(programFolder, named);
  return { folder, shownAs: folder, isNamed: true };
}

/** Attempts of a write while processes of other providers remove the folder as often. */
const attemptsMax = 20;

/**
 * Age after which a file that was being written counts as abandoned even if the process id of its
 * writer is in use: it may be another process by now. Milliseconds.
 */
const abandonedAfterMs = 3_600_000;

/** Name of a file that is still being written: with the writer's process id and a random part. */
const partial = /\.(\d+)-[0-9a-f]{16}\.part$/;

/**
 * The files of a journal's folder. Unless the environment names it, the folder exists as long as
 * there is a file in it. Several processes may use it at once. No symbolic link in it is followed,
 * and none in its place.
 */
export class JournalFiles {
  readonly #place: JournalPlace;

  constructor(place: JournalPlace) {
    this.#place = place;
  }

  /**
   * Writes a file completely or not at all. Only the owner may read it (mode 0600): what is
   * deployed may be private. Throws `LocalError` `journal_unwritable`, which says why and what to
   * do.
   */
  write(file: string, contents: Uint8Array | string): void {
    const path = this.#pathOf(file);
    const fresh = `${path}.${process.pid}-${randomBytes(8).toString("hex")}.part`;
    try {
      for (let attemptsLeft = attemptsMax; ; attemptsLeft -= 1) {
        try {
          this.#makeFolder();
          // Renamed into place, so that a killed process leaves a complete file or none. The flag
          // "wx" creates the file and follows no link.
          writeFileSync(fresh, contents, { mode: 0o600, flag: "wx", flush: true });
          renameSync(fresh, path);
          break;
        } catch (error) {
          // Another process may have removed the empty folder in between, or made it.
          if (!["ENOENT", "EEXIST"].includes(codeOf(error) ?? "") || attemptsLeft === 1) {
            throw error;
          }
        }
      }
    } catch (error) {
      removeIfPossible(fresh);
      throw this.#unwritable(error);
    }
    this.#removeAbandoned();
  }

  /**
   * The contents of a file; undefined when there is none. Throws `LocalError` `journal_unreadable`:
   * what cannot be read may be what an interrupted deployment did.
   */
  read(file: string): Buffer<ArrayBuffer> | undefined {
    let descriptor: number | undefined;
    try {
      const found = this.#isFolder() ? lstatSync(this.#pathOf(file), { throwIfNoEntry: false }) : undefined;
      if (found === undefined) {
        return undefined;
      }
      if (!found.isFile()) {
        throw new Unusable("it is not a file", "Move it out of the way");
      }
      // Windows has no such flags, so there only the check above detects a link.
      const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
      descriptor = openSync(this.#pathOf(file), flags);
      return readFileSync(descriptor);
    } catch (error) {
      // Another process may have removed it in between.
      if (codeOf(error) === "ENOENT") {
        return undefined;
      }
      throw this.unreadable(file, error);
    } finally {
      if (descriptor !== undefined) {
        closeSync(descriptor);
      }
    }
  }

  /** Names of all files, complete ones only. */
  list(): readonly string[] {
    try {
      return this.#names().filter((name) => !partial.test(name));
    } catch (error) {
      throw this.unreadable("", error);
    }
  }

  /**
   * Removes a file, and the folder with the last one. Never throws: it is called when the service
   * has answered, and that answer must not get lost. A file that stays is read by the next run.
   */
  remove(file: string): void {
    if (!this.#isFolder()) {
      return;
    }
    removeIfPossible(this.#pathOf(file));
    this.#removeAbandoned();
    if (!this.#place.isNamed) {
      try {
        rmdirSync(this.#place.folder);
      } catch {
        // It does not exist, something else is in it, or nothing can be changed here.
      }
    }
  }

  /** Path of a file in messages: relative to the program's folder, or absolute. */
  shownPathOf(file: string): string {
    return join(this.#place.shownAs, file);
  }

  #pathOf(file: string): string {
    return join(this.#place.folder, file);
  }

  #names(): readonly string[] {
    try {
      return this.#isFolder() ? readdirSync(this.#place.folder) : [];
    } catch (error) {
      // Another process may have removed the empty folder in between.
      if (codeOf(error) === "ENOENT") {
        return [];
      }
      throw error;
    }
  }

  /** Whether there is a folder in its place, and no link to one. */
  #isFolder(): boolean {
    try {
      // Nearly always there is none, and an error costs five times as much.
      return lstatSync(this.#place.folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
    } catch {
      return false;
    }
  }

  #makeFolder(): void {
    const { folder } = this.#place;
    const existing = lstatSync(folder, { throwIfNoEntry: false });
    if (existing === undefined) {
      // One by one: of a folder that cannot be made together with its parents, Node says that it
      // does not exist, for any reason.
      mkdirSync(dirname(folder), { recursive: true });
      mkdirSync(folder, { mode: 0o700 });
    } else if (existing.isSymbolicLink()) {
      throw new Unusable(
        "it is a symbolic link, and links are not followed here",
        "Replace the link with a folder",
      );
    } else if (!existing.isDirectory()) {
      throw new Unusable("it is not a folder", "Move it out of the way");
    }
  }

  /** Removes what writers left that were killed while they wrote. */
  #removeAbandoned(): void {
    let names: readonly string[];
    try {
      names = this.#names();
    } catch {
      return;
    }
    for (const name of names) {
      const [, writer] = partial.exec(name) ?? [];
      if (writer !== undefined && isAbandoned(this.#pathOf(name), Number(writer))) {
        removeIfPossible(this.#pathOf(name));
      }
    }
  }

  /** The error for a file that cannot be read, or says what this version does not understand. */
  unreadable(file: string, error: unknown): LocalError {
    const path = join(this.#place.folder, file);
    const code = codeOf(error);
    const reason = code === undefined ? "its contents are damaged" : `the system refuses it (${code})`;
    const { why, remedy } = faultOf(error, readFaults, reason, restoreAdvice);
    return new LocalError(
      "journal_unreadable",
      `The provider cannot read "${path}", a note of an earlier deployment, because ${why}. Without it, what that deployment did could be done twice or get lost. ${remedy}.`,
      { cause: error },
    );
  }

  #unwritable(error: unknown): LocalError {
    const { folder, isNamed } = this.#place;
    const reason = `the system refuses it (${codeOf(error) ?? messageOf(error)})`;
    const { why, remedy } = faultOf(error, writeFaults, reason, "Correct that");
    const elsewhere = isNamed
      ? `set ${journalVariable} to another folder`
      : `set ${journalVariable} to a folder that can be written and that the next deployment finds again`;
    return new LocalError(
      "journal_unwritable",
      `The provider cannot note in "${folder}" what it is about to do, because ${why}. If it is interrupted, the next deployment needs that note. ${remedy}, or ${elsewhere}.`,
      { cause: error },
    );
  }
}

/** Why a file or the folder cannot be used, and what to do about it: each the end of a sentence. */
export class Unusable extends Error {
  readonly why: string;
  readonly remedy: string;

  constructor(why: string, remedy: string) {
    super(why);
    this.why = why;
    this.remedy = remedy;
  }
}

const unwritable = new Unusable(
  "this user has no permission to write there",
  "Allow this user to write there",
);
const unreadable = new Unusable(
  "this user has no permission to read it",
  "Allow this user to read it, or deploy as the user who wrote it",
);

/** What errors of the system mean for a write, by their codes. */
const writeFaults: Readonly<Record<string, Unusable>> = {
  ENOSPC: new Unusable("the disk is full", "Free some space"),
  EDQUOT: new Unusable("the disk quota is used up", "Free some space"),
  EROFS: new Unusable("the file system is read-only", "Make it writable"),
  EACCES: unwritable,
  EPERM: unwritable,
  ENOTDIR: new Unusable("a part of this path is not a folder", "Correct the path"),
};

/** The same for a read. */
const readFaults: Readonly<Record<string, Unusable>> = { EACCES: unreadable, EPERM: unreadable };

const restoreAdvice =
  "Restore the file. If that is impossible, compare the service with the stack's state by hand, and then delete the file";

function faultOf(
  error: unknown,
  faults: Readonly<Record<string, Unusable>>,
  why: string,
  remedy: string,
): Unusable {
  return error instanceof Unusable ? error : (faults[codeOf(error) ?? ""] ?? new Unusable(why, remedy));
}

/** Whether a file that was being written has no writer any more. */
function isAbandoned(path: string, writer: number): boolean {
  try {
    if (Date.now() - lstatSync(path).mtimeMs > abandonedAfterMs) {
      return true;
    }
    process.kill(writer, 0);
    return false;
  } catch (error) {
    return codeOf(error) === "ESRCH";
  }
}

function removeIfPossible(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // It is a folder, or nothing can be changed here.
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | undefined)?.code;
}
