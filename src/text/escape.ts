/**
 * Escaping of foreign text. Names and messages of a service, a website or an archive may contain
 * anything. Before foreign text enters a message, a table or a log, a function of this file makes
 * sure that the text cannot steer a terminal, hide a part, or pass for different text.
 */

/** Longest quoted name, in characters. Longer names are identified by ids. */
const quotedCharactersMax = 80;

/** Longest quoted path, in characters. Only the path identifies a file. */
const quotedPathCharactersMax = 300;

/** Characters never printed raw: control, format, broken, private, unassigned, line breaks. */
const unsafe = String.raw`\p{C}\p{Zl}\p{Zp}`;

const unsafeCharacters = new RegExp(`[${unsafe}]`, "gu");

/** Also escaped in a name: combining marks, and all spaces but single spaces between words. */
const deceptiveCharacters = new RegExp(String.raw`^ +| +$| {2,}|(?! )\p{Z}|[${unsafe}\p{M}]`, "gu");

const spaceAndUnsafe = new RegExp(String.raw`[${unsafe}\p{Z}]+`, "gu");

/** Spells every character in the form of JSON and JavaScript: `\u001b`. */
export function escapeAll(text: string): string {
  return Array.from(
    { length: text.length },
    (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, "0")}`,
  ).join("");
}

/** Escapes every unsafe character (`\u001b`), also line breaks, except if `keep` returns true. */
export function escapeControls(
  text: string,
  keep: (character: string, index: number) => boolean = () => false,
): string {
  return text.replace(unsafeCharacters, (character, index: number) =>
    keep(character, index) ? character : escapeAll(character),
  );
}

/**
 * Puts a message on a single line, without unsafe characters. The last guard of every message: with a
 * line break in a name, a stranger could write a whole line of a pipeline's log, such as a command of
 * the pipeline. So no message of ours has a line break.
 */
export function safeMessage(message: string): string {
  return escapeControls(message);
}

/** Quotes the name of a member, unless it consists of letters, digits, `_`, `-` and `$` only. */
export function memberName(name: string): string {
  return /^[\w$-]+$/.test(name) && name.length <= quotedCharactersMax ? name : quote(name);
}

/**
 * Quotes a name on a single line, so that two names that only look alike look different: escapes
 * unsafe characters, combining marks and unusual spaces. Cuts a longer name. Default: 80
 * characters.
 */
export function quote(name: string, charactersMax = quotedCharactersMax): string {
  const shown = firstCharacters(name, charactersMax);
  const escaped = shown.replace(/["\\]/g, "\\$&").replace(deceptiveCharacters, escapeAll);
  return `"${escaped}"${shown.length < name.length ? "…" : ""}`;
}

/** Quotes a path like {@link quote}, with at most 300 characters. */
export function quotePath(path: string): string {
  return quote(path, quotedPathCharactersMax);
}

/** Quotes up to 300 bytes of a path with invalid UTF-8: `\xNN` for all but printable ASCII. */
export function quotePathBytes(path: Uint8Array): string {
  const shown = Array.from(path.subarray(0, quotedPathCharactersMax), (byte) =>
    byte >= 0x20 && byte < 0x7f && byte !== 0x22
      ? String.fromCharCode(byte)
      : `\\x${byte.toString(16).padStart(2, "0")}`,
  );
  return `"${shown.join("")}"${path.length > quotedPathCharactersMax ? "…" : ""}`;
}

/** Puts text on one line, without unsafe characters, and cuts the text as `shorten` does. */
export function oneLine(text: string, charactersMax = Number.POSITIVE_INFINITY): string {
  return shorten(text.replace(spaceAndUnsafe, " ").trim(), charactersMax);
}

/** Cuts text to at most `charactersMax` characters, followed by "…" if text is missing. */
export function shorten(text: string, charactersMax: number): string {
  return text.length > charactersMax ? `${firstCharacters(text, charactersMax)}…` : text;
}

/** Beginning of a string, without half a character of two UTF-16 units. */
function firstCharacters(text: string, charactersMax: number): string {
  const first = text.slice(0, charactersMax);
  return first.length < text.length ? first.replace(/[\ud800-\udbff]$/, "") : first;
}
