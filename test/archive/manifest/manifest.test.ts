import { readExtension } from "../../../src/archive/index.js";
import { fileProblems } from "../../../src/archive/manifest/files.js";
import { readJsonObject } from "../../../src/archive/manifest/json.js";
import { type FixtureFiles, manifestText } from "../fixtures.js";
import { archiveErrorOf, extensionOf, folderOf } from "../folders.js";

/** An extension whose manifest is this text, or these members besides the necessary ones. */
function withManifest(manifest: string | Uint8Array | object, files: FixtureFiles = []): string {
  const contents =
    typeof manifest === "string" || manifest instanceof Uint8Array ? manifest : manifestText(manifest);
  return folderOf([["manifest.json", contents], ...files]);
}

describe("archive: the manifest", () => {
  test.each<[what: string, manifest: string | Uint8Array]>([
    ["a byte order mark", `\ufeff${manifestText()}`],
    [
      "comments of both kinds",
      `// first\n{"manifest_version":3,/* "name" */"name":"Example","version":"1.0.0"}//`,
    ],
    ["version 2", manifestText({ manifest_version: 2 })],
    ["unknown members", manifestText({ __proto__: null, unknown: { a: [1] }, icons: 5, background: [] })],
  ])("loads with %s", async (_what, manifest) => {
    expect((await readExtension(withManifest(manifest))).manifest).toEqual({
      name: "Example",
      version: "1.0.0",
    });
  });

  test("leaves alone what looks like a comment in a string", async () => {
    const { manifest } = await readExtension(withManifest({ name: 'a // b /* c */ "\\' }));
    expect(manifest.name).toBe('a // b /* c */ "\\');
  });

  test.each<[what: string, manifest: string | Uint8Array, problem: string]>([
    ["is empty", "", "is not valid JSON"],
    ["is cut short", "{", "is not valid JSON"],
    ["has a trailing comma", '{"name":"a",}', "is not valid JSON"],
    ["is not UTF-8", Buffer.from([0x7b, 0xff, 0x7d]), "it is not UTF-8"],
    ["is a list", "[]", "is not a JSON object"],
    ["has a comment without an end", "{} /*", "is not closed"],
    ["is larger than 1 MiB", `${" ".repeat(1024 * 1024)}{}`, "is larger than 1.0 MiB"],
  ])("is refused when it %s", async (_what, manifest, problem) => {
    const error = await archiveErrorOf(readExtension(withManifest(manifest)));
    expect(error.code).toBe("archive_manifest_invalid");
    expect(error.message).toContain(problem);
  });

  test.each([1, 4, "3", null, undefined])("is refused with manifest_version %j", async (version) => {
    const error = await archiveErrorOf(readExtension(withManifest({ manifest_version: version })));
    expect(error.message).toContain('"manifest_version" must be the number 2 or 3');
  });

  test.each(["1", "0.0.1", "1.2.3.4", "65535.0.0.65535"])("accepts version %s", async (version) => {
    expect((await readExtension(withManifest({ version }))).manifest.version).toBe(version);
  });

  test.each(["", "1.2.3.4.5", "1.", ".1", "01", "1.02", "65536", "1.0-beta", "1 ", "1\n", 1, undefined])(
    "is refused with version %j",
    async (version) => {
      const error = await archiveErrorOf(readExtension(withManifest({ version })));
      expect(error.message).toContain('"version" must be a string of one to four numbers');
    },
  );

  test("shows a localized name in the default locale, with its key in any case", async () => {
    const folder = withManifest({ name: "__MSG_appName__ beta", default_locale: "de" }, [
      ["_locales/de/messages.json", '{ "APPNAME": { "message": "Leser" } } // ours'],
      ["_locales/en/messages.json", '{ "appName": { "message": "Reader" } }'],
    ]);
    expect((await readExtension(folder)).manifest.name).toBe("Leser beta");
  });

  test.each<[what: string, members: object, files: FixtureFiles, problem: string]>([
    ["no default locale", { name: "__MSG_a__" }, [], '"default_locale" does not say which locale'],
    [
      "no file for it",
      { name: "__MSG_a__", default_locale: "en" },
      [],
      '"_locales/en/messages.json", which does not',
    ],
    [
      "no such message",
      { name: "__MSG_a__", default_locale: "en" },
      [["_locales/en/messages.json", "{}"]],
      'the message "a", which',
    ],
    [
      "a message that is no object",
      { name: "__MSG_a__", default_locale: "en" },
      [["_locales/en/messages.json", '{ "a": null }']],
      'the message "a", which',
    ],
    [
      "the message of a prototype",
      { name: "__MSG___proto____", default_locale: "en" },
      [["_locales/en/messages.json", "{}"]],
      'the message "__proto__", which',
    ],
    [
      "a file outside",
      { name: "__MSG_a__", default_locale: "../../../etc" },
      [],
      '"_locales/../../../etc/messages.json", which does not exist',
    ],
    ["an empty name", { name: " " }, [], '"name" must be a string that is not empty'],
    ["a name without end", { name: "x".repeat(1_001) }, [], '"name" is longer than 1000 characters'],
    [
      "locales and no default",
      {},
      [["_locales/en/messages.json", "{}"]],
      '"default_locale" must name one of its locales',
    ],
  ])("is refused with %s", async (_what, members, files, problem) => {
    expect((await archiveErrorOf(readExtension(withManifest(members, files)))).message).toContain(problem);
  });

  test.each<[where: string, members: object]>([
    ["icons.16", { icons: { 16: "gone.js" } }],
    ["background.service_worker", { background: { service_worker: "gone.js" } }],
    ["background.page", { background: { page: "gone.js" } }],
    ["background.scripts[0]", { background: { scripts: ["gone.js"] } }],
    ["content_scripts[0].js[0]", { content_scripts: [{ js: ["gone.js"] }] }],
    ["content_scripts[0].css[0]", { content_scripts: [{ css: ["gone.js"] }] }],
    ["action.default_popup", { action: { default_popup: "gone.js" } }],
    ["action.default_icon", { action: { default_icon: "gone.js" } }],
    ["browser_action.default_icon.16", { browser_action: { default_icon: { 16: "gone.js" } } }],
    ["options_page", { options_page: "gone.js" }],
    ["options_ui.page", { options_ui: { page: "gone.js" } }],
    ["devtools_page", { devtools_page: "gone.js" }],
    ["side_panel.default_path", { side_panel: { default_path: "gone.js" } }],
    ["chrome_url_overrides.newtab", { chrome_url_overrides: { newtab: "gone.js" } }],
    [
      "declarative_net_request.rule_resources[0].path",
      { declarative_net_request: { rule_resources: [{ path: "gone.js" }] } },
    ],
    ["sandbox.pages[0]", { sandbox: { pages: ["gone.js"] } }],
    ["web_accessible_resources[0]", { web_accessible_resources: ["gone.js"] }],
    ["web_accessible_resources[0].resources[0]", { web_accessible_resources: [{ resources: ["gone.js"] }] }],
  ])("is refused when %s names a missing file", async (where, members) => {
    const error = await archiveErrorOf(readExtension(withManifest(members)));
    expect(error.message).toContain(`"${where}" names "gone.js", which does not exist`);
    expect((await readExtension(withManifest(members, [["gone.js", "here"]]))).entries).toHaveLength(2);
  });

  test.each(["/page.html", "./page.html", "lib/../page.html", "page.html?a=1#b", "p%61ge.html"])(
    "finds the file that is named as %s",
    async (reference) => {
      const folder = withManifest({ options_page: reference }, [["page.html", ""]]);
      expect((await readExtension(folder)).entries).toHaveLength(2);
    },
  );

  test("says how a file is written whose name differs in letter case", async () => {
    const folder = withManifest({ options_page: "Options.html" }, [["options.html", ""]]);
    expect((await archiveErrorOf(readExtension(folder))).message).toContain('is written "options.html"');
  });

  test("accepts patterns and folders where the browser does", async () => {
    const folder = withManifest(
      { sandbox: { pages: ["*.html"] }, web_accessible_resources: [{ resources: ["img/*", "img/", "img"] }] },
      [["img/a.png", ""]],
    );
    expect((await readExtension(folder)).entries).toHaveLength(2);
  });

  test("requires update.xml and a .crx next to an extension of version 3 that blocks requests", async () => {
    const members = { permissions: ["webRequest", "webRequestBlocking"] };
    const error = await archiveErrorOf(readExtension(withManifest(members, [["sub/a.crx", ""]])));
    expect(error.message).toContain('need "update.xml" and the packed .crx next to manifest.json');
    const complete = withManifest(members, [
      ["update.xml", ""],
      ["a.crx", ""],
    ]);
    expect((await readExtension(complete)).entries).toHaveLength(3);
    const older = withManifest({ ...members, manifest_version: 2 });
    expect((await readExtension(older)).entries).toHaveLength(1);
  });

  test("lists ten problems in one error and counts the rest", async () => {
    const scripts = Array.from({ length: 30 }, (_, index) => `missing-${index}.js`);
    const folder = withManifest({ name: "", version: "x", content_scripts: [{ js: scripts }] });
    const { message } = await archiveErrorOf(readExtension(folder));
    expect(message).toContain('"name" must be');
    expect(message).toContain('"version" must be');
    expect(message).toContain("missing-7.js");
    expect(message).toContain("and 22 more");
  });

  test.each<[what: string, manifest: (length: number) => string]>([
    ["one string without end", (length) => `"${'\\"'.repeat(length / 2)}`],
    ["comments that never end", (length) => "/*".repeat(length / 2)],
    ["half a million lists", (length) => "[".repeat(length)],
  ])("takes time in proportion to the length of %s", async (_what, manifest) => {
    const fastest = async (length: number): Promise<number> => {
      const bytes = Buffer.from(manifest(length));
      const files = { label: "", sizes: new Map(), read: async () => bytes, whyLeftOut: () => undefined };
      let fastestMs = Number.POSITIVE_INFINITY;
      for (let time = 0; time < 5; time += 1) {
        const startedAt = performance.now();
        const problem = await readJsonObject(files, "manifest.json");
        fastestMs = Math.min(fastestMs, performance.now() - startedAt);
        expect(problem).toContain("is not valid JSON");
        expect(String(problem).length).toBeLessThan(3_000);
      }
      return fastestMs;
    };
    const shortMs = await fastest(50_000);
    // Twenty times the length takes 400 times the time where every character is looked at for each.
    expect(await fastest(1_000_000)).toBeLessThan(200 * Math.max(shortMs, 0.1));
  });

  test("looks through the files for a few of tens of thousands of missing ones, and names no more", async () => {
    let looks = 0;
    const sizes = new (class extends Map<string, number> {
      override keys() {
        looks += 1;
        return super.keys();
      }
    })();
    const files = { label: "", sizes, read: async () => Buffer.alloc(0), whyLeftOut: () => undefined };
    const members = { content_scripts: [{ js: manyNames(60_000) }] };
    expect(fileProblems(members, files)).toHaveLength(60_000);
    expect(looks).toBeLessThan(20);
    const { message } = await archiveErrorOf(readExtension(withManifest(members)));
    expect(message.length).toBeLessThan(3_000);
  });

  test("may be the only file of an extension", async () => {
    expect((await readExtension(extensionOf())).entries.map(({ path }) => path)).toEqual(["manifest.json"]);
  });
});

function manyNames(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `f${index}`);
}
