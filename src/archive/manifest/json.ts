import { isUtf8 } from "node:buffer";
import { escapeControls, oneLine, quote, shorten } from "../../text/escape.js";
import { sizeText } from "../../text/words.js";

/** Largest `manifest.json` or `messages.json` that is read, in bytes: 1 MiB. */
export const manifestBytesMax = 1024 * 1024;

/** Longest value of a member that a message shows, in characters. */
const gotCharactersMax = 60;

/** The files that ship, as the checks see them. */
export interface ShippedFiles {
  /** For messages: `Folder "./extension"`. */
  readonly label: string;
  /** Sizes in bytes, by path; `manifest.json` is among them. */
  readonly sizes: ReadonlyMap<string, number>;
  /** Contents of one of these files. */
  readonly read: (path: string) => Promise<Uint8Array>;
  /** Why a path does not ship, `is left out by "exclude"`; undefined when no rule says so. */
  readonly whyLeftOut: (path: string) => string | undefined;
}

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A JSON file of the extension, or what is wrong with it as the end of a sentence. */
export async function readJsonObject(files: ShippedFiles, path: string): Promise<JsonObject | string> {
  if ((files.sizes.get(path) ?? 0) > manifestBytesMax) {
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

/**
 * Parses JSON as Chromium reads an extension's files: UTF-8, a byte order mark allowed, and
 * comments anywhere between tokens, but no trailing commas. Comments become spaces, so a position
 * in an error message is one in the file.
 */
function parseJsonWithComments(bytes: Uint8Array): unknown {
  if (!isUtf8(bytes)) {
    throw new Error("it is not UTF-8");
  }
  const text = new TextDecoder().decode(bytes);
  try {
    return JSON.parse(text);
  } catch {
    return JSON.parse(withoutComments(text));
  }
}

function withoutComments(text: string): string {
  // Loaded when it is needed: most manifests have no comments.
  const { default: stripJsonComments }: typeof import("strip-json-comments") = require("strip-json-comments");
  // The library accepts a comment that is not closed. Such a comment swallows this end.
  const end = "\n*/";
  const stripped = stripJsonComments(text + end);
  if (!stripped.endsWith(end)) {
    throw new Error("a comment that begins with /* is not closed");
  }
  return stripped.slice(0, -end.length);
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
