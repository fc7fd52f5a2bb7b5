import { manifestText } from "../fixtures.js";
import { type CraftedEntry, craftedZip, unicodePath } from "../source/crafted-zip.js";
import { refusedNames } from "./names.js";

/** Ready zip that must not be used. */
interface HostileZip {
  /** Completes "a zip …". */
  readonly what: string;
  readonly zip: () => Buffer;
  readonly code: string;
  readonly text: string;
}

const manifest: CraftedEntry = { name: "manifest.json", contents: manifestText() };

/** Small valid zip to damage: a stored file, a deflated file and a folder. */
export const soundZip = craftedZip([
  manifest,
  { name: "z/" },
  { name: "z/a.js", contents: "a".repeat(40), deflated: true },
]);

const invalid = "archive_zip_invalid";

/** Each zip contains a manifest and the given entries. */
function zips(
  rows: readonly (readonly [what: string, entries: readonly CraftedEntry[], code: string, text: string])[],
): HostileZip[] {
  return rows.map(([what, entries, code, text]) => ({
    what,
    zip: () => craftedZip([manifest, ...entries]),
    code,
    text,
  }));
}

const leadsOut = "leads out of the archive or is not a plain path";
const names = zips([
  ...[
    "../x",
    "../",
    "a/../../x",
    "a/..",
    "..\\x",
    "a\\..\\..\\x",
    "/etc/x",
    "//host/x",
    "\\x",
    "\\\\host\\x",
    "C:\\x",
    "C:/x",
    "C:x",
    "./x",
    ".",
    "a/./b",
    "a//b",
    "/",
    "",
  ].map((name) => [`with the name ${JSON.stringify(name)}`, [{ name }], invalid, leadsOut] as const),
  ["with a backslash", [{ name: "a\\b" }], "archive_name_not_portable", "the character \\"],
  ["with a NUL in a name", [{ name: "a\0b" }], "archive_name_not_portable", "a control character"],
  ["with an escape sequence in a name", [{ name: "\u001b[2J" }], "archive_name_not_portable", "\\u001b"],
  ["with a path of 256 bytes", [{ name: "a".repeat(256) }], "archive_name_too_long", "256 bytes"],
  [
    "with a path of 65,534 bytes",
    [{ name: "a/".repeat(32_767) }],
    "archive_name_too_long",
    "a path of 65533 bytes",
  ],
  [
    "with a name that is not UTF-8",
    [{ name: Buffer.from([0x61, 0xff]) }],
    "archive_name_not_utf8",
    '"a\\xff"',
  ],
  [
    "with an overlong slash in a name",
    [{ name: Buffer.from([0x2e, 0x2e, 0xc0, 0xaf, 0x78]) }],
    "archive_name_not_utf8",
    '"..\\xc0\\xafx"',
  ],
]);

/** The names that a folder may not have either. */
const namesAsInFolders = zips(
  refusedNames.map(({ what, names, code, text }) => {
    const leaves = names.some((name) => /^[A-Za-z]:|\.\.\\/.test(String(name)));
    const entries = names.map((name) => ({ name }));
    return leaves ? [`with ${what}`, entries, invalid, leadsOut] : [`with ${what}`, entries, code, text];
  }),
);

const kinds = zips([
  ["with a link", [{ name: "l", contents: "/etc/passwd", mode: 0o120777 }], "archive_symlink", '"l"'],
  [
    "with a link that a later entry goes through",
    [
      { name: "l", contents: "/tmp", mode: 0o120777 },
      { name: "l/x", contents: "x" },
    ],
    invalid,
    "as both a file and a folder",
  ],
  ["with a link as a folder", [{ name: "l/", mode: 0o120777 }], "archive_symlink", '"l"'],
  ["with a pipe", [{ name: "p", mode: 0o010644 }], "archive_special_file", '"p"'],
  ["with a socket", [{ name: "s", mode: 0o140644 }], "archive_special_file", '"s"'],
  ["with a device", [{ name: "d", mode: 0o020644 }], "archive_special_file", '"d"'],
  ["with a disk", [{ name: "d", mode: 0o060644 }], "archive_special_file", '"d"'],
]);

