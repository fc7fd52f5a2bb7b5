import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { readExtension } from "../../../src/archive/index.js";
import { manifestText } from "../fixtures.js";
import { archiveErrorOf, extensionOf, folderOf } from "../folders.js";

describe("archive: what never ships", () => {
  test.each([
    [".git/config", ".git/"],
    [".hg/store", ".hg/"],
    [".svn/entries", ".svn/"],
    ["lib/.GIT/config", "lib/.GIT/"],
    ["lib/.git", "lib/.git"],
    [".DS_Store", ".DS_Store"],
    ["._icon.png", "._icon.png"],
    ["__MACOSX/x", "__MACOSX/"],
    ["Thumbs.db", "Thumbs.db"],
    ["img/desktop.ini", "img/desktop.ini"],
    ["key.pem", "key.pem"],
    ["certs/Server.KEY", "certs/Server.KEY"],
    ["id_rsa", "id_rsa"],
    ["deploy/id_ed25519", "deploy/id_ed25519"],
    ["ID_deploy", "ID_deploy"],
    [".env", ".env"],
    [".env.production", ".env.production"],
    ["sub/.envrc", "sub/.envrc"],
    [".npmrc", ".npmrc"],
    ["_metadata/verified_contents.json", "_metadata/"],
    [".app.js.swp", ".app.js.swp"],
    ["app.js~", "app.js~"],
    ["#app.js#", "#app.js#"],
    [".browser-infra/a.zip", ".browser-infra/"],
  ])("leaves out %s and says so", async (path, reported) => {
    const contents = await readExtension(extensionOf([[path, "x"]]));
    expect(contents.entries.map((entry) => entry.path)).toEqual(["manifest.json"]);
    expect(contents).toMatchObject({ leftOut: [reported], leftOutCount: 1 });
  });

  test("keeps what only looks similar, and what a policy needs", async () => {
    const paths = [
      ".gitignore",
      "_locales/en/messages.json",
      "app.js.map",
      "blocker.crx",
      "icons/id_map.json",
      "keys.json",
      "lib/_metadata/x.json",
      "monkey",
      "node_modules/a/index.js",
      "pem.js",
      "update.xml",
    ];
    const folder = folderOf([
      ["manifest.json", manifestText({ default_locale: "en" })],
      ...paths.map((path) => [path, "{}"] as const),
    ]);
    const { entries, leftOut } = await readExtension(folder);
    expect(entries.map(({ path }) => path).filter((path) => path !== "manifest.json")).toEqual(paths);
    expect(leftOut).toEqual([]);
  });

  test("does not look into what never ships, so a link in it does no harm", async () => {
    const folder = extensionOf([[".git/HEAD", ""]]);
    symlinkSync("nowhere", join(folder, ".git/link"));
    symlinkSync("user@host.1:2", join(folder, ".#app.js"));
    expect((await readExtension(folder)).leftOut).toEqual([".#app.js", ".git/"]);
  });

  test("reports a hundred and counts all, except what exclude leaves out", async () => {
    const folder = extensionOf(Array.from({ length: 120 }, (_, index) => [`keys/${index}.pem`, ""] as const));
    const { leftOut, leftOutCount } = await readExtension(folder);
    expect([leftOut.length, leftOutCount]).toEqual([100, 120]);
    expect((await readExtension(folder, { exclude: ["keys"] })).leftOutCount).toBe(0);
  });

  test("says so when the manifest names a file that never ships", async () => {
    const folder = folderOf([
      ["manifest.json", manifestText({ icons: { 16: "a.key" } })],
      ["a.key", ""],
    ]);
    expect((await archiveErrorOf(readExtension(folder))).message).toContain(
      '"icons.16" names "a.key", which never ships (may be a private key)',
    );
  });

  test("ignores an empty folder, which no zip has", async () => {
    const folder = extensionOf();
    mkdirSync(join(folder, "empty/er"), { recursive: true });
    expect((await readExtension(folder)).entries).toHaveLength(1);
  });
});
