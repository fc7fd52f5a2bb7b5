import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { packExtension, readExtension } from "../../../src/archive/index.js";
import { secretsOfFolder } from "../../../src/archive/rules/secrets.js";
import { PieceSearch } from "../../../src/archive/rules/word-search.js";
import { manifestText, noise } from "../fixtures.js";
import { archiveErrorOf, extensionOf, folderOf, zipFileOf } from "../folders.js";
import { craftedZip } from "../source/crafted-zip.js";

const word = "KEY";
const megabyte = 1024 * 1024;

/** A line of the body of a private key. */
const body = "MIIEpAIBAAKCAQEAx3Qy7v0m8w2JfZp4";

/** The first two lines of a private key. */
const firstLine = `-----BEGIN RSA PRIVATE ${word}-----\n${body}`;

/** Text as UTF-16, the higher byte first. */
const bigEndian = (text: string) => Buffer.from(text, "utf16le").swap16();

describe("archive: private keys", () => {
  const holdsPrivateKey = (bytes: Uint8Array) =>
    secretsOfFolder(undefined).find(bytes) === "archive_private_key";

  test.each([
    [firstLine, true],
    [`-----BEGIN PRIVATE ${word}-----\n${body}`, true],
    [`-----BEGIN PRIVATE%20${word}-----%0A${body}`, true],
    [`-----BEGIN PGP PRIVATE ${word} BLOCK-----\r\nComment: ours\r\n\r\n${body}`, true],
    [`"-----BEGIN PRIVATE ${word}-----\\n" +\n  "${body}"`, true],
    [`-----BEGIN PRIVATE ${word}-----\n${body.slice(1)}`, false],
    // Libraries contain the line, and their constants may follow.
    [`"-----BEGIN PRIVATE ${word}-----\\n"+e+"\\n-----END PRIVATE ${word}-----"`, false],
    [
      `"PRIVATE ${word}-----";const a="ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"`,
      false,
    ],
    [`"PRIVATE ${word}-----";${"/".repeat(80)}`, false],
    [`"PRIVATE ${word} BLOCK-----";generateSessionKeyFromAnEncryptedPassword()`, false],
    [`PRIVATE ${word}----- at the end PRIVATE ${word}`, false],
    [`const name = "PRIVATE ${word}";`, false],
    [`PRIVATE ${word}----`, false],
    [`PRIVATE ${word} BLOCK`, false],
    [`PRIVATE_${word}-----`, false],
    ["-----BEGIN PUBLIC KEY-----", false],
    ["-----BEGIN CERTIFICATE-----", false],
    ["", false],
    [`PuTTY-User-Key-File-3: ssh-ed25519\r\nEncryption: none\r\nPublic-Lines: 2\r\n${body}`, true],
    [`PuTTY-User-Key-File-2: ecdsa-sha2-nistp256\n${body}`, true],
    ['var n="PuTTY-User-Key-File-2: ssh-rsa\\r\\nEncryption: "', false],
    ['if (line.startsWith("PuTTY-User-Key-File-2: ")) {', false],
    [`# public key: age1qs\nAGE-SECRET-${word}-1QFNKXJ8M`, true],
    [`AGE-SECRET-${word}-PQ-1QFNKXJ8M`, true],
    [`if (text.startsWith("AGE-SECRET-${word}-1")) {`, false],
  ])("%j holds a private key: %s, in ASCII and in UTF-16", (text, holds) => {
    const spellings = [Buffer.from(text), Buffer.from(text, "utf16le"), bigEndian(text)];
    expect(spellings.map(holdsPrivateKey)).toEqual([holds, holds, holds]);
  });

  test("a private key is found in a file that is read in pieces of any size", () => {
    for (const marker of [`PRIVATE ${word}-----`, `PRIVATE ${word} BLOCK-----`]) {
      const bytes = Buffer.from(`${"x".repeat(30)}${marker}\n${body}${"y".repeat(30)}`);
      for (let size = 1; size <= bytes.length; size += 1) {
        const [search, without] = [1, 2].map(() => new PieceSearch(secretsOfFolder(undefined)));
        // A piece lies in memory that the next piece overwrites.
        const room = Buffer.alloc(size);
        for (let at = 0; at < bytes.length; at += size) {
          const count = bytes.copy(room, 0, at, at + size);
          search?.add(room.subarray(0, count));
          without?.add(Buffer.alloc(count, "PRIVATE"));
        }
        expect([size, search?.found, without?.found]).toEqual([size, "archive_private_key", undefined]);
      }
    }
  });

  test("a file with a private key at any place is refused, in a preview and in an upload", async () => {
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

  test("the error for private keys names every file and the remedy, and no part of a key", async () => {
    const folder = extensionOf([
      ["a.txt", firstLine],
      ["lib/b.js", `const key = "${firstLine}"`],
      ["ok.js", "x"],
    ]);
    const { message } = await archiveErrorOf(packExtension(folder));
    expect(message).toContain('Files with a private key (2): "a.txt", "lib/b.js". Remove the keys, or list');
    expect(message).toContain(
      'in "exclude". Files that only mention a private key can be uploaded in a ready .zip.',
    );
    expect(message).not.toContain("MII");
    const { entries } = await readExtension(folder, { exclude: ["a.txt", "lib"] });
    expect(entries.map(({ path }) => path)).toEqual(["manifest.json", "ok.js"]);
  });

  test("a private key is tolerated in a file that never ships, and refused in a manifest", async () => {
    expect((await readExtension(extensionOf([["server.pem", firstLine]]))).excludedPaths).toEqual([
      "server.pem",
    ]);
    const folder = folderOf([["manifest.json", manifestText({ key: firstLine })]]);
    expect((await archiveErrorOf(readExtension(folder))).message).toContain('"manifest.json"');
  });

  test("halves of a private key in two folders that are read at the same time are not found as a key", async () => {
    // End of a piece in the first file, and beginning of a piece in the second file.
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

describe("archive: the API key of the deployment", () => {
  const apiKey = 'sk_canary/"key"&0123456789abcdef';
  const url = encodeURIComponent(apiKey);
  const pairs = Buffer.from(apiKey).toString("hex").match(/../g) ?? [];
  const spellings: readonly (readonly [how: string, spelling: string])[] = [
    ["as it is", apiKey],
    ["URL-encoded", url],
    ["URL-encoded in lower case", url.replace(/%../g, (octet) => octet.toLowerCase())],
    ["with every character URL-encoded", pairs.map((pair) => `%${pair.toUpperCase()}`).join("")],
    ["as JSON", JSON.stringify(apiKey)],
    ["as JSON with every character escaped", pairs.map((pair) => `\\u00${pair}`).join("")],
    ["as JavaScript with every character escaped", pairs.map((pair) => `\\x${pair}`).join("")],
    ["in hexadecimal", pairs.join("")],
    ["in hexadecimal in upper case", pairs.join("").toUpperCase()],
    ...["", "a", "ab"].flatMap((before) =>
      (["base64", "base64url"] as const).map((encoding) => {
        const spelling = Buffer.from(`${before}${apiKey} and more`).toString(encoding);
        return [`in ${encoding} after ${before.length} bytes`, spelling] as const;
      }),
    ),
  ];

  test.each(spellings)(
    "the deployment's API key is found %s, also in UTF-16, and a different key is not found",
    (_how, spelling) => {
      const secrets = secretsOfFolder(apiKey);
      for (const bytes of [Buffer.from(spelling), Buffer.from(spelling, "utf16le"), bigEndian(spelling)]) {
        const file = Buffer.concat([noise(1, 300), bytes, noise(2, 300)]);
        expect(secrets.find(file)).toBe("archive_api_key");
        const search = new PieceSearch(secrets);
        for (let at = 0; at < file.length; at += 7) {
          search.add(file.subarray(at, at + 7));
        }
        expect(search.found).toBe("archive_api_key");
        expect(secretsOfFolder(`${apiKey.slice(0, -9)}fedcba987`).find(file)).toBeUndefined();
      }
    },
  );

  test("X9: a file with the deployment's API key is refused, and the error names the file and never the key", async () => {
    const folder = extensionOf([
      ["lib/settings.js", `const key = ${JSON.stringify(apiKey)};`],
      ["image.png", Buffer.concat([noise(3, 3 * megabyte), Buffer.from(apiKey)])],
      ["ok.js", "x"],
    ]);
    for (const work of [readExtension, packExtension]) {
      const { code, message } = await archiveErrorOf(work(folder, { apiKey }));
      expect(code).toBe("archive_api_key");
      expect(message).toContain(
        'Files with the API key of this deployment (2): "image.png", "lib/settings.js".',
      );
      expect(message).toContain("Remove the key, or exclude the files");
      expect(message).not.toContain("canary");
    }
    expect((await readExtension(folder, { apiKey, exclude: ["lib", "image.png"] })).entries).toHaveLength(2);
    expect((await readExtension(folder, { apiKey: `${apiKey}1` })).entries).toHaveLength(4);
  });

  test("X9: a ready zip is refused with the deployment's API key, and accepted with a private key", async () => {
    const zip = (contents: string) =>
      zipFileOf(
        craftedZip([
          { name: "manifest.json", contents: manifestText() },
          { name: "a.js", contents, deflated: true },
        ]),
      );
    const { code, message } = await archiveErrorOf(packExtension(zip(`x${apiKey}`), { apiKey }));
    expect([code, message.includes('"a.js"'), message.includes("canary")]).toEqual([
      "archive_api_key",
      true,
      false,
    ]);
    expect((await packExtension(zip(firstLine), { apiKey })).kind).toBe("zip");
  });

  test("X9: a file name with the deployment's API key is refused, and the error shows the name redacted", async () => {
    const inName = "sk_0123456789abcdef";
    const files = [
      ["manifest.json", manifestText()],
      [`a/${inName}.js`, "x"],
    ] as const;
    const zip = craftedZip(files.map(([name, contents]) => ({ name, contents })));
    for (const path of [folderOf(files), zipFileOf(zip)]) {
      const { code, message } = await archiveErrorOf(readExtension(path, { apiKey: inName }));
      expect([code, message.includes('"a/[redacted].js"')]).toEqual(["archive_api_key", true]);
      expect(message).not.toContain(inName);
    }
  });

  test("an API key of less than 16 characters is not searched for in files", async () => {
    const folder = extensionOf([["a.js", "0123456789abcdef"]]);
    expect((await readExtension(folder, { apiKey: "0123456789abcde" })).entries).toHaveLength(2);
    expect((await archiveErrorOf(readExtension(folder, { apiKey: "0123456789abcdef" }))).code).toBe(
      "archive_api_key",
    );
  });
});