const twice = zips([
  ["with two manifests", [manifest], invalid, "appears twice"],
  [
    "with a name twice, with two contents",
    [
      { name: "a", contents: "x" },
      { name: "a", contents: "y" },
    ],
    invalid,
    "appears twice",
  ],
  ["with a folder twice", [{ name: "a/" }, { name: "a/" }], invalid, "appears twice"],
  [
    "with a file that is also a folder",
    [{ name: "a" }, { name: "a/b" }],
    invalid,
    "both a file and a folder",
  ],
  [
    "with a folder that is also a file",
    [{ name: "a/b" }, { name: "a" }],
    invalid,
    "both a file and a folder",
  ],
  ...(["extra", "localExtra"] as const).flatMap((where) => [
    [
      `with a second name in a Unicode Path field (${where})`,
      [{ name: "good.js", [where]: unicodePath("good.js", "evil.js") }],
      invalid,
      '"evil.js", in an extra field (Info-ZIP Unicode Path)',
    ] as const,
    [
      `with a second name after other fields, with a wrong version and checksum (${where})`,
      [{ name: "a", [where]: Buffer.concat([Buffer.from([9, 9, 1, 0, 7]), unicodePath("b", "../x", 2)]) }],
      invalid,
      '"../x", in an extra field (Info-ZIP Unicode Path)',
    ] as const,
  ]),
  [
    "with a second name of a folder",
    [{ name: "a/", extra: unicodePath("a/", "evil.js") }],
    invalid,
    '"evil.js", in an extra field (Info-ZIP Unicode Path)',
  ],
  [
    "with two names for one file",
    [{ name: "good.js", localName: "evil.js" }],
    invalid,
    '"evil.js", in its local header',
  ],
]);

const claims: readonly HostileZip[] = [
  ...zips([
    [
      "that claims 4 GB",
      [{ name: "a", contents: "xx", deflated: true, sizeBytes: 0xfffffff0 }],
      invalid,
      "would unpack to 4.0 GiB",
    ],
    [
      "that claims 512 MiB three times",
      ["a", "b", "c"].map((name) => ({ name, contents: "xx", deflated: true, sizeBytes: 2 ** 29 }) as const),
      invalid,
      "more than 1000 times the size of the zip",
    ],
    [
      "that unpacks to a thousand times its size",
      [{ name: "a", contents: Buffer.alloc(40_000_000), deflated: true }],
      invalid,
      "more than 1000 times the size of the zip",
    ],
    [
      "that unpacks to more than it claims",
      [{ name: "a", contents: Buffer.alloc(1_000_000), deflated: true, sizeBytes: 10 }],
      invalid,
      '"a" cannot be unpacked',
    ],
    [
      "that unpacks to less than it claims",
      [{ name: "a", contents: "x".repeat(50), deflated: true, sizeBytes: 60 }],
      invalid,
      '"a" cannot be unpacked',
    ],
    [
      "whose stored file claims another size",
      [{ name: "a", contents: "xx", sizeBytes: 3 }],
      invalid,
      "size mismatch for stored file",
    ],
    ["with a wrong CRC-32", [{ name: "a", contents: "x", crc32: 1 }], invalid, "do not match their CRC-32"],
  ]),
  {
    what: "with fewer files than it claims",
    zip: () => craftedZip([manifest], 2),
    code: invalid,
    text: "its list of files is damaged",
  },
  {
    what: "that hides a file by its count",
    zip: () => craftedZip([manifest, { name: "../x" }], 1),
    code: invalid,
    text: "its list of files differs from the stated size",
  },
  {
    what: "with bytes between its list of files and its end",
    zip: () => withBefore(craftedZip([manifest]), 22, Buffer.alloc(4)),
    code: invalid,
    text: "its list of files differs from the stated size",
  },
  {
    what: "with bytes after its end",
    zip: () => Buffer.concat([craftedZip([manifest]), Buffer.from("more")]),
    code: invalid,
    text: "it is not a complete zip",
  },
  {
    what: "with a second zip in its comment",
    zip: () => Buffer.concat([withComment(craftedZip([manifest]), 200), craftedZip([manifest])]),
    code: invalid,
    text: "zip",
  },
  {
    what: "with 65,535 files",
    zip: () => craftedZip([manifest], 65_535),
    code: "archive_too_many_files",
    text: "has 65535 entries; the maximum is 65534",
  },
];

