import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { LocalError } from "../../errors.js";
import { foldedName } from "./ids-and-names.js";
import { layout, layoutVersion } from "./layout.js";

/** The file in a data folder. While the emulator runs, SQLite's log is beside it. */
export const databaseFileName = "emulator.sqlite";

/** The file's `application_id`, which marks it as an emulator's: the bytes of "BrEm". */
const applicationId = 0x4272456d;

/**
 * Opens the emulator's database: in memory, or the file `emulator.sqlite` in a folder. The file is
 * created or brought to the present layout. It is locked until it is closed or its process ends.
 *
 * Throws `LocalError`: `emulator_data_in_use` when another emulator has the folder,
 * `emulator_data_unusable` when the folder cannot be created or written, or its file belongs to
 * another program or another version.
 */
export function openDatabase(dataDir: string | undefined): DatabaseSync {
  if (dataDir === undefined) {
    return withLayout(new DatabaseSync(":memory:"));
  }
  let database: DatabaseSync | undefined;
  try {
    makeFolder(resolve(dataDir));
    database = new DatabaseSync(join(dataDir, databaseFileName));
    // Keeps the lock between transactions, so a second emulator fails here and not later.
    database.exec("PRAGMA locking_mode = EXCLUSIVE");
    withLayout(database);
    // A killed process loses nothing, and no commit waits for the disk. Last: it changes the file.
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    return database;
  } catch (error) {
    database?.close();
    throw storageError(error, dataDir);
  }
}

/**
 * Creates a folder and those above it that are missing. Node's own `recursive` never ends where a
 * folder cannot exist although the one above it does, as below `/proc`.
 */
function makeFolder(path: string): void {
  if (!existsSync(path)) {
    // The root exists, so this ends there at the latest.
    makeFolder(dirname(path));
    try {
      mkdirSync(path, { mode: 0o700 });
    } catch (error) {
      // Another process may have created it in the meantime.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST" || !existsSync(path)) {
        throw error;
      }
    }
  }
  if (!statSync(path).isDirectory()) {
    throw new UnusableFile(fileInTheWay);
  }
}

/** Makes every change of a function or, when it throws, none. Calls may be nested. */
export function atomically<T>(database: DatabaseSync, change: () => T): T {
  // A savepoint outside of a transaction begins one; inside, it is a part of it.
  database.exec("SAVEPOINT change");
  try {
    const result = change();
    database.exec("RELEASE change");
    return result;
  } catch (error) {
    // When the disk is full, SQLite may have rolled back everything, the savepoint included.
    if (database.isTransaction) {
      database.exec("ROLLBACK TO change; RELEASE change");
    }
    throw error;
  }
}

/**
 * Lets SQL compare names: `folded(x)` is {@link foldedName}. `lowered(x)` ignores case only;
 * SQLite's own `lower` knows ASCII only.
 */
function addNameFunctions(database: DatabaseSync): void {
  const onString = (change: (name: string) => string) => (value: unknown) =>
    typeof value === "string" ? change(value) : null;
  const functions = {
    folded: foldedName,
    lowered: (name: string) => name.toLowerCase(),
  };
  for (const [name, change] of Object.entries(functions)) {
    database.function(name, { deterministic: true }, onString(change));
  }
}

function withLayout(database: DatabaseSync): DatabaseSync {
  addNameFunctions(database);
  database.exec("BEGIN EXCLUSIVE");
  const pragma = (name: string) => database.prepare(`PRAGMA ${name}`).get()?.[name];
  const isEmpty = database.prepare("SELECT 1 FROM sqlite_schema").get() === undefined;
  if (!isEmpty && pragma("application_id") !== applicationId) {
    throw new UnusableFile(notAnEmulators);
  }
  if (isEmpty) {
    database.exec(layout);
    database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${layoutVersion}`);
  } else if (pragma("user_version") !== layoutVersion) {
    throw new UnusableFile(`its ${databaseFileName} was written by another version of this package`);
  }
  database.exec("COMMIT");
  return database;
}

class UnusableFile extends Error {}

const notAnEmulators = `its ${databaseFileName} is not an emulator's database`;

const fileInTheWay = "a file is in the way";

// SQLite's result codes; the low byte is the kind. Source: sqlite.org, "Result and Error Codes".
const sqliteBusy = 5;
const sqliteProblems: Readonly<Record<number, string>> = {
  8: `its ${databaseFileName} is read-only`,
  10: "the disk does not read or write",
  13: "the disk is full",
  14: `its ${databaseFileName} cannot be created or opened`,
  26: notAnEmulators,
};

/**
 * An error of the data folder as one for people: `LocalError` `emulator_data_in_use` or
 * `emulator_data_unusable`.
 */
export function storageError(error: unknown, dataDir: string): LocalError {
  if (resultCode(error) === sqliteBusy) {
    return new LocalError(
      "emulator_data_in_use",
      `Opening the emulator's data in "${dataDir}" failed: another emulator is using the folder. Stop that one, or choose another folder.`,
      { cause: error },
    );
  }
  const why = storageProblem(error) ?? systemProblem(error);
  return new LocalError(
    "emulator_data_unusable",
    `Opening the emulator's data in "${dataDir}" failed: ${why}. Choose another folder that this user may write to.`,
    { cause: error },
  );
}

/** What is wrong with the disk or the file, if that is why SQLite failed. */
export function storageProblem(error: unknown): string | undefined {
  return sqliteProblems[resultCode(error) ?? 0];
}

function resultCode(error: unknown): number | undefined {
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown };
  return code === "ERR_SQLITE_ERROR" ? Number(errcode) & 0xff : undefined;
}

const systemProblems: Readonly<Record<string, string>> = {
  EACCES: "no permission to write there",
  EPERM: "no permission to write there",
  EROFS: "the file system is read-only",
  EEXIST: fileInTheWay,
  ENOTDIR: fileInTheWay,
  ENOSPC: "the disk is full",
  ENOENT: "no folder can be created there",
  ENAMETOOLONG: "its path is too long",
  ELOOP: "its path leads in a circle",
};

function systemProblem(error: unknown): string {
  const { code = "unknown cause", message } = error as NodeJS.ErrnoException;
  // SQLite's messages name no path. Node's do, so only their code is shown.
  return error instanceof UnusableFile || resultCode(error) !== undefined
    ? message
    : (systemProblems[code] ?? code);
}
