/**
 * The one escaping of foreign text. Names and messages of a service, a website or an archive may
 * hold anything. Before one gets into a message, a table or a log, a function of this file makes
 * sure that it cannot steer a terminal, hide part of itself or pass for another.
 */

/** Longest quoted name, in characters. Longer ones are identified by their ids. */
const quotedCharactersMax = 80;

/** Longest quoted path, in characters. A file is identified by nothing else. */
const quotedPathCharactersMax = 300;

/**
 * The members of a character class that nothing may print as they are: control and format
 * characters, broken Unicode, private-use and unassigned characters, line and paragraph separators.
 */
const unsafe = String.raw`\p{C}\p{Zl}\p{Zp}`;

const unsafeCharacters = new RegExp(`[${unsafe}]`, "gu");

/** In a name also combining marks, and spaces other than a single one between words. */
const deceptiveCharacters = new RegExp(String.raw`^ +| +$| {2,}|(?! )\p{Z}|[${unsafe}\p{M}]`, "gu");

const spaceAndUnsafe = new RegExp(String.raw`[${unsafe}\p{Z}]+`, "gu");

/** Text with every character spelled as JSON and JavaScript do: `\u001b`. */
export function escapeAll(text: string): string {
  return Array.from(
    { length: text.length },
    (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, "0")}`,
  ).join("");
}

/**
 * Text with every unsafe character escaped (`\u001b`), and otherwise as it is. What `keep` answers
 * true for stays; it gets the character and its index.
 */
export function escapeControls(
  text: string,
  keep: (character: string, index: number) => boolean = () => false,
): string {
  return text.replace(unsafeCharacters, (character, index: number) =>
    keep(character, index) ? character : escapeAll(character),
  );
}

/**
 * A whole message that is safe to print: every unsafe character is escaped, and only its own line
 * breaks stay. The last guard of every message, for foreign text that nothing has quoted.
 */
export function safeMessage(message: string): string {
  return escapeControls(message, (character) => character === "\n");
}

/**
 * A name in double quotes, on one line. Everything that the eye would miss is escaped: unsafe
 * characters, combining marks, and spaces other than a single one between words. So two names that
 * only look alike look different. A name longer than `charactersMax` is cut and followed by "…".
 * Default: 80 characters.
 */
export function quote(name: string, charactersMax = quotedCharactersMax): string {
  const shown = firstCharacters(name, charactersMax);
  const escaped = shown.replace(/["\\]/g, "\\$&").replace(deceptiveCharacters, escapeAll);
  return `"${escaped}"${shown.length < name.length ? "…" : ""}`;
}

/** A path in double quotes, as {@link quote} does it, with at most 300 characters. */
export function quotePath(path: string): string {
  return quote(path, quotedPathCharactersMax);
}

/**
 * A path that is not valid UTF-8, in double quotes: printable ASCII as it is, `\xNN` for every
 * other byte. At most 300 bytes are shown.
 */
export function quotePathBytes(path: Uint8Array): string {
  const shown = Array.from(path.subarray(0, quotedPathCharactersMax), (byte) =>
    byte >= 0x20 && byte < 0x7f && byte !== 0x22
      ? String.fromCharCode(byte)
      : `\\x${byte.toString(16).padStart(2, "0")}`,
  );
  return `"${shown.join("")}"${path.length > quotedPathCharactersMax ? "…" : ""}`;
}

/**
 * Text on one line: each run of whitespace and unsafe characters becomes one space, and none is
 * left at either end. Text longer than `charactersMax` is cut and ends with "…". Default: no limit.
 */
export function oneLine(text: string, charactersMax = Number.POSITIVE_INFINITY): string {
  return shorten(text.replace(spaceAndUnsafe, " ").trim(), charactersMax);
}

/** Text cut to at most `charactersMax` characters, with "…" after it where something is missing. */
export function shorten(text: string, charactersMax: number): string {
  return text.length > charactersMax ? `${firstCharacters(text, charactersMax)}…` : text;
}

/**
 * The beginning of a string. A character of two UTF-16 units is never cut in half; such a character
 * counts as two.
 */
function firstCharacters(text: string, charactersMax: number): string {
  const first = text.slice(0, charactersMax);
  return first.length < text.length ? first.replace(/[\ud800-\udbff]$/, "") : first;
}
