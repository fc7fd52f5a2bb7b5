import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packExtension, readExtension } from "../../../src/archive/index.js";
import { InputError } from "../../../src/errors.js";
import { errorOf } from "../../support/error-of.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { fixtures, manifestText } from "../fixtures.js";
import { archiveErrorOf, folderOf, zipFileOf } from "../folders.js";
import { type CraftedEntry, craftedZip } from "./crafted-zip.js";

const manifest: CraftedEntry = { name: "manifest.json", contents: manifestText() };

describe("archive: a ready zip", () => {
  test("is used byte for byte, and listed like a folder", async () => {
    const bytes = craftedZip([{ name: "z/" }, { name: "z/a.js", contents: "a", deflated: true }, manifest]);
    const archive = await packExtension(zipFileOf(bytes));
    expect(Buffer.from(archive.bytes)).toEqual(bytes);
    expect(archive).toMatchObject({
      kind: "zip",
      checksum: createHash("sha256").update(bytes).digest("hex"),
      sizeBytes: bytes.length,
      manifest: { name: "Example", version: "1.0.0" },
      entries: [{ path: "manifest.json" }, { path: "z/a.js", sizeBytes: 1 }],
      leftOut: [],
      leftOutCount: 0,
    });
  });

  test("has the content digest of the folder it was packed from", async () => {
    for (const { files } of fixtures) {
      const packed = await packExtension(folderOf(files));
      const ready = await packExtension(zipFileOf(packed.bytes));
      expect([ready.contentDigest, ready.checksum]).toEqual([packed.contentDigest, packed.checksum]);
    }
  });

  test("gives the same when it is only read", async () => {
    const path = zipFileOf(craftedZip([manifest]));
    const {
      bytes: _bytes,
      checksum: _checksum,
      sizeBytes: _sizeBytes,
      ...contents
    } = await packExtension(path);
    expect(await readExtension(path)).toEqual(contents);
  });

  test("may be reached by a link, and end in .ZIP", async () => {
    const path = join(temporaryFolder(), "EXTENSION.ZIP");
    symlinkSync(zipFileOf(craftedZip([manifest])), path);
    expect((await readExtension(path)).kind).toBe("zip");
  });

  test("may be a folder that is called .zip", async () => {
    const folder = join(temporaryFolder(), "extension.zip");
    mkdirSync(folder);
    writeFileSync(join(folder, "manifest.json"), manifestText());
    expect((await readExtension(folder)).kind).toBe("folder");
  });

  test("keeps what a folder would not ship, because its maker chose it", async () => {
    const { entries } = await readExtension(
      zipFileOf(craftedZip([{ name: ".env", contents: "x" }, manifest])),
    );
    expect(entries.map(({ path }) => path)).toEqual([".env", "manifest.json"]);
  });

  test("does not allow exclude, unless it is empty", async () => {
    const path = zipFileOf(craftedZip([manifest]));
    const error = await errorOf(packExtension(path, { exclude: ["a"] }));
    expect(error).toBeInstanceOf(InputError);
    expect(error).toMatchObject({ code: "exclude_with_zip", property: "exclude" });
    expect((await packExtension(path, { exclude: [] })).kind).toBe("zip");
  });

  test.each<[what: string, zip: Buffer, code: string, text: string]>([
    ["no zip", Buffer.from("hello"), "archive_zip_invalid", "it is not a whole zip"],
    ["empty", Buffer.alloc(0), "archive_zip_invalid", "it is not a whole zip"],
    ["cut short", craftedZip([manifest]).subarray(0, 60), "archive_zip_invalid", "it is not a whole zip"],
    ["without a manifest", craftedZip([{ name: "a.js" }]), "archive_manifest_missing", "no manifest.json"],
    [
      "of the folder, not of its contents",
      craftedZip([{ name: "ext/manifest.json", contents: manifestText() }]),
      "archive_manifest_missing",
      'the nearest manifest is in "ext/"',
    ],
    [
      "with a manifest that names a missing file",
      craftedZip([{ name: "manifest.json", contents: manifestText({ options_page: "gone.html" }) }]),
      "archive_manifest_invalid",
      '"options_page" names "gone.html", which does not exist',
    ],
    ...["../x", "a/../../x", "..\\x", "/etc/x", "\\x", "C:\\x", "C:x", "./x", "a//b", ""].map(
      (name): [string, Buffer, string, string] => [
        `with the name ${JSON.stringify(name)}`,
        craftedZip([manifest, { name }]),
        "archive_zip_invalid",
        "leads out of the extension or is not a plain path",
      ],
    ),
    [
      "with a backslash",
      craftedZip([manifest, { name: "a\\b" }]),
      "archive_name_not_portable",
      "the character \\",
    ],
    [
      "with a path too long",
      craftedZip([manifest, { name: "a".repeat(256) }]),
      "archive_name_too_long",
      "256 bytes",
    ],
    [
      "with a name that is not UTF-8",
      craftedZip([manifest, { name: Buffer.from([0x61, 0xff]) }]),
      "archive_name_not_utf8",
      '"a\\xff"',
    ],
    [
      "with a link",
      craftedZip([manifest, { name: "l", contents: "/etc/passwd", mode: 0o120777 }]),
      "archive_symlink",
      '"l"',
    ],
    ["with a pipe", craftedZip([manifest, { name: "p", mode: 0o010644 }]), "archive_special_file", '"p"'],
    [
      "encrypted",
      // An encrypted entry has twelve bytes more in front of its data.
      craftedZip([manifest, { name: "s", contents: "x".repeat(13), sizeBytes: 1, flags: 0x0801 }]),
      "archive_zip_invalid",
      '"s" is encrypted',
    ],
    [
      "strongly encrypted",
      craftedZip([manifest, { name: "s", contents: "x", flags: 0x0841 }]),
      "archive_zip_invalid",
      "strong encryption",
    ],
    [
      "compressed by an unknown method",
      craftedZip([manifest, { name: "s", contents: "x", method: 12 }]),
      "archive_zip_invalid",
      "method 12",
    ],
    ["with a name twice", craftedZip([manifest, manifest]), "archive_zip_invalid", "there twice"],
    [
      "with a file that is also a folder",
      craftedZip([manifest, { name: "a" }, { name: "a/b" }]),
      "archive_zip_invalid",
      "a file and a folder at once",
    ],
    [
      "with a folder that is also a file",
      craftedZip([manifest, { name: "a/b" }, { name: "a" }]),
      "archive_zip_invalid",
      "a file and a folder at once",
    ],
    [
      "with two names for one file",
      craftedZip([manifest, { name: "good.js", localName: "evil.js" }]),
      "archive_zip_invalid",
      '"evil.js", in front of its data',
    ],
    [
      "with a wrong CRC-32",
      craftedZip([manifest, { name: "a", contents: "x", crc32: 1 }]),
      "archive_zip_invalid",
      "do not have their CRC-32",
    ],
    [
      "that claims 4 GB",
      craftedZip([manifest, { name: "a", contents: "xx", deflated: true, sizeBytes: 0xfffffff0 }]),
      "archive_zip_invalid",
      "claims to unpack to 4.0 GiB",
    ],
    [
      "that claims a thousand times its size",
      craftedZip([manifest, { name: "a", contents: Buffer.alloc(40_000_000), deflated: true }]),
      "archive_zip_invalid",
      "more than 1000 times the size of the zip",
    ],
    [
      "that unpacks to more than it claims",
      craftedZip([manifest, { name: "a", contents: Buffer.alloc(1_000_000), deflated: true, sizeBytes: 10 }]),
      "archive_zip_invalid",
      '"a" cannot be unpacked',
    ],
    ["with a wrong count", craftedZip([manifest], 2), "archive_zip_invalid", "its list of files is damaged"],
    [
      "with 65,535 files",
      craftedZip([manifest], 65_535),
      "archive_too_many_files",
      "has 65535 entries; the maximum is 65534",
    ],
  ])("is refused when it is %s", async (_what, zip, code, text) => {
    const error = await archiveErrorOf(packExtension(zipFileOf(zip)));
    expect(error.message).toContain(text);
    expect(error.code).toBe(code);
  });

  test("is refused above 50 MiB without being read", async () => {
    const path = zipFileOf(Buffer.alloc(0));
    truncateSync(path, 50 * 1024 * 1024 + 1);
    expect(await archiveErrorOf(packExtension(path))).toMatchObject({ code: "archive_too_large" });
  });

  test("may be made by the usual programs", async () => {
    const folder = folderOf(fixtures[1]?.files ?? []);
    const target = join(temporaryFolder(), "python.zip");
    execFileSync("python3", [
      "-m",
      "zipfile",
      "-c",
      target,
      ...["manifest.json", "Zebra.js"].map((name) => join(folder, name)),
    ]);
    const archive = await packExtension(target);
    expect(archive.entries.map(({ path }) => path)).toEqual(["Zebra.js", "manifest.json"]);
    expect(Buffer.from(archive.bytes)).toEqual(readFileSync(target));
  });
});
