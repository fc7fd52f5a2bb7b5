import { isUtf8 } from "node:buffer";
import { escapeControls, oneLine, quote, shorten } from "../../text/escape.js";
import { sizeText } from "../../text/words.js";
import { Fraction, type JsonDialect, parseChromiumJson } from "./grammar/chromium-json.js";

/** Largest accepted manifest, messages file or schema of managed storage, in bytes: 1 MiB. */
export const manifestBytesMax = 1024 * 1024;

/** Maximum length of a member's value in messages, in characters. */
const valueCharactersMax = 60;

/** Reason why a path does not ship. */
export interface Exclusion {
  /** Predicate for the path as subject: `is excluded by "exclude"`. */
  readonly reason: string;
  /** Whether a pattern of the program excludes the path, not a rule of this package. */
  readonly byProgram: boolean;
}

/** How the files of an extension are read. `F`: the file, or its path. */
export interface FileSource<F> {
  readonly read: (file: F) => Promise<Uint8Array>;
  /** Reason why a path does not ship; undefined without a rule. */
  readonly exclusionOf: (path: string) => Exclusion | undefined;
  /**
   * Whether an earlier check accepted the same contents. Content scripts, rulesets, the schema of
   * managed storage, and locales that the name does not need are then not read. Default: false.
   */
  readonly isKnown?: boolean;
}

export interface ShippedFiles extends FileSource<string> {
  /** Sizes in bytes, by path, including `manifest.json`. */
  readonly sizes: ReadonlyMap<string, number>;
}

export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Fraction);
}

export function isNonEmptyString(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** Reads a JSON file. Returns the object, or the problem as the end of a sentence. */
export async function readJsonObject(
  files: ShippedFiles,
  path: string,
  dialect: JsonDialect = {},
): Promise<JsonObject | string> {
  if ((files.sizes.get(path) ?? 0) > manifestBytesMax) {
    return `is larger than ${sizeText(manifestBytesMax)}`;
  }
  try {
    const json = parseChromiumJson(textOf(await files.read(path)), dialect);
    return isJsonObject(json) ? json : "is not a JSON object";
  } catch (error) {
    return invalidJson(error);
  }
}

/** Decodes a JSON file without the byte order mark. Throws an `Error` if not UTF-8. */
export function textOf(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) {
    throw new Error("it is not UTF-8");
  }
  return new TextDecoder().decode(bytes);
}

/** Describes the problem of invalid JSON, as the end of a sentence. */
export function invalidJson(error: unknown): string {
  // The parser's message may quote arbitrary characters from the file.
  return `is not valid JSON: ${oneLine((error as Error).message)}`;
}

/** Formats the value of a member for a message, shortened. */
export function valueText(value: unknown): string {
  if (value === undefined) {
    return "; it is missing";
  }
  const shown =
    typeof value === "string"
      ? quote(value, valueCharactersMax)
      : escapeControls(shorten(JSON.stringify(value), valueCharactersMax));
  return `; it is ${shown}`;
}
