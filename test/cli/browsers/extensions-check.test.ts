import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { manifestText } from "../../archive/fixtures.js";
import { folderOf, zipFileOf } from "../../archive/folders.js";
import { craftedZip } from "../../archive/source/crafted-zip.js";
import { browserPath, testInBrowser } from "../../support/chromium.js";
import { type Play, play } from "../played-terminal.js";

const sound = () =>
  folderOf([
    ["manifest.json", manifestText()],
    ["a.js", "1"],
    [".env", "SECRET=1"],
  ]);
const withoutIcon = () => folderOf([["manifest.json", manifestText({ icons: { 16: "gone.png" } })]]);

describe("browser-infra extensions check", () => {
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
      /^error: The check in the browser .+ failed: it ended with 9\. Choose a different Chromium or Chrome/,
    );
  });

  testInBrowser(
    "extensions check --browser prints the verdict of the browser beside its own, and leaves no temporary folder",
    async () => {
      const left = () =>
        readdirSync(tmpdir()).filter((name) => /^browser-infra-(?:check|profile)-/.test(name));
      const before = left();
      const browser = ["--browser", browserPath ?? ""];
      const loaded = await check([sound(), ...browser]);
      expect([loaded.exitCode, loaded.out]).toEqual([
        0,
        expect.stringMatching(/BROWSER {2}\S+\/\d.* loads it\n$/),
      ]);
      const refused = await check([withoutIcon(), ...browser, "--json"]);
      expect(refused.exitCode).toBe(1);
      expect(JSON.parse(refused.out)).toMatchObject({
        loads: false,
        browser: { loads: false, problem: expect.stringContaining("gone.png") },
      });
      const zip = zipFileOf(craftedZip([{ name: "manifest.json", contents: manifestText() }]));
      expect((await check([zip, ...browser])).out).toContain("loads it");
      expect(left()).toEqual(before);
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
