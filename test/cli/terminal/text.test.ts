import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { cutToWidth, displayText, displayWidth } from "../../../src/cli/terminal/text.js";

describe("text in a terminal", () => {
  test.each([
    ["plain", "ad-blocker", "ad-blocker"],
    ["CJK, accents and emoji of several characters", "環境 é 👩‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿 1️⃣", "環境 é 👩‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿 1️⃣"],
    ["joiners inside a word", "می‌خواهم", "می‌خواهم"],
    ["a color escape", "a\u001b[31mb", "a\\u001b[31mb"],
    ["the one-character form of an escape", "a\u009b31m", "a\\u009b31m"],
    ["a title escape with a bell", "\u001b]0;x\u0007", "\\u001b]0;x\\u0007"],
    ["line breaks and tabs", "a\r\nb\tc\u2028d", "a\\u000d\\u000ab\\u0009c\\u2028d"],
    ["a change of direction", "a\u202egpj.exe", "a\\u202egpj.exe"],
    ["an invisible character at the beginning", "\u200bx", "\\u200bx"],
    ["half a surrogate pair", "a\ud83d", "a\\ud83d"],
    ["spaces at the ends", "  a b ", "\\u0020\\u0020a b\\u0020"],
    ["a mark without a letter", "\u0301x", "◌\u0301x"],
    ["nothing", "", ""],
  ])("displayed text cannot steer the terminal: %s", (_what, text, shown) => {
    expect(displayText(text)).toBe(shown);
  });

  test.each([
    ["abc", 3],
    ["日本語", 6],
    ["ﾊﾝｶｸ", 4],
    ["ｶﾞ", 2],
    ["한국어".normalize("NFD"), 6],
    ["e\u0301", 1],
    ["👩‍👩‍👧", 2],
    ["👍🏽", 2],
    ["🇩🇪", 2],
    ["❤️", 2],
    ["☎", 1],
    ["نص", 2],
    ["", 0],
  ])("the text %j takes %i cells in a terminal", (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });

  test("every single character has the display width of Unicode", () => {
    // Node's line editor gets widths from ICU, independently of the library.
    const editor = createInterface({ input: new PassThrough(), output: new PassThrough(), prompt: "" });
    const differing: string[] = [];
    for (let code = 0x20; code < 0x20100; code++) {
      const text = String.fromCodePoint(code);
      // The line editor measures the decomposed parts of a character, and the parts of a Korean
      // syllable have no width.
      if (/[\p{C}\u1160-\u11ff\ud7b0-\ud7fb]/u.test(text) || text.normalize() !== text) {
        continue;
      }
      Object.assign(editor, { line: text, cursor: text.length });
      // The line editor gives a mark without a letter the width of a letter.
      const width = /\p{M}/u.test(text) ? 0 : editor.getCursorPos().cols;
      if (displayWidth(text) !== width && !/\p{Mc}/u.test(text)) {
        differing.push(code.toString(16));
      }
    }
    editor.close();
    expect(differing).toEqual([]);
  });

  test("cut text ends in an ellipsis, and no character is cut in half", () => {
    expect(cutToWidth("abcdef", 6)).toBe("abcdef");
    expect(cutToWidth("abcdef", 5)).toBe("abcd…");
    expect(cutToWidth("日本語", 5)).toBe("日本…");
    expect(cutToWidth("日本語", 4)).toBe("日…");
    expect(cutToWidth("ab cdef", 4)).toBe("ab…");
    expect(cutToWidth("x👩‍👩‍👧y", 3)).toBe("x…");
  });
});
