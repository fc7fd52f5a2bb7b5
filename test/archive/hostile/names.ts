/** Names that no extension may have, in a folder or in a ready zip. */
interface RefusedNames {
  /** Completes "a folder with …". */
  readonly what: string;
  /** Paths of files. A name may consist of bytes. */
  readonly names: readonly (string | Buffer)[];
  readonly code: string;
  readonly text: string;
}

const namesElsewhere = (
  [
    ["with .. and backslashes", "..\\..\\x.js", "has the character \\"],
    ["with a backslash", "a\\b.js", "has the character \\"],
    ["with a drive letter", "C:x.js", "has the character :"],
    ["with a drive letter and backslashes", "C:\\x.js", "has the character :"],
    ["with a stream of Windows", "a.js:stream", "has the character :"],
    ["with an asterisk", "a*.js", "has the character *"],
    ["with a question mark", "a?.js", "has the character ?"],
    ["with a double quote", 'a".js', 'has the character "'],
    ["with an angle bracket", "a<.js", "has the character <"],
    ["with a closing angle bracket", "a>.js", "has the character >"],
    ["with a pipe character", "a|.js", "has the character |"],
    ["with an escape sequence", "a\u001b[31m.js", "\\u001b"],
    ["with a line break", "a\nb.js", "has a control character"],
    ["with a C1 control character", "a\u009b.js", "has a control character"],
    ["of three dots", ".../x.js", "ends in a dot or a space"],
    ["that ends in a dot", "a.", "ends in a dot or a space"],
    ["that ends in a space", "a /b", "ends in a dot or a space"],
    ["of a device of Windows", "aux", "reserved on Windows"],
    ["of a device, with an ending", "lib/NUL.js", "reserved on Windows"],
    ["of a device, as a folder", "con/a.js", "reserved on Windows"],
    ["of a serial port", "COM1.js", "reserved on Windows"],
    ["of a printer, with a superscript digit", "lpt²", "reserved on Windows"],
    ["of the console's input", "conin$", "reserved on Windows"],
  ] satisfies [string, string, string][]
).map(
  ([what, name, text]): RefusedNames => ({
    what: `a name ${what}`,
    names: [name],
    code: "archive_name_not_portable",
    text,
  }),
);

const confusedNames = (
  [
    ["two files in two letter cases", ["Read.js", "read.js"], "archive_name_collision", 'with "Read.js"'],
    ["two folders in two letter cases", ["Icons/a", "icons/b"], "archive_name_collision", 'with "Icons"'],
    ["a file and a folder in two letter cases", ["Icons", "icons/b"], "archive_name_collision", '"Icons"'],
    ["a Kelvin sign next to a k", ["k.js", "\u212a.js"], "archive_name_not_nfc", "composed form"],
    ["umlauts in two letter cases", ["ä.js", "Ä.js"], "archive_name_collision", '"Ä.js"'],
    ["a decomposed name", ["e\u0301.js"], "archive_name_not_nfc", "composed form"],
    ["a name that is not UTF-8", [Buffer.from([0x61, 0xff])], "archive_name_not_utf8", '"a\\xff"'],
    [
      "an overlong slash in a name",
      [Buffer.from([0x2e, 0x2e, 0xc0, 0xaf, 0x78])],
      "archive_name_not_utf8",
      '"..\\xc0\\xafx"',
    ],
    ["half a surrogate pair", [Buffer.from([0xed, 0xa0, 0x80])], "archive_name_not_utf8", "\\xed"],
    [
      "a path of more than 255 bytes",
      [`${"é".repeat(70)}/${"é".repeat(60)}`],
      "archive_name_too_long",
      "261 bytes",
    ],
  ] satisfies [string, (string | Buffer)[], string, string][]
).map(([what, names, code, text]): RefusedNames => ({ what, names, code, text }));

/** All refused names of the tests. */
export const refusedNames: readonly RefusedNames[] = [...namesElsewhere, ...confusedNames];
