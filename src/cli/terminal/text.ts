/** Lets a pattern know emoji of several characters. A text to the compiler, since the flag is newer than the language level of the build. */
const unicodeSets: string = "v";

/** One emoji, of however many characters. */
const oneEmoji = new RegExp("^\\p{RGI_Emoji}$", unicodeSets);

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/**
 * Text of the service on one line of a terminal, unable to steer it: control, format and separator characters, broken Unicode and blanks at
 * either end are spelled as escapes (`\u{1b}`). Emoji keep the format characters they are made of, words the joiners of their script.
 */
export function displayText(text: string): string {
  const shown = Array.from(graphemes.segment(text), ({ segment }) => displayGrapheme(segment)).join("");
  return shown.replace(/^\p{Zs}+|\p{Zs}+$/gu, (blanks) => Array.from(blanks, escapeCharacter).join(""));
}

/** Cells that text takes in a terminal. Not for text with colours in it. */
export function displayWidth(text: string): number {
  return Array.from(graphemes.segment(text)).reduce(
    (width, { segment }) => width + graphemeWidth(segment),
    0,
  );
}

/** Text cut to at most `width` cells, with an ellipsis where something is missing. No character is cut in two. */
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

function displayGrapheme(grapheme: string): string {
  if (oneEmoji.test(grapheme)) {
    return grapheme;
  }
  const safe = grapheme.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (character, index: number) =>
    index > 0 && /[\u200c\u200d]/.test(character) ? character : escapeCharacter(character),
  );
  // A mark with nothing before it would join what stands to its left in the line.
  return /^\p{M}/u.test(safe) ? `◌${safe}` : safe;
}

function escapeCharacter(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

function graphemeWidth(grapheme: string): number {
  if (oneEmoji.test(grapheme)) {
    return 2;
  }
  let width = 0;
  for (const character of grapheme) {
    width += characterWidth(character);
  }
  return width;
}

/** Marks and format characters, and the vowels and final consonants that a Korean syllable is made of. */
const noCells = /[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff\ud7b0-\ud7fb]/u;

/** Half-width forms of wide scripts, narrow tone marks of Bopomofo, and numbers in black squares among wide ones in circles. */
const oneCell = /[\uff61-\uffdc\u02ea\u02eb\u3248-\u324f]/u;

/**
 * What Unicode calls wide or full-width: East Asian scripts and emoji, which V8 knows, and beside them blocks of symbols and punctuation.
 * A test compares it with ICU's table for every character there is.
 */
const twoCells =
  /[\p{Emoji_Presentation}\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Bopo}\p{sc=Yi}\p{sc=Tang}\p{sc=Nshu}\p{sc=Kits}\u2329\u232a\u2630-\u2637\u268a-\u268f\u2ff0-\u303e\u3099-\u33ff\u4dc0-\u4dff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{16fff}\u{1d300}-\u{1d376}\u{1f200}-\u{1f265}]/u;

function characterWidth(character: string): number {
  if (noCells.test(character)) {
    return 0;
  }
  return !oneCell.test(character) && twoCells.test(character) ? 2 : 1;
}
