import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packExtension, sha256Of } from "../../../src/archive/index.js";
import { stored } from "../../emulator/calls.js";
import { useEmulator } from "../../support/emulator.js";
import { extensionZip } from "../../support/stored-zip.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { type Play, play } from "../played-terminal.js";

const bytes = extensionZip("blocker");
const checksum = sha256Of(bytes);

describe("browser-infra extensions", () => {
  const emulator = useEmulator({ seed: { projects: [{ id: "live", name: "Live" }] } });
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
    mkdirSync(join(folder, "source"));
    writeFileSync(
      join(folder, "source/manifest.json"),
      '{ "manifest_version": 3, "name": "x", "version": "1" }',
    );
    writeFileSync(join(folder, "source/content.js"), "x".repeat(100_000));
  });

  const extensions = (args: readonly string[], options?: Play) =>
    play(emulator, ["extensions", ...args], { cwd: folder, ...options });
  const methods = () => emulator.requests.map(({ method }) => method);
  /** Replaces the service's response to a request with a record. */
  const answerWith = (status: number, record: object, request: { method?: string; path?: string }) => {
    const body = { created_at: "2026-11-21T10:00:00Z", size_bytes: 1, ...record };
    emulator.faults.add({ ...request, at: "before-commit", action: { answer: { status, body } } });
  };
  const file = (name: string) => readFileSync(join(folder, name));

  test("upload packs a folder as the resource does and prints id and checksum", async () => {
    const packed = await packExtension(join(folder, "source"));
    const { exitCode, out, err } = await extensions(["upload", "source", "--name", "blocker"]);
    const [extension] = emulator.extensions.list();
    expect([exitCode, err]).toEqual([0, ""]);
    expect(out).toBe(
      `ID        ${extension?.id}\nNAME      blocker\nCHECKSUM  ${packed.checksum}\nSIZE      ${packed.sizeBytes} bytes, 2 files\n`,
    );
    expect(extension).toMatchObject({ name: "blocker", checksum: packed.checksum });
  });

  test.each<[string, object, string]>([
    ["checksum", { checksum: "0".repeat(64) }, `the checksum ${"0".repeat(64)} instead of `],
    ["size", { size_bytes: 7 }, "7 bytes instead of "],
  ])(
    "upload fails when the service reports a %s that differs from the uploaded archive",
    async (_what, wrong, reason) => {
      const packed = await packExtension(join(folder, "source"));
      const { checksum, sizeBytes: size_bytes } = packed;
      answerWith(201, { id: "stored", name: "blocker", size_bytes, checksum, ...wrong }, { method: "POST" });
      const { exitCode, out, err } = await extensions(["upload", "source", "--name", "blocker"]);
      expect([exitCode, out]).toEqual([1, ""]);
      expect(err).toContain("The service has stored the extension stored with a different archive");
      expect(err).toContain(reason);
    },
  );

  test("upload prints no checksum of its own if the service reports none", async () => {
    const { sizeBytes, checksum: sent } = await packExtension(join(folder, "source"));
    answerWith(201, { id: "stored", size_bytes: sizeBytes }, { method: "POST" });
    const { exitCode, out } = await extensions(["upload", "source"]);
    expect(exitCode).toBe(0);
    expect(out).toContain("CHECKSUM  unknown: the service reports no checksum\n");
    expect(out).not.toContain(sent);
  });

  test("upload --json lists the excluded files, and the --exclude patterns that match no file", async () => {
    writeFileSync(join(folder, "source/.env"), "SECRET=1");
    writeFileSync(join(folder, "source/notes.md"), "x");
    const excluding = ["*.md", "content.js", "docs/**"].flatMap((pattern) => ["--exclude", pattern]);
    const { out, err } = await extensions(["upload", "source", ...excluding, "--json"]);
    expect(err).toBe("");
    expect(JSON.parse(out)).toMatchObject({
      fileCount: 1,
      leftOut: [".env"],
      leftOutCount: 1,
      unusedPatterns: ["docs/**"],
    });
  });

  test("upload names up to a hundred excluded files, and counts the others", async () => {
    for (let index = 0; index < 12; index += 1) {
      writeFileSync(join(folder, `source/${index}.pem`), "x");
    }
    mkdirSync(join(folder, "source/.vscode"));
    const some = await extensions(["upload", "source"]);
    expect(some.err).toMatch(
      /^Excluded, because such files never ship \(13\): \.vscode\/, 0\.pem, .*9\.pem\.\n$/,
    );
    for (let index = 0; index < 120; index += 1) {
      writeFileSync(join(folder, `source/${index}.pem`), "x");
    }
    expect((await extensions(["upload", "source"])).err).toMatch(/never ship \(121\): .* and 21 more\.\n$/);
  });

  test("upload names each --exclude pattern that excludes nothing", async () => {
    const excluding = ["--exclude", "docs/**", "--exclude", "content.js", "--exclude", "it's \u202e"];
    const { exitCode, err } = await extensions(["upload", "source", ...excluding]);
    expect(exitCode).toBe(0);
    expect(err).toBe("These patterns of --exclude have no effect: 'docs/**', 'it'\\''s \\u202e'.\n");
  });

  test("upload sends a ready archive byte for byte, and --json is one document", async () => {
    writeFileSync(join(folder, "ready.zip"), bytes);
    const { exitCode, out, err } = await extensions(["upload", "ready.zip", "--json", "--project", "live"]);
    expect([exitCode, err]).toEqual([0, ""]);
    const [extension] = emulator.extensions.list("live");
    expect(JSON.parse(out)).toMatchObject({
      id: extension?.id,
      name: null,
      checksum,
      sizeBytes: bytes.length,
    });
  });

  test.each([
    [["source", "--name", "a/b"], 2, "The name "],
    [["nowhere"], 2, 'nowhere") does not exist'],
    [["."], 1, 'the nearest manifest is in "source/"'],
  ])("upload %j is refused before any request", async (args, code, reason) => {
    const { exitCode, out, err } = await extensions(["upload", ...args]);
    expect([exitCode, out, methods()]).toEqual([code, "", []]);
    expect(err).toContain(reason);
    // The resolved path occurs only in the error about a path that leads nowhere.
    expect(err.replace(join(folder, "nowhere"), "")).not.toContain(folder);
  });

  test("upload refuses a file with the API key, and prints nothing of the key", async () => {
    const apiKey = "sk_0123456789abcdef";
    writeFileSync(join(folder, "source/settings.js"), `const key = "${apiKey}";`);
    const env = { BROWSER_INFRA_API_KEY: apiKey };
    const { exitCode, out, err } = await extensions(["upload", "source"], { env });
    expect([exitCode, out, methods()]).toEqual([1, "", []]);
    expect(err).toContain('Files with the API key of this deployment (1): "settings.js".');
    expect(err).not.toContain(apiKey);
  });

  test("upload under a name that already exists fails with the remedy", async () => {
    await stored(emulator, { name: "blocker" });
    const { exitCode, err } = await extensions(["upload", "source", "--name", "blocker"]);
    expect(exitCode).toBe(1);
    expect(err).toContain("The name is already used in this project: choose another");
  });

  test("an upload without a response is sent once, and ends with exit code 5 and the checksum to look for", async () => {
    emulator.faults.add({ method: "POST", at: "after-commit", action: "reset" });
    const { exitCode, out, err } = await extensions(["upload", "source", "--name", "blocker"]);
    expect([exitCode, out, methods()]).toEqual([5, "", ["POST"]]);
    expect(err).toContain("List the extensions and compare names and checksums");
    expect(err).toContain(String(emulator.extensions.list()[0]?.checksum));
  });

  test("the progress of an upload or a download is shown only in a terminal, and removed at the end", async () => {
    const shown = await extensions(["upload", "source", "--name", "one"], { terminal: 80 });
    expect(shown.err).toContain("\r\u001b[KPacking source");
    expect(shown.err).toContain("\r\u001b[KUploading ");
    expect(shown.err.endsWith("\r\u001b[K")).toBe(true);
    expect((await extensions(["download", "one"], { terminal: 80 })).err).toContain(
      "\r\u001b[KDownloading one",
    );
    const dumb = await extensions(["upload", "source"], { terminal: 80, env: { TERM: "dumb" } });
    expect(dumb.err).toBe("");
  });

  test("get shows the exact size of a large extension", async () => {
    await stored(emulator, { name: "large", bytes: extensionZip("x".repeat(3000)) });
    expect((await extensions(["get", "large"])).out).toMatch(/^SIZE +\d\.\d KiB \(\d{4} bytes\)$/m);
  });

  test("extensions delete finds no extension by a name in other case, though the service ignores case", async () => {
    await stored(emulator, { name: "blocker" });
    const alike = await extensions(["delete", "BLOCKER", "--yes"]);
    expect(alike).toMatchObject({ exitCode: 3, out: "" });
    expect(alike.err).toContain(`There is no extension with the name "BLOCKER"`);
    expect(emulator.extensions.list()).toHaveLength(1);
  });

  test("download saves the exact bytes under the extension's name and compares the checksum", async () => {
    const { id } = await stored(emulator, { name: "blocker", bytes });
    expect(await extensions(["download", "blocker"])).toEqual({
      exitCode: 0,
      out: `Saved blocker.zip (${bytes.length} bytes, SHA-256 ${checksum}).\n`,
      err: "",
    });
    expect(file("blocker.zip").equals(bytes)).toBe(true);
    const { out } = await extensions(["download", id, "--output", "source/x.zip", "--json"]);
    expect(JSON.parse(out)).toEqual({
      file: "source/x.zip",
      id,
      name: "blocker",
      checksum,
      sizeBytes: bytes.length,
      verified: true,
    });
    expect(readdirSync(folder).toSorted()).toEqual(["blocker.zip", "source"]);
  });

  test("download replaces an existing file only with --force, and never a folder", async () => {
    await stored(emulator, { name: "blocker", bytes });
    writeFileSync(join(folder, "x.zip"), "mine");
    symlinkSync("x.zip", join(folder, "link.zip"));
    for (const [output, reason] of [
      ["x.zip", "already exists. Choose another --output, or pass --force"],
      ["source", "already exists and is not a file"],
      ["none/x.zip", "its folder does not exist"],
    ] as const) {
      const { exitCode, out, err } = await extensions(["download", "blocker", "--output", output]);
      expect([exitCode, out, methods().length]).toEqual([2, "", 1]);
      expect(err).toContain(reason);
    }
    expect(file("x.zip").toString()).toBe("mine");
    expect((await extensions(["download", "blocker", "--output", "source", "--force"])).exitCode).toBe(2);
    expect((await extensions(["download", "blocker", "--output", "link.zip", "--force"])).exitCode).toBe(0);
    expect(file("x.zip").equals(bytes)).toBe(true);
    expect(readdirSync(folder).toSorted()).toEqual(["link.zip", "source", "x.zip"]);
  });

  test("download fails before any request if the file system refuses the file name", async () => {
    const { exitCode, err } = await extensions(["download", "blocker", "--output", "x".repeat(300)]);
    expect([exitCode, methods()]).toEqual([1, []]);
    expect(err).toMatch(/^error: Writing "x+" failed \(ENAMETOOLONG\)\. /);
  });

  test("download leaves a file unchanged that was created during the download", async () => {
    await stored(emulator, { name: "blocker", bytes });
    emulator.faults.add({
      method: "GET",
      path: /^\/extensions\/[^/]+$/,
      at: "while-answering",
      action: { call: () => writeFileSync(join(folder, "blocker.zip"), "mine") },
    });
    expect(await extensions(["download", "blocker"])).toMatchObject({ exitCode: 2, out: "" });
    expect(file("blocker.zip").toString()).toBe("mine");
    expect(readdirSync(folder).toSorted()).toEqual(["blocker.zip", "source"]);
  });

  test("X14: download saves nothing when the checksum differs, and reports if the service has no checksum to compare", async () => {
    const { id } = await stored(emulator, { name: "blocker", bytes });
    const body = Buffer.from("PK, but another archive");
    emulator.faults.add({
      path: `/extensions/${id}`,
      nth: 2,
      at: "before-commit",
      action: { answer: { status: 200, body } },
    });
    const differs = await extensions(["download", id]);
    expect(differs).toMatchObject({ exitCode: 1, out: "" });
    expect(differs.err).toContain(`but the service has ${checksum} on record. Nothing was saved.`);
    expect(readdirSync(folder)).toEqual(["source"]);
    emulator.extensions.forgetChecksum(id);
    const unverified = await extensions(["download", id, "--json"]);
    expect(JSON.parse(unverified.out)).toMatchObject({ verified: false, checksum });
    expect((await extensions(["download", id, "--force"])).err).toContain(
      "the service has no checksum for this extension",
    );
  });

  test.each(["../outside", ".hidden", "a\u001b[2J", "", "con/x"])(
    "download never uses an extension name like %j as a file name",
    async (name) => {
      const { id } = await stored(emulator, { name: "blocker", bytes });
      answerWith(200, { id, name, checksum }, { path: `/extensions/${id}/metadata` });
      expect(await extensions(["download", id])).toMatchObject({ exitCode: 0, err: "" });
      expect(readdirSync(folder).toSorted()).toEqual([`${id}.zip`, "source"].toSorted());
    },
  );
});
