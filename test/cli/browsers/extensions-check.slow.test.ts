import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { manifestText } from "../../archive/fixtures.js";
import { folderOf, zipFileOf } from "../../archive/folders.js";
import { craftedZip } from "../../archive/source/crafted-zip.js";
import { browserPath, testInBrowser } from "../../support/chromium.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { type Play, play } from "../played-terminal.js";

const sound = () =>
  folderOf([
    ["manifest.json", manifestText()],
    ["a.js", "1"],
    [".env", "SECRET=1"],
  ]);
const withoutIcon = () => folderOf([["manifest.json", manifestText({ icons: { 16: "gone.png" } })]]);

describe("browser-infra extensions check", () => {
  /** Folder for temporary files of this file's commands only. Short: paths of sockets are limited. */
  const ownTemporary = mkdtempSync(join(tmpdir(), "c-"));
  beforeAll(() => {
    process.env.TMPDIR = ownTemporary;
  });
  afterAll(() => rmSync(ownTemporary, { recursive: true, force: true }));

  /** Runs the command without a service, and by default without a PATH to find a browser. */
  const check = (args: readonly string[], env: Play["env"] = {}) =>
    play({ url: "", apiKeys: [] }, ["extensions", "check", ...args], {
      env: { BROWSER_INFRA_BASE_URL: undefined, BROWSER_INFRA_API_KEY: undefined, PATH: "", ...env },
    });

  test("extensions check works without settings, and reports that no browser was asked if PATH has none", async () => {
    const { exitCode, out, err } = await check([sound()]);
    expect([exitCode, err]).toEqual([0, "Excluded, because such files never ship (1): .env.\n"]);
    expect(out).toContain("CHECK    loads, 2 files\nBROWSER  not checked:");
  });

  test("extensions check ends with exit code 1 and the reason for an extension that Chromium would not load", async () => {
    const { exitCode, out, err } = await check([withoutIcon()]);
    expect([exitCode, err]).toEqual([1, ""]);
    expect(out).toContain('Chromium would not load this extension. "icons.16" names "gone.png"');
  });

  test("extensions check --json prints one document, with a warning for each missing file of the manifest", async () => {
    const folder = folderOf([["manifest.json", manifestText({ devtools_page: "gone.html" })]]);
    const { exitCode, out, err } = await check([folder, "--json"]);
    expect([exitCode, err]).toEqual([0, ""]);
    expect(JSON.parse(out)).toEqual({
      loads: true,
      problem: null,
      fileCount: 1,
      leftOut: [],
      leftOutCount: 0,
      unusedPatterns: [],
      warnings: ['"devtools_page" names "gone.html", which does not exist'],
      browser: null,
    });
  });

  test("extensions check fails for a folder that does not exist and for a --browser that is not a browser", async () => {
    const missing = await check(["/no-such-folder"]);
    expect([missing.exitCode, missing.err.includes("does not exist")]).toEqual([2, true]);
    const unusable = await check([sound(), "--browser", process.execPath]);
    expect([unusable.exitCode, unusable.out]).toEqual([1, ""]);
    expect(unusable.err).toMatch(
      /^error: The check in the browser .+ failed: it ended with 9\b.* Choose a different Chromium or Chrome/,
    );
  });

  test("extensions check gives the browser no variable but PATH, HOME, TMPDIR and a locale, and a home of its own", async () => {
    const folder = temporaryFolder();
    const browser = join(folder, "browser");
    writeFileSync(browser, `#!/bin/sh\nenv > "$0.env"\n`, { mode: 0o755 });
    process.env.SECRET_OF_TEST = "s3cret";
    try {
      await check([sound(), "--browser", browser], { BROWSER_INFRA_API_KEY: "sk_secret" });
    } finally {
      delete process.env.SECRET_OF_TEST;
    }
    const lines = readFileSync(`${browser}.env`, "utf8").trim().split("\n");
    // The shell sets the others, and the tests NODE_OPTIONS of every process.
    const given = lines.filter((line) => !/^(PWD|OLDPWD|SHLVL|_|NODE_OPTIONS)=/.test(line)).sort();
    expect(given).toEqual([
      expect.stringMatching(/^HOME=.*browser-infra-profile-/),
      "LC_ALL=C.UTF-8",
      `PATH=${process.env.PATH}`,
      expect.stringMatching(/^TMPDIR=.*browser-infra-profile-/),
    ]);
  });

  testInBrowser(
    "extensions check --browser prints the verdict of the browser beside its own, and leaves no temporary folder",
    async () => {
      const browser = ["--browser", browserPath ?? ""];
      const loaded = await check([sound(), ...browser]);
      expect([loaded.exitCode, loaded.out]).toEqual([
        0,
        expect.stringMatching(/BROWSER {2}\S+\/\d.* loads it\n$/),
      ]);
      const script = { matches: ["https://example.com/*"], js: ["content.ts"] };
      const source = folderOf([["manifest.json", manifestText({ content_scripts: [script] })]]);
      const warned = await check([source, ...browser]);
      expect([warned.exitCode, warned.err, warned.out]).toEqual([
        0,
        expect.stringContaining('point "path" at the folder of the build'),
        expect.stringMatching(/loads it\n +warns: .*'content\.ts' for content script/),
      ]);
      const refused = await check([withoutIcon(), ...browser, "--json"]);
      expect(refused.exitCode).toBe(1);
      expect(JSON.parse(refused.out)).toMatchObject({
        loads: false,
        browser: { loads: false, problem: expect.stringContaining("gone.png") },
      });
      const zip = zipFileOf(craftedZip([{ name: "manifest.json", contents: manifestText() }]));
      expect((await check([zip, ...browser])).out).toContain("loads it");
      expect(readdirSync(ownTemporary).filter((name) => !name.startsWith("browser-infra-test-"))).toEqual([]);
    },
  );

  testInBrowser(
    "extensions check finds a file with a letter that is not ASCII in the browser, too",
    async () => {
      const folder = folderOf([
        ["manifest.json", manifestText({ icons: { 16: "é.png" } })],
        ["é.png", "x"],
      ]);
      const { exitCode, out } = await check([folder, "--browser", browserPath ?? ""]);
      expect([exitCode, out]).toEqual([0, expect.stringContaining("loads it")]);
    },
  );

  testInBrowser(
    "extensions check finds a browser on PATH, and loads only the files that would be uploaded",
    async () => {
      const folder = folderOf([
        ["manifest.json", manifestText()],
        ["_reserved/a.js", ""],
      ]);
      const all = await check([folder], { PATH: process.env.PATH });
      expect([all.exitCode, all.out]).toEqual([
        1,
        expect.stringContaining("refuses it: Cannot load extension"),
      ]);
      expect((await check([folder, "--exclude", "_reserved"], { PATH: process.env.PATH })).exitCode).toBe(0);
    },
  );
});
