import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { packExtension, readExtension } from "../../../src/archive/index.js";
import { ZipWriter } from "../../../src/archive/zip/writer.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { fixtures, numbersFrom } from "../fixtures.js";
import { builtPackage, folderOf } from "../folders.js";
import { compressed } from "../zip/compressed.js";
import { goldenChecksums } from "./goldens.js";

const repository = join(__dirname, "../../..");
const packChild = join(__dirname, "pack-child.cjs");

/** Everything below a folder, files and folders. */
function pathsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => join(folder, path));
}

describe("archive: the same bytes everywhere", () => {
  test.each(fixtures)("the fixture $name is packed to the bytes on record", async ({ name, files }) => {
    expect((await packExtension(folderOf(files))).checksum).toBe(goldenChecksums[name]);
  });

  test("every fixture has a checksum on record, and every checksum on record has a fixture", () => {
    expect(Object.keys(goldenChecksums)).toEqual(fixtures.map(({ name }) => name));
  });

  test.each(fixtures)(
    "the fixture $name is packed to the same bytes in whichever order the files are made",
    async ({ name, files }) => {
      const next = numbersFrom(5);
      const shuffled = files.map((file) => ({ file, key: next() })).sort((a, b) => a.key - b.key);
      const folders = [folderOf(files.toReversed()), folderOf(shuffled.map(({ file }) => file))];
      for (const folder of folders) {
        expect((await packExtension(folder)).checksum).toBe(goldenChecksums[name]);
      }
    },
  );

  test("file dates, permissions and the umask do not change the packed bytes", async () => {
    const umask = process.umask(0o077);
    let folder: string;
    try {
      folder = folderOf(fixtures[1]?.files ?? []);
    } finally {
      process.umask(umask);
    }
    for (const path of pathsIn(folder)) {
      utimesSync(path, 4_000_000_000, 1);
      chmodSync(path, 0o777);
    }
    expect((await packExtension(folder)).checksum).toBe(goldenChecksums.names);
  });

  test("repeated packing gives one checksum, and readExtension gives the content digest of packExtension", async () => {
    const folder = folderOf(fixtures[3]?.files ?? []);
    const checksums = new Set<string>();
    const digests = new Set<string>();
    for (let time = 0; time < 5; time += 1) {
      const archive = await packExtension(folder);
      checksums.add(archive.checksum);
      digests.add(archive.contentDigest).add((await readExtension(folder)).contentDigest);
    }
    expect([checksums.size, digests.size]).toEqual([1, 1]);
  });

  test.each([
    ["one changed byte", "a", "b"],
    ["another line ending", "a\n", "a\r\n"],
  ])("%s in one file changes the checksum and the content digest", async (_what, ...texts) => {
    const [before, after] = await Promise.all(
      texts.map((text) => packExtension(folderOf([...(fixtures[0]?.files ?? []), ["x.js", text]]))),
    );
    expect(after?.checksum).not.toBe(before?.checksum);
    expect(after?.contentDigest).not.toBe(before?.contentDigest);
  });

  test("time zone, locale and thread pool of the process do not change the packed bytes", () => {
    const folders = fixtures.map(({ files }) => folderOf(files));
    for (const environment of [
      { TZ: "Asia/Tokyo", LC_ALL: "tr_TR.UTF-8", UV_THREADPOOL_SIZE: "1" },
      { TZ: "America/New_York", LC_ALL: "sv_SE.UTF-8", UV_THREADPOOL_SIZE: "16" },
    ]) {
      const printed = execFileSync(process.execPath, [packChild, builtPackage, ...folders], {
        env: { ...process.env, ...environment },
        encoding: "utf8",
      });
      expect(JSON.parse(printed).checksums).toEqual(Object.values(goldenChecksums));
    }
  });

  test("a different compressor with an equal zip layout gives a different checksum", async () => {
    const { files = [], name = "" } = fixtures.find((fixture) => fixture.name === "bundle") ?? {};
    const write = (compressedBy: (bytes: Buffer) => Uint8Array) => {
      const writer = new ZipWriter();
      const sorted = files.map(([path, contents]) => ({ path, contents: Buffer.from(contents) }));
      sorted.sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
      for (const { path, contents } of sorted) {
        const entry = compressed(contents);
        const data = entry.method === 8 ? compressedBy(contents) : entry.data;
        writer.append({ ...entry, path, data });
      }
      return createHash("sha256").update(writer.finish()).digest("hex");
    };
    const ours = write((contents) => compressed(contents).data);
    expect(ours).toBe(goldenChecksums[name]);
    expect(write((contents) => deflateRawSync(contents, { level: 6 }))).not.toBe(ours);
  });

  test("a zip that the archiver library makes of a fixture has no checksum on record", () => {
    const folder = folderOf(fixtures.find(({ name }) => name === "bundle")?.files ?? []);
    const target = join(temporaryFolder(), "archiver.zip");
    const script = `
      const { createWriteStream, readFileSync } = require("node:fs");
      import("archiver").then(async ({ ZipArchive }) => {
        const zip = new ZipArchive({ zlib: { level: 6 } });
        const out = createWriteStream(process.argv[2]);
        const closed = new Promise((done) => out.on("close", done));
        zip.pipe(out);
        zip.directory(process.argv[1], false);
        await zip.finalize();
        await closed;
        console.log(require("node:crypto").createHash("sha256").update(readFileSync(process.argv[2])).digest("hex"));
      });`;
    const checksum = execFileSync(process.execPath, ["-e", script, folder, target], {
      cwd: repository,
      encoding: "utf8",
    }).trim();
    expect(checksum).toMatch(/^[0-9a-f]{64}$/);
    expect(Object.values(goldenChecksums)).not.toContain(checksum);
  });
});
