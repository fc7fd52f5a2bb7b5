import { type JournalFiles, Unusable } from "../journal/files.js";
import type { NotedEntry, RemovalList } from "./entry.js";

/** The layout of the journal's files. */
export const version = 1;

/** Undefined when there is no such file. Throws `LocalError` `journal_unreadable`. */
export function readEntry(files: JournalFiles, file: string): NotedEntry | undefined {
  const entry = read(files, file, (parsers) => parsers.entry);
  return entry && { ...entry, file };
}

/** The same for a list of deletions. */
export function readRemovals(files: JournalFiles, file: string): RemovalList | undefined {
  return read(files, file, (parsers) => parsers.removals);
}

type Parsers = typeof import("./entry-schema.js").parsers;

function read<T>(files: JournalFiles, file: string, parserOf: (parsers: Parsers) => (json: unknown) => T) {
  const bytes = files.read(file);
  if (bytes === undefined) {
    return undefined;
  }
  // Loaded, and zod with it, only when there is a file: most runs find none.
  const { parsers }: typeof import("./entry-schema.js") = require("./entry-schema.js");
  try {
    return parserOf(parsers)(ofThisVersion(JSON.parse(bytes.toString("utf8"))));
  } catch (error) {
    throw files.unreadable(file, error);
  }
}

function ofThisVersion(json: { readonly version?: unknown } | null): unknown {
  const found = json?.version;
  if (typeof found === "number" && found !== version) {
    throw new Unusable(
      `another version of pulumi-browser-infra wrote it, with layout ${found} of the journal`,
      "Deploy with that version once, and then with this one",
    );
  }
  return json;
}
