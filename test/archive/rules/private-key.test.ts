import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { packExtension, readExtension } from "../../../src/archive/index.js";
import { holdsPrivateKey, PrivateKeySearch } from "../../../src/archive/rules/private-key.js";
import { manifestText, noise } from "../fixtures.js";
import { archiveErrorOf, extensionOf, folderOf } from "../folders.js";

const word = "KEY";
const megabyte = 1024 * 1024;

/** The first line of a private key. */
const firstLine = `-----BEGIN RSA PRIVATE ${word}-----`;

describe("archive: private keys", () => {
  test.each([
    [firstLine, true],
    [`-----BEGIN PRIVATE ${word}-----`, true],
    [`-----BEGIN PGP PRIVATE ${word} BLOCK-----`, true],
    [`PRIVATE ${word}----- at the end PRIVATE ${word}`, true],
    [`PRIVATE ${word}, PRIVATE ${word} and PRIVATE ${word}-----`, true],
    [`const name = "PRIVATE ${word}";`, false],
    [`PRIVATE ${word}----`, false],
    [`PRIVATE ${word} BLOCK`, false],
    [`PRIVATE_${word}-----`, false],
    ["-----BEGIN PUBLIC KEY-----", false],
    ["-----BEGIN CERTIFICATE-----", false],
    ["", false],
  ])("%j holds one: %s", (text, holds) => {
    expect(holdsPrivateKey(Buffer.from(text))).toBe(holds);
  });

  test("a key is found in pieces of any size", () => {
    for (const marker of [`PRIVATE ${word}-----`, `PRIVATE ${word} BLOCK-----`]) {
      const bytes = Buffer.from(`${"x".repeat(30)}${marker}${"y".repeat(30)}`);
      for (let size = 1; size <= bytes.length; size += 1) {
        const [search, without] = [new PrivateKeySearch(), new PrivateKeySearch()];
        // A piece is in memory that the next one overwrites.
        const room = Buffer.alloc(size);
        for (let at = 0; at < bytes.length; at += size) {
          const count = bytes.copy(room, 0, at, at + size);
          search.add(room.subarray(0, count));
          without.add(Buffer.alloc(count, "PRIVATE"));
        }
        expect([size, search.found, without.found]).toEqual([size, true, false]);
      }
    }
  });

  test("a file with one is refused wherever the key lies in it, in a preview and in an upload", async () => {
    const folder = extensionOf();
    // Files are read in pieces of a megabyte.
    for (const at of [0, megabyte - firstLine.length, megabyte - 10, megabyte, 2 * megabyte - 3]) {
      const bytes = Buffer.alloc(2.5 * megabyte, "-PRIVATE ");
      bytes.write(firstLine, at);
      writeFileSync(join(folder, "bundle.js"), bytes);
      for (const work of [readExtension, packExtension]) {
        const error = await archiveErrorOf(work(folder));
        expect([at, error.code]).toEqual([at, "archive_private_key"]);
      }
    }
  });

  test("the error names every such file, what to do, and nothing of a key", async () => {
    const folder = extensionOf([
      ["a.txt", `${firstLine}\nMIIEpAIBAAKCAQEA`],
      ["lib/b.js", `const key = "${firstLine}\\nMIIEpAIBAAKCAQEA"`],
      ["ok.js", "x"],
    ]);
    const { message } = await archiveErrorOf(packExtension(folder));
    expect(message).toContain('Files with a private key (2): "a.txt", "lib/b.js". Remove the keys, or leave');
    expect(message).toContain('with "exclude". Files that only mention such a key ship in a ready .zip.');
    expect(message).not.toContain("MII");
    const { entries } = await readExtension(folder, { exclude: ["a.txt", "lib"] });
    expect(entries.map(({ path }) => path)).toEqual(["manifest.json", "ok.js"]);
  });

  test("a key in a file that never ships does no harm, and a manifest is searched like any file", async () => {
    expect((await readExtension(extensionOf([["server.pem", firstLine]]))).leftOut).toEqual(["server.pem"]);
    const folder = folderOf([["manifest.json", manifestText({ key: firstLine })]]);
    expect((await archiveErrorOf(readExtension(folder))).message).toContain('"manifest.json"');
  });

  test("two folders that are read side by side do not mix", async () => {
    // The end of a piece of the one, and the beginning of a piece of the other.
    const [head, tail] = [firstLine.slice(0, -3), firstLine.slice(-3)];
    const [one, other] = [Buffer.from(noise(1, 3 * megabyte)), Buffer.from(noise(2, 3 * megabyte))];
    one.write(head, megabyte - head.length);
    other.write(tail, 0);
    other.write(tail, megabyte);
    const folders = [one, other].map((bytes) => extensionOf([["bundle.bin", bytes]]));
    const read = await Promise.all(folders.map((folder) => readExtension(folder)));
    expect(read.map(({ entries }) => entries.length)).toEqual([2, 2]);
  });
});
