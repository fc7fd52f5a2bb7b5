import { ArchiveError } from "../../errors.js";
import { escapeControls, oneLine, quote, shorten } from "../../text/escape.js";
import { listed, sizeText } from "../../text/words.js";
import { fileProblems } from "./files.js";
import { parseJsonWithComments } from "./json.js";
import { resolveName } from "./name.js";

/** Largest `manifest.json` or `messages.json` that is read, in bytes: 1 MiB. */
export const manifestBytesMax = 1024 * 1024;

/** Most problems one error lists; the rest is counted. */
const problemsListedMax = 10;

/** Longest value of a member that a message shows, in characters. */
const gotCharactersMax = 60;

/** What the manifest says of the extension as a whole. */
export interface ManifestSummary {
  /** As a user reads it: a `__MSG_…__` name is looked up in the default locale. */
  readonly name: string;
  /** One to four numbers with dots between: `1.4.0`. */
  readonly version: string;
}

/** The files that ship, as the checks see them. */
export interface ShippedFiles {
  /** For messages: `Folder "./extension"`. */
  readonly label: string;
  /** Paths of the files that ship, `manifest.json` among them. */
  readonly paths: ReadonlySet<string>;
  /** Contents of a file that ships. */
  readonly read: (path: string) => Promise<Uint8Array>;
  /** Size of a file that ships, in bytes. */
  readonly sizeOf: (path: string) => number;
  /**
   * Why a path does not ship although it may exist: `is left out by "exclude"`. Undefined when
   * nothing says so.
   */
  readonly whyLeftOut: (path: string) => string | undefined;
}

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Checks an extension's manifest the way a browser would on load: it parses, says a known
 * `manifest_version`, has a name and a version, and every file it names ships. Unknown members are
 * left alone.
 *
 * Throws `ArchiveError` `archive_manifest_invalid` that lists everything found.
 */
export async function checkManifest(files: ShippedFiles): Promise<ManifestSummary> {
  const manifest = await readJsonObject(files, "manifest.json");
  if (typeof manifest === "string") {
    throw new ArchiveError("archive_manifest_invalid", `${files.label}: manifest.json ${manifest}.`);
  }
  const problems: string[] = [];
  if (manifest.manifest_version !== 2 && manifest.manifest_version !== 3) {
    problems.push(`"manifest_version" has to be the number 2 or 3${got(manifest.manifest_version)}`);
  }
  const name = await resolveName(manifest, files);
  if ("problem" in name) {
    problems.push(name.problem);
  }
  const version = manifest.version;
  if (!isVersion(version)) {
    problems.push(
      '"version" has to be a text of one to four numbers from 0 to 65535 with dots between and no leading zeros, ' +
        `for instance "1.4.0"${got(version)}`,
    );
  }
  problems.push(...fileProblems(manifest, files));
  if (problems.length > 0 || "problem" in name || !isVersion(version)) {
    throw new ArchiveError(
      "archive_manifest_invalid",
      `${files.label}: manifest.json would not load. ${listed(problems, problemsListedMax, "; ")}.`,
    );
  }
  return { name: name.name, version };
}

/** A JSON file of the extension, or what is wrong with it as the end of a sentence. */
export async function readJsonObject(files: ShippedFiles, path: string): Promise<JsonObject | string> {
  if (files.sizeOf(path) > manifestBytesMax) {
    return `is larger than ${sizeText(manifestBytesMax)}`;
  }
  const bytes = await files.read(path);
  try {
    const json = parseJsonWithComments(bytes);
    return isJsonObject(json) ? json : "is not a JSON object";
  } catch (error) {
    // The parser's message quotes from the file, which may hold anything.
    return `is not valid JSON: ${oneLine((error as Error).message)}`;
  }
}

function isVersion(version: unknown): version is string {
  return (
    typeof version === "string" &&
    /^(?:0|[1-9]\d{0,4})(?:\.(?:0|[1-9]\d{0,4})){0,3}$/.test(version) &&
    version.split(".").every((number) => Number(number) <= 65_535)
  );
}

/** The value of a member, short enough for a message. */
export function got(value: unknown): string {
  if (value === undefined) {
    return "; it is missing";
  }
  const shown =
    typeof value === "string"
      ? quote(value, gotCharactersMax)
      : escapeControls(shorten(JSON.stringify(value), gotCharactersMax));
  return `; it is ${shown}`;
}
