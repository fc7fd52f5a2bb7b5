import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { cutToWidth, displayText, displayWidth } from "../../src/cli/terminal/text.js";

describe("text in a terminal", () => {
  test.each([
    ["plain", "ad-blocker", "ad-blocker"],
    ["CJK, accents and emoji of several characters", "環境 é 👩‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿 1️⃣", "環境 é 👩‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿 1️⃣"],
    ["joiners inside a word", "می‌خواهم", "می‌خواهم"],
    ["a colour escape", "a\u001b[31mb", "a\\u{1b}[31mb"],
    ["the one-character form of an escape", "a\u009b31m", "a\\u{9b}31m"],
    ["a title escape with a bell", "\u001b]0;x\u0007", "\\u{1b}]0;x\\u{7}"],
    ["line breaks and tabs", "a\r\nb\tc\u2028d", "a\\u{d}\\u{a}b\\u{9}c\\u{2028}d"],
    ["a change of direction", "a\u202egpj.exe", "a\\u{202e}gpj.exe"],
    ["an invisible character at the beginning", "\u200bx", "\\u{200b}x"],
    ["half a surrogate pair", "a\ud83d", "a\\u{d83d}"],
    ["blanks at the ends", "  a b ", "\\u{20}\\u{20}a b\\u{20}"],
    ["a mark without a letter", "\u0301x", "◌\u0301x"],
    ["nothing", "", ""],
  ])("%s is shown so that it cannot steer it", (_what, text, shown) => {
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
  ])("%j takes %i cells", (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });

  test("every single character takes the cells that Unicode says", () => {
    // Node's line editor knows them from ICU, so it is a judge of its own.
    const editor = createInterface({ input: new PassThrough(), output: new PassThrough(), prompt: "" });
    const differing: string[] = [];
    for (let code = 0x20; code < 0x20100; code++) {
      const text = String.fromCodePoint(code);
      // What Unicode takes apart is judged by its parts there, and the parts of a Korean syllable have no width of their own.
      if (/[\p{C}\u1160-\u11ff\ud7b0-\ud7fb]/u.test(text) || text.normalize() !== text) {
        continue;
      }
      Object.assign(editor, { line: text, cursor: text.length });
      // It moves marks that stand alone by the letter they are made for.
      const width = /\p{M}/u.test(text) ? 0 : editor.getCursorPos().cols;
      if (displayWidth(text) !== width && !/\p{Mc}/u.test(text)) {
        differing.push(code.toString(16));
      }
    }
    editor.close();
    expect(differing).toEqual([]);
  });

  test("a cut leaves an ellipsis, and no half of a character", () => {
    expect(cutToWidth("abcdef", 6)).toBe("abcdef");
    expect(cutToWidth("abcdef", 5)).toBe("abcd…");
    expect(cutToWidth("日本語", 5)).toBe("日本…");
    expect(cutToWidth("日本語", 4)).toBe("日…");
    expect(cutToWidth("ab cdef", 4)).toBe("ab…");
    expect(cutToWidth("x👩‍👩‍👧y", 3)).toBe("x…");
  });
});
