import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { LocalError } from "../../errors.js";
import { createPrivate, makePrivate } from "./private-file.js";

/** Database file in a data folder. While the emulator runs, SQLite's log is beside the file. */
export const databaseFileName = "emulator.sqlite";

/** SQLite `application_id` of an emulator's database: the bytes of "BrEm". */
const applicationId = 0x4272456d;

/** Version of {@link layout}, stored in a file as `user_version`. */
const layoutVersion = 5;

/**
 * SQL that creates the tables. A record is JSON. `seq` keeps the order of creation. Archives have
 * their own table, because records are kept in memory and archives are not. The table is in the same
 * file, so that a record and the bytes are committed together.
 */
const layout = `
CREATE TABLE records (
  seq INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  record TEXT NOT NULL,
  UNIQUE (kind, id)
) STRICT;
CREATE TABLE archives (extension_id TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
`;

/** Open database. A change outside of `atomically` is committed at once. */
export class Database {
  readonly #sqlite: DatabaseSync;
  /** Functions that read the tables again. */
  readonly #tables = new Set<() => void>();

  constructor(sqlite: DatabaseSync) {
    this.#sqlite = sqlite;
  }

  prepare(sql: string): StatementSync {
    return this.#sqlite.prepare(sql);
  }

  /** Number of changed records so far. */
  get changedRows(): number {
    return Number(this.prepare("SELECT total_changes() AS count").get()?.count);
  }

  /** Registers the function that reads a table. */
  register(load: () => void): void {
    this.#tables.add(load);
  }

  /** Removes every record and every archive. */
  clear(): void {
    this.#sqlite.exec("DELETE FROM records; DELETE FROM archives");
    this.#readTables();
  }

  close(): void {
    this.#sqlite.close();
  }

  /** Makes all changes of a function or, if the function throws, none. Calls may be nested. */
  atomically<T>(change: () => T): T {
    // Outside of a transaction, a savepoint begins a transaction; inside, the savepoint is nested.
    this.#sqlite.exec("SAVEPOINT change");
    try {
      const result = change();
      this.#sqlite.exec("RELEASE change");
      return result;
    } catch (error) {
      // If the disk is full, SQLite may have rolled back everything, including the savepoint.
      if (this.#sqlite.isTransaction) {
        this.#sqlite.exec("ROLLBACK TO change; RELEASE change");
      }
      this.#readTables();
      throw error;
    }
  }

  #readTables(): void {
    for (const load of this.#tables) {
      load();
    }
  }
}

/**
 * Opens the emulator's database: in memory, or the file `emulator.sqlite` in a folder. A missing or
 * empty file gets the current layout. The file is locked until the database is closed or the
 * process ends.
 *
 * Throws `LocalError`: `emulator_data_in_use` if an emulator already uses the folder,
 * `emulator_data_unusable` if the folder cannot be created or written, or if the file belongs to a
 * different program or version.
 */
export function openDatabase(dataDir: string | undefined): Database {
  if (dataDir === undefined) {
    return new Database(ensureLayout(new DatabaseSync(":memory:")));
  }
  let database: DatabaseSync | undefined;
  try {
    makeFolder(resolve(dataDir));
    const file = join(dataDir, databaseFileName);
    createPrivate(file);
    database = new DatabaseSync(file);
    // Keeps the lock between transactions, so a second emulator fails here and not later.
    database.exec("PRAGMA locking_mode = EXCLUSIVE");
    ensureLayout(database);
    // Only now: the file is an emulator's. SQLite creates further files with the mode of the database.
    for (const end of ["", "-wal", "-shm", "-journal"]) {
      makePrivate(`${file}${end}`);
    }
    // A killed process loses nothing, and no commit waits for the disk. Last, because the journal
    // mode changes the file.
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    return new Database(database);
  } catch (error) {
    database?.close();
    throw storageError(error, dataDir);
  }
}

/**
 * Creates a folder and all missing parents. Node's own `recursive` never ends where a folder cannot
 * exist although the parent exists, as below `/proc`.
 */
function makeFolder(path: string): void {
  if (!existsSync(path)) {
    // The root exists, so the recursion ends there at the latest.
    makeFolder(dirname(path));
    try {
      mkdirSync(path, { mode: 0o700 });
    } catch (error) {
      // A concurrent process may have created the folder.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST" || !existsSync(path)) {
        throw error;
      }
    }
  }
  if (!statSync(path).isDirectory()) {
    throw new UnusableFile(fileInTheWay);
  }
}

function ensureLayout(database: DatabaseSync): DatabaseSync {
  database.exec("BEGIN EXCLUSIVE");
  const pragma = (name: string) => database.prepare(`PRAGMA ${name}`).get()?.[name];
  const isEmpty = database.prepare("SELECT 1 FROM sqlite_schema").get() === undefined;
  if (!isEmpty && pragma("application_id") !== applicationId) {
    throw new UnusableFile(foreignFileProblem);
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

const foreignFileProblem = `its ${databaseFileName} is not an emulator's database`;

const fileInTheWay = "a file is in the way";

// SQLite's result codes; the low byte is the kind. Source: sqlite.org, "Result and Error Codes".
const sqliteBusy = 5;
const sqliteProblems: Readonly<Record<number, string>> = {
  8: `its ${databaseFileName} is read-only`,
  10: "the disk does not read or write",
  13: "the disk is full",
  14: `its ${databaseFileName} cannot be created or opened`,
  26: foreignFileProblem,
};

/**
 * Converts an error of the data folder to `LocalError` `emulator_data_in_use` or
 * `emulator_data_unusable`.
 */
export function storageError(error: unknown, dataDir: string): LocalError {
  const isBusy = resultCode(error) === sqliteBusy;
  const why = isBusy
    ? "another emulator is using the folder. Stop that emulator, or choose a different folder"
    : `${storageProblem(error) ?? systemProblem(error)}. Choose another folder that this user may write to`;
  const message = `Opening the emulator's data in "${dataDir}" failed: ${why}.`;
  return new LocalError(isBusy ? "emulator_data_in_use" : "emulator_data_unusable", message, {
    cause: error,
  });
}

/** Problem of the disk or the file that made SQLite fail; undefined for any other cause. */
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
  ELOOP: "its path contains a loop of links",
};

function systemProblem(error: unknown): string {
  const { code = "unknown cause", message } = error as NodeJS.ErrnoException;
  // SQLite's messages contain no path. Node's messages do, so only Node's codes are shown.
  return error instanceof UnusableFile || resultCode(error) !== undefined
    ? message
    : (systemProblems[code] ?? code);
}
