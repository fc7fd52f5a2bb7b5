import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { crc32, inflateRawSync } from "node:zlib";
import fc from "fast-check";
import { fromBufferPromise } from "yauzl";
import { archiveBytesMax, type ExtensionArchive, packExtension } from "../../../src/archive/index.js";
import { type FixtureFiles, fixtures, manifestText } from "../fixtures.js";
import { folderOf, zipFileOf } from "../folders.js";

/** Paths and contents as read by yauzl, in the order of the zip. */
async function unpacked(bytes: Uint8Array): Promise<[path: string, contents: Buffer][]> {
  const zip = await fromBufferPromise(Buffer.from(bytes), { lazyEntries: true, strictFileNames: true });
  const files: [string, Buffer][] = [];
  for await (const entry of zip.eachEntry()) {
    const pieces: Buffer[] = [];
    for await (const piece of await zip.openReadStreamPromise(entry)) {
      pieces.push(piece as Buffer);
    }
    files.push([entry.fileName, Buffer.concat(pieces)]);
  }
  return files;
}

function sortedByBytes(files: FixtureFiles): [string, Buffer][] {
  return files
    .map(([path, contents]): [string, Buffer] => [path, Buffer.from(contents)])
    .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

/** Compares contents in one step: byte by byte, jest takes seconds for a megabyte. */
function expectSameFiles(actual: [string, Buffer][], expected: [string, Buffer][]): void {
  expect(actual.map(([path]) => path)).toEqual(expected.map(([path]) => path));
  const different = expected.filter(([, contents], index) => !actual[index]?.[1].equals(contents));
  expect(different.map(([path]) => path)).toEqual([]);
}

/** Whether a program can be run here. */
function has(program: string, ...args: string[]): boolean {
  try {
    execFileSync(program, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const python =
  "import json,sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print(json.dumps(z.namelist()))";

/** Other readers, if installed: each reader checks the contents and lists the names. */
const readers: ((zip: string) => string[])[] = [];
if (has("unzip", "-v")) {
  readers.push((zip) => {
    execFileSync("unzip", ["-tq", zip]);
    const env = { ...process.env, LC_ALL: "C.UTF-8" };
    return execFileSync("unzip", ["-Z1", zip], { encoding: "utf8", env }).trimEnd().split("\n");
  });
}
if (has("python3", "-c", "import zipfile")) {
  readers.push((zip) => JSON.parse(execFileSync("python3", ["-c", python, zip], { encoding: "utf8" })));
}

describe("archive: layout", () => {
  test.each(fixtures)("yauzl reads back exactly the files of the fixture $name", async ({ files }) => {
    const archive = await packExtension(folderOf(files));
    expectSameFiles(await unpacked(archive.bytes), sortedByBytes(files));
    expect(archive.entries).toEqual(
      sortedByBytes(files).map(([path, contents]) => ({
        path,
        sizeBytes: contents.length,
        sha256: createHash("sha256").update(contents).digest("hex"),
      })),
    );
  });

  test("unzip and Python list the files of every packed fixture and find no errors", async () => {
    for (const { files } of fixtures) {
      const zip = zipFileOf((await packExtension(folderOf(files))).bytes);
      for (const list of readers) {
        expect(list(zip)).toEqual(sortedByBytes(files).map(([path]) => path));
      }
    }
  });

  test("an archive states the checksum and size of the bytes, and the content digest of the entries", async () => {
    const archive = await packExtension(folderOf(fixtures[1]?.files ?? []));
    const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest("hex");
    expect(archive).toMatchObject({
      kind: "folder",
      manifest: { name: "Example", version: "1.0.0" },
      checksum: sha256(archive.bytes),
      sizeBytes: archive.bytes.length,
      contentDigest: sha256(
        archive.entries
          .map(({ path, sizeBytes, sha256: hash }) => `${path}\0${sizeBytes}\0${hash}\n`)
          .join(""),
      ),
    });
    expect(archive.sizeBytes).toBeLessThan(archiveBytesMax);
  });

  test.each(fixtures)(
    "every byte of the packed fixture $name matches the documented format",
    async ({ files }) => {
      const { bytes } = await packExtension(folderOf(files));
      expectLayout(Buffer.from(bytes), sortedByBytes(files));
    },
  );

  test("random portable files are read back unchanged, in whichever order the files were made", async () => {
    const name = fc
      .string({ unit: fc.constantFrom(..."abzAZ09_-ä€ﬁ😀"), minLength: 1, maxLength: 6 })
      .map((text) => text.normalize("NFC"));
    const files = fc.uniqueArray(
      fc.tuple(
        fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => `x${names.join("/x")}.bin`),
        fc.uint8Array({ maxLength: 300 }),
      ),
      // Names that differ only in case are refused, and have a separate test.
      { selector: ([path]) => path.toLowerCase(), maxLength: 12 },
    );
    const noFolderTwins = (list: (readonly [string, Uint8Array])[]) => {
      const spellings = new Map<string, string>();
      return list.every(([path]) =>
        path.split("/").every((_, index, names) => {
          const prefix = names.slice(0, index + 1).join("/");
          const earlier = spellings.get(prefix.toLowerCase()) ?? prefix;
          spellings.set(prefix.toLowerCase(), prefix);
          return earlier === prefix;
        }),
      );
    };
    await fc.assert(
      fc.asyncProperty(files.filter(noFolderTwins), async (list) => {
        const all: FixtureFiles = [["manifest.json", manifestText()], ...list];
        const archive: ExtensionArchive = await packExtension(folderOf(all));
        expect(await unpacked(archive.bytes)).toEqual(sortedByBytes(all));
        expect((await packExtension(folderOf(all.toReversed()))).checksum).toBe(archive.checksum);
      }),
      { seed: 1, numRuns: 25 },
    );
  });
});

/** Walks the zip by hand, and compares each field with the only value allowed. */
function expectLayout(zip: Buffer, files: readonly [string, Buffer][]): void {
  let local = 0;
  const end = zip.length - 22;
  let central = zip.readUInt32LE(end + 16);
  expect([
    zip.readUInt32LE(end),
    zip.readUInt32LE(end + 4),
    zip.readUInt16LE(end + 8),
    zip.readUInt16LE(end + 10),
    central + zip.readUInt32LE(end + 12),
    zip.readUInt16LE(end + 20),
  ]).toEqual([0x06054b50, 0, files.length, files.length, end, 0]);
  for (const [path, contents] of files) {
    const name = Buffer.from(path);
    const packedBytes = zip.readUInt32LE(local + 18);
    const method = zip.readUInt16LE(local + 8);
    // Version 2.0, UTF-8, method, 00:00, 1980-01-01, CRC-32, both sizes, length of the name; then
    // no extra field.
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x0800, 2);
    common.writeUInt16LE(method, 4);
    common.writeUInt16LE(0x0021, 8);
    common.writeUInt32LE(crc32(contents), 10);
    common.writeUInt32LE(packedBytes, 14);
    common.writeUInt32LE(contents.length, 18);
    common.writeUInt16LE(name.length, 22);
    const data = zip.subarray(local + 30 + name.length, local + 30 + name.length + packedBytes);
    expect(zip.subarray(local, local + 30 + name.length)).toEqual(
      Buffer.concat([Buffer.from("504b0304", "hex"), common, name]),
    );
    expect((method === 8 ? inflateRawSync(data) : data).equals(contents)).toBe(true);
    expect(method).toBe(packedBytes < contents.length ? 8 : 0);
    // No comment, disk 0, no internal attributes, 0100644, then the place of the data.
    const place = Buffer.alloc(14);
    place.writeUInt32LE((0o100644 << 16) >>> 0, 6);
    place.writeUInt32LE(local, 10);
    expect(zip.subarray(central, central + 46 + name.length)).toEqual(
      Buffer.concat([Buffer.from("504b01021403", "hex"), common, place, name]),
    );
    local += 30 + name.length + packedBytes;
    central += 46 + name.length;
  }
  expect([local, central]).toEqual([zip.readUInt32LE(end + 16), end]);
}
