import type { DatabaseSync } from "node:sqlite";

/** Makes every change of a function or, when it throws, none. Calls may be nested. */
export function atomically<T>(database: DatabaseSync, change: () => T): T {
  // A savepoint outside of a transaction begins one, and inside of one is a part of it.
  database.exec("SAVEPOINT change");
  try {
    const result = change();
    database.exec("RELEASE change");
    return result;
  } catch (error) {
    database.exec("ROLLBACK TO change; RELEASE change");
    throw error;
  }
}
