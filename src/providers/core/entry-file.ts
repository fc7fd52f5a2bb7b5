import { createHash } from "node:crypto";
import type { JournalFiles } from "../journal/files.js";

type EntrySchema = typeof import("./entry-schema.js");

/** The layout of the journal's files. */
export const version = 1;

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

/** The same for the same settings, in whatever order they are. */
export function digestOf(settings: unknown): string {
  const json = JSON.stringify(settings, (_name, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return createHash("sha256").update(json).digest("hex").slice(0, 16);
}

/** The part of a URN that names the stack. */
export function stackOf(urn: string | undefined): string | undefined {
  return urn?.split("::").slice(0, 2).join("::");
}