/** Inserts bytes into a zip, `bytesBeforeEnd` bytes before the end. */
function withBefore(zip: Buffer, bytesBeforeEnd: number, inserted: Buffer): Buffer {
  const at = zip.length - bytesBeforeEnd;
  return Buffer.concat([zip.subarray(0, at), inserted, zip.subarray(at)]);
}

/** Zip that announces a comment of `bytes` bytes. */
function withComment(zip: Buffer, bytes: number): Buffer {
  zip.writeUInt16LE(bytes, zip.length - 2);
  return zip;
}

const unreadable = zips([
  [
    "with an encrypted file",
    // Encryption puts twelve more bytes in front of the data.
    [{ name: "s", contents: "x".repeat(13), sizeBytes: 1, flags: 0x0801 }],
    invalid,
    '"s" is encrypted',
  ],
  [
    "with a strongly encrypted file",
    [{ name: "s", contents: "x", flags: 0x0841 }],
    invalid,
    "strong encryption",
  ],
  ...[1, 9, 12, 14, 93, 99].map(
    (method) =>
      [
        `compressed by method ${method}`,
        [{ name: "s", contents: "x", method }],
        invalid,
        `method ${method}`,
      ] as const,
  ),
  [
    "whose deflated data is none",
    [{ name: "s", contents: "\xff\xff\xff", method: 8 }],
    invalid,
    '"s" cannot be unpacked',
  ],
]);

const noExtension = (
  [
    ["of text", () => Buffer.from("hello"), invalid, "it is not a complete zip"],
    ["of no bytes", () => Buffer.alloc(0), invalid, "it is not a complete zip"],
    ["of zeros", () => Buffer.alloc(1_000), invalid, "it is not a complete zip"],
    [
      "without a manifest",
      () => craftedZip([{ name: "a.js" }]),
      "archive_manifest_missing",
      "no manifest.json",
    ],
    ["without files", () => craftedZip([]), "archive_manifest_missing", "no manifest.json"],
    [
      "of the folder, not of its contents",
      () => craftedZip([{ name: "ext/manifest.json", contents: manifestText() }]),
      "archive_manifest_missing",
      'the nearest manifest is in "ext/"',
    ],
    [
      "with a manifest that names a missing file",
      () => craftedZip([{ name: "manifest.json", contents: manifestText({ options_page: "gone.html" }) }]),
      "archive_manifest_invalid",
      '"options_page" names "gone.html", which does not exist',
    ],
    [
      "with a manifest that names a file outside",
      () => craftedZip([{ name: "manifest.json", contents: manifestText({ options_page: "../x.html" }) }]),
      "archive_manifest_invalid",
      '"options_page" names "../x.html", which does not exist',
    ],
  ] satisfies [string, () => Buffer, string, string][]
).map(
  ([what, zip, code, text]): HostileZip => ({
    what,
    zip,
    code,
    text,
  }),
);

/** All hostile zips of the tests. */
export const hostileZips: readonly HostileZip[] = [
  ...names,
  ...namesAsInFolders,
  ...kinds,
  ...twice,
  ...claims,
  ...unreadable,
  ...noExtension,
];
