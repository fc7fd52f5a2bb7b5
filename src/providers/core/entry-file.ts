import type { JournalFiles } from "../journal/files.js";

type EntrySchema = typeof import("./entry-schema.js");

/**
 * What a file of the journal says; undefined when there is no such file. Throws `LocalError`
 * `journal_unreadable`.
 */
export function readJson<T>(
  files: JournalFiles,
  file: string,
  parse: (schema: EntrySchema, json: unknown) => T,
): T | undefined {
  const bytes = files.read(file);
  if (bytes === undefined) {
    return undefined;
  }
  // Loaded, and zod with it, only when there is a file: most runs find none.
  const schema: EntrySchema = require("./entry-schema.js");
  try {
    return parse(schema, JSON.parse(bytes.toString("utf8")));
  } catch (error) {
    throw files.unreadable(file, error);
  }
}
