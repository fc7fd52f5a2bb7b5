import {
  escapeControls,
  oneLine,
  quote,
  quotePath,
  quotePathBytes,
  shorten,
} from "../../../src/text/escape.js";

describe("escaping of foreign text", () => {
  test.each([
    ["plain text", "ad-blocker 2", "ad-blocker 2"],
    ["letters of any script", "環境 é ที่", "環境 é ที่"],
    ["a colour escape", "a\u001b[31mb", "a\\u001b[31mb"],
    ["the one-character form of an escape", "a\u009b31m", "a\\u009b31m"],
    ["line breaks, tabs and separators", "a\r\nb\tc\u2028d\u2029", "a\\u000d\\u000ab\\u0009c\\u2028d\\u2029"],
    ["a change of direction", "a\u202egpj.exe", "a\\u202egpj.exe"],
    ["invisible characters", "a\u200bb\ufeff\u00ad", "a\\u200bb\\ufeff\\u00ad"],
    ["a tag character, which has two units", "a\u{e0041}", "a\\udb40\\udc41"],
    ["private use", "\ue000", "\\ue000"],
    ["half a surrogate pair", "a\ud83d", "a\\ud83d"],
  ])("%s in escaped text cannot steer a terminal or hide", (_what, text, escaped) => {
    expect(escapeControls(text)).toBe(escaped);
    expect(JSON.parse(`"${escaped}"`)).toBe(text);
  });

  test("escapeControls keeps the characters that the caller allows", () => {
    expect(escapeControls("\n\u200d\u001b\n", (character, index) => character === "\n" && index > 0)).toBe(
      "\\u000a\\u200d\\u001b\n",
    );
  });

  test.each([
    ["Staging", '"Staging"'],
    ["sta\u0301ging", '"sta\\u0301ging"'],
    ["st\u00e1ging", '"st\u00e1ging"'],
    ["staging  ", '"staging\\u0020\\u0020"'],
    [" two  words ", '"\\u0020two\\u0020\\u0020words\\u0020"'],
    ["no\u00a0break", '"no\\u00a0break"'],
    ['a "b" \\u0020', '"a \\"b\\" \\\\u0020"'],
    ["\u001b]0;x\u0007", '"\\u001b]0;x\\u0007"'],
    ["", '""'],
  ])("quote shows %j differently from names that look alike", (name, quoted) => {
    expect(quote(name)).toBe(quoted);
  });

  test("quote cuts a long name, and never within a character", () => {
    expect(quote("x".repeat(80))).toBe(`"${"x".repeat(80)}"`);
    expect(quote("x".repeat(81))).toBe(`"${"x".repeat(80)}"…`);
    expect(quote("abc😀d", 4)).toBe('"abc"…');
    expect(quote("abc😀d", 5)).toBe('"abc😀"…');
  });

  test("quotePath shows up to 300 characters, and quotePathBytes shows bytes that are not UTF-8", () => {
    expect(quotePath("x".repeat(301))).toBe(`"${"x".repeat(300)}"…`);
    expect(quotePathBytes(Buffer.from([0x61, 0xff, 0x22, 0x1b, 0x7e]))).toBe('"a\\xff\\x22\\x1b~"');
    expect(quotePathBytes(Buffer.alloc(301, "x"))).toBe(`"${"x".repeat(300)}"…`);
  });

  test.each([
    ["  a\r\n\t b\u2028c\u00a0 d ", "a b c d"],
    ["a\u001b\u0000[31mb", "a [31mb"],
    ["\u202e\u200b", ""],
  ])("oneLine puts %j on one line", (text, line) => {
    expect(oneLine(text)).toBe(line);
  });

  test("oneLine cuts a long text after joining the lines, and shorten never cuts within a character", () => {
    expect(oneLine(" a \n\n b ", 3)).toBe("a b");
    expect(oneLine("a b c", 3)).toBe("a b…");
    expect(shorten("ab😀", 3)).toBe("ab…");
    expect(shorten("ab😀", 4)).toBe("ab😀");
  });
});
