/** Values as text for a terminal, for JSON and for a shell. */
import { eastAsianWidth } from "get-east-asian-width";
import { dateTimeMs } from "../../text/date-time.js";
import { escapeAll, escapeControls } from "../../text/escape.js";

/** Flag of regular expressions, newer than the compiler's target. `string` hides the flag. */
const unicodeSets: string = "v";

/** One emoji, of however many characters. */
const oneEmoji = new RegExp("^\\p{RGI_Emoji}$", unicodeSets);

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/**
 * Text of the service on a single line, without control over the terminal: unsafe characters, and
 * spaces at either end, are escaped (`\u001b`). Emoji keep their format characters, and words keep
 * the joiners of their script.
 */
export function displayText(text: string): string {
  const shown = Array.from(graphemes.segment(text), ({ segment }) => displayGrapheme(segment)).join("");
  return shown.replace(/^\p{Zs}+|\p{Zs}+$/gu, escapeAll);
}

function displayGrapheme(grapheme: string): string {
  if (oneEmoji.test(grapheme)) {
    return grapheme;
  }
  const safe = escapeControls(grapheme, (character, index) => index > 0 && /[\u200c\u200d]/.test(character));
  // A mark without a letter would combine with the character to the left on the line.
  return /^\p{M}/u.test(safe) ? `◌${safe}` : safe;
}

/** Width of text in a terminal, in cells. Not for text with colors. */
export function displayWidth(text: string): number {
  return Array.from(graphemes.segment(text)).reduce(
    (width, { segment }) => width + graphemeWidth(segment),
    0,
  );
}

/** Text cut to at most `width` cells, with "…" at the end. No character is cut in half. */
export function cutToWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) {
    return text;
  }
  let kept = "";
  let left = width - 1;
  for (const { segment } of graphemes.segment(text)) {
    left -= graphemeWidth(segment);
    if (left < 0) {
      break;
    }
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/** Marks, format characters, and the vowels and final consonants of a Korean syllable in parts. */
const zeroWidth = /[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff\ud7b0-\ud7fb]/u;

function graphemeWidth(grapheme: string): number {
  return oneEmoji.test(grapheme)
    ? 2
    : Array.from(grapheme).reduce((width, character) => width + characterWidth(character), 0);
}

function characterWidth(character: string): number {
  if (zeroWidth.test(character)) {
    return 0;
  }
  // Unicode calls the letters of flags narrow, but a single letter is shown as an emoji.
  return /\p{Regional_Indicator}/u.test(character) ? 2 : eastAsianWidth(character.codePointAt(0) ?? 0);
}

/** Date-time of the service as a day in UTC: `2026-11-21`; or null. */
export function day(dateTime: string | null): string | null {
  return inUtc(dateTime)?.slice(0, 10) ?? null;
}

/** Date-time of the service to the second, in UTC: `2026-11-21 10:00:00 UTC`; or null. */
export function moment(dateTime: string | null): string | null {
  const text = inUtc(dateTime)?.slice(0, 19).replace("T", " ");
  return text === undefined ? null : `${text} UTC`;
}

function inUtc(dateTime: string | null): string | undefined {
  const ms = dateTime === null ? undefined : dateTimeMs(dateTime);
  return ms === undefined ? undefined : new Date(ms).toISOString();
}

/** Value as JSON, indented by `indent` spaces per level, with unsafe characters escaped. */
export function jsonText(
  value: unknown,
  indent = 0,
  replacer?: (name: string, value: unknown) => unknown,
): string {
  return escapeControls(JSON.stringify(value, replacer, indent), (character) => character === "\n");
}
