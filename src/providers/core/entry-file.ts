import type { JournalFiles } from "../journal/files.js";
import type { NotedEntry, RemovalList } from "./entry.js";

/** Undefined when there is no such file. Throws `LocalError` `journal_unreadable`. */
export function readEntry(files: JournalFiles, file: string): NotedEntry | undefined {
  const bytes = files.read(file);
  if (bytes === undefined) {
    return undefined;
  }
  // Loaded, and zod with it, only when there is a file: most runs find none.
  const { parseEntry }: typeof import("./entry-schema.js") = require("./entry-schema.js");
  return { ...parsed(files, file, bytes, parseEntry), file };
}

/** The same for a list of deletions. */
export function readRemovals(files: JournalFiles, file: string): RemovalList | undefined {
  const bytes = files.read(file);
  if (bytes === undefined) {
    return undefined;
  }
  const { parseRemovals }: typeof import("./entry-schema.js") = require("./entry-schema.js");
  return parsed(files, file, bytes, parseRemovals);
}

function parsed<T>(files: JournalFiles, file: string, bytes: Buffer, parse: (json: unknown) => T): T {
  try {
    return parse(JSON.parse(bytes.toString("utf8")));
  } catch (error) {
    throw files.unreadable(file, error);
  }
}
