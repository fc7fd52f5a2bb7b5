import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packExtension, readExtension, sha256Of } from "../../../src/archive/index.js";
import { InputError } from "../../../src/errors.js";
import { errorOf } from "../../support/error-of.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { fixtures, manifestText } from "../fixtures.js";
import { archiveErrorOf, folderOf, zipFileOf } from "../folders.js";
import { type CraftedEntry, craftedZip } from "./crafted-zip.js";

const manifest: CraftedEntry = { name: "manifest.json", contents: manifestText() };

/** Bytes before the zip of a packed extension: the lengths of the leading parts, then the parts. */
function packed(version: number, ...parts: readonly string[]): Buffer {
  const numbers = Buffer.alloc(8 + parts.length * 4);
  numbers.write("Cr24", 0);
  [version, ...parts.map(({ length }) => length)].forEach((number, index) => {
    numbers.writeUInt32LE(number, 4 + index * 4);
  });
  return Buffer.concat([numbers, Buffer.from(parts.join(""))]);
}

describe("archive: a ready zip", () => {
  test.each([
    ["version 3", ".crx", packed(3, "a header")],
    ["version 2", ".crx", packed(2, "a public key", "a signature")],
    ["version 3 that is named as a zip", ".zip", packed(3, "")],
  ])("a packed extension of %s is read as the zip inside", async (_what, ending, header) => {
    const zip = craftedZip([{ name: "manifest.json", contents: manifestText() }]);
    const path = join(temporaryFolder(), `packed${ending}`);
    writeFileSync(path, Buffer.concat([header, zip]));
    const { bytes, checksum } = await packExtension(path);
    expect(Buffer.from(bytes.buffer).equals(zip)).toBe(true);
    expect(checksum).toBe(sha256Of(zip));
  });

  test("a packed extension that is cut off is refused", async () => {
    const error = await archiveErrorOf(packExtension(zipFileOf(packed(3, "a header"))));
    expect([error.code, error.message.includes("without a zip inside")]).toEqual([
      "archive_zip_invalid",
      true,
    ]);
  });

  test("a ready zip is used byte for byte, and listed like a folder", async () => {
    const bytes = craftedZip([{ name: "z/" }, { name: "z/a.js", contents: "a", deflated: true }, manifest]);
    const archive = await packExtension(zipFileOf(bytes));
    expect(Buffer.from(archive.bytes)).toEqual(bytes);
    expect(archive).toMatchObject({
      kind: "zip",
      checksum: createHash("sha256").update(bytes).digest("hex"),
      sizeBytes: bytes.length,
      manifest: { name: "Example", version: "1.0.0" },
      entries: [{ path: "manifest.json" }, { path: "z/a.js", sizeBytes: 1 }],
      excludedPaths: [],
      excludedCount: 0,
      unusedPatterns: [],
    });
  });

  test("a ready zip has the content digest of the packed folder", async () => {
    for (const { files } of fixtures) {
      const packed = await packExtension(folderOf(files));
      const ready = await packExtension(zipFileOf(packed.bytes));
      expect([ready.contentDigest, ready.checksum]).toEqual([packed.contentDigest, packed.checksum]);
    }
  });

  test("readExtension returns the same contents of a ready zip as packExtension", async () => {
    const path = zipFileOf(craftedZip([manifest]));
    const {
      bytes: _bytes,
      checksum: _checksum,
      sizeBytes: _sizeBytes,
      ...contents
    } = await packExtension(path);
    expect(await readExtension(path)).toEqual(contents);
  });

  test("a ready zip may be given as a symbolic link and end in .ZIP", async () => {
    const path = join(temporaryFolder(), "EXTENSION.ZIP");
    symlinkSync(zipFileOf(craftedZip([manifest])), path);
    expect((await readExtension(path)).kind).toBe("zip");
  });

  test("a ready zip may contain files that never ship from a folder", async () => {
    const { entries } = await readExtension(
      zipFileOf(craftedZip([{ name: ".env", contents: "x" }, manifest])),
    );
    expect(entries.map(({ path }) => path)).toEqual([".env", "manifest.json"]);
  });

  test("a ready zip is refused together with exclude, unless the list is empty", async () => {
    const path = zipFileOf(craftedZip([manifest]));
    const error = await errorOf(packExtension(path, { exclude: ["a"] }));
    expect(error).toBeInstanceOf(InputError);
    expect(error).toMatchObject({ code: "exclude_with_zip", property: "exclude" });
    expect((await packExtension(path, { exclude: [] })).kind).toBe("zip");
  });

  test("X10: a ready zip above 50 MiB is refused unread", async () => {
    const path = zipFileOf(Buffer.alloc(0));
    truncateSync(path, 50 * 1024 * 1024 + 1);
    expect(await archiveErrorOf(packExtension(path))).toMatchObject({ code: "archive_too_large" });
  });

  test("a small ready zip may have the layout for large zips, and is refused with a wrong size in that layout", async () => {
    const zip = craftedZip([manifest]);
    const end = zip.length - 22;
    const [size, start] = [zip.readUInt32LE(end + 12), zip.readUInt32LE(end + 16)];
    const record = Buffer.alloc(56);
    record.writeUInt32LE(0x06064b50, 0);
    record.writeBigUInt64LE(44n, 4);
    [1, 1, size, start].forEach((value, index) => {
      record.writeBigUInt64LE(BigInt(value), 24 + index * 8);
    });
    const locator = Buffer.alloc(20);
    locator.writeUInt32LE(0x07064b50, 0);
    locator.writeBigUInt64LE(BigInt(end), 8);
    locator.writeUInt32LE(1, 16);
    const large = Buffer.concat([zip.subarray(0, end), record, locator, zip.subarray(end)]);
    large.fill(0xff, large.length - 14, large.length - 2);
    expect((await readExtension(zipFileOf(large))).entries).toHaveLength(1);
    large.writeBigUInt64LE(BigInt(size - 1), end + 40);
    expect((await archiveErrorOf(readExtension(zipFileOf(large)))).code).toBe("archive_zip_invalid");
  });

  test("a ready zip may have a comment", async () => {
    const zip = craftedZip([manifest]);
    zip.writeUInt16LE(5, zip.length - 2);
    const path = zipFileOf(Buffer.concat([zip, Buffer.from("hello")]));
    expect((await readExtension(path)).entries).toHaveLength(1);
  });

  test("a ready zip made by Python is used byte for byte", async () => {
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
