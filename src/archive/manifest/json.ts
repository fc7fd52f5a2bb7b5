import { isUtf8 } from "node:buffer";
import { escapeControls, oneLine, quote, shorten } from "../../text/escape.js";
import { sizeText } from "../../text/words.js";
import { Fraction, type JsonDialect, parseChromiumJson } from "./grammar/chromium-json.js";

/** Largest `manifest.json` or `messages.json` that is read, in bytes: 1 MiB. */
export const manifestBytesMax = 1024 * 1024;

/** Longest value of a member that a message shows, in characters. */
const gotCharactersMax = 60;

/** Why a path does not ship. */
export interface LeftOut {
  /** Completes a sentence whose subject is the path: `is left out by "exclude"`. */
  readonly reason: string;
  /** Whether a pattern of the program leaves the path out, and no rule of this package. */
  readonly byProgram: boolean;
}

/** The files that ship, as the checks see them. */
export interface ShippedFiles {
  /** For messages: `Folder "./extension"`. */
  readonly label: string;
  /** Sizes in bytes, by path; `manifest.json` is among them. */
  readonly sizes: ReadonlyMap<string, number>;
  /** Contents of one of these files. */
  readonly read: (path: string) => Promise<Uint8Array>;
  /** Why a path does not ship; undefined when no rule says so. */
  readonly whyLeftOut: (path: string) => LeftOut | undefined;
}

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Fraction);
}

/** A JSON file of the extension, or what is wrong with it as the end of a sentence. */
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

/** Text of a JSON file without its byte order mark. Throws an `Error` if it is not UTF-8. */
export function textOf(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) {
    throw new Error("it is not UTF-8");
  }
  return new TextDecoder().decode(bytes);
}

/** The problem of JSON that cannot be parsed, as the end of a sentence. */
export function invalidJson(error: unknown): string {
  // The parser's message may quote from the file, which may hold anything.
  return `is not valid JSON: ${oneLine((error as Error).message)}`;
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
