import { readExtension } from "../../../src/archive/index.js";
import { checkFiles } from "../../../src/archive/manifest/files.js";
import { Findings } from "../../../src/archive/manifest/findings.js";
import { readJsonObject } from "../../../src/archive/manifest/json.js";
import { References } from "../../../src/archive/manifest/references.js";
import { type FixtureFiles, manifestText } from "../fixtures.js";
import { archiveErrorOf, extensionOf, folderOf } from "../folders.js";

/** Extension with the given manifest text, or with members besides the required ones. */
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
    ["unknown members", manifestText({ __proto__: null, unknown: { a: [1] }, background: [] })],
  ])("a manifest with %s loads", async (_what, manifest) => {
    expect((await readExtension(withManifest(manifest))).manifest).toEqual({
      name: "Example",
      version: "1.0.0",
    });
  });

  test("a string in a manifest keeps text that looks like a comment", async () => {
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
  ])("a manifest that %s is refused", async (_what, manifest, problem) => {
    const error = await archiveErrorOf(readExtension(withManifest(manifest)));
    expect(error.code).toBe("archive_manifest_invalid");
    expect(error.message).toContain(problem);
  });

  test.each([1, 3.5, "3", null, undefined])(
    "a manifest with manifest_version %j is refused",
    async (version) => {
      const error = await archiveErrorOf(readExtension(withManifest({ manifest_version: version })));
      expect(error.message).toContain('"manifest_version" must be the number 2 or 3');
    },
  );

  test.each(["1", "0.0.1", "1.2.3.4", "4294967295.0.0.65536", "2024.01.05"])(
    "a manifest with version %s is accepted",
    async (version) => {
      expect((await readExtension(withManifest({ version }))).manifest.version).toBe(version);
    },
  );

  test.each(["", "1.2.3.4.5", "1.", ".1", "01", "4294967296", "1.0-beta", "1 ", "1\n", 1, undefined])(
    "a manifest with version %j is refused",
    async (version) => {
      const error = await archiveErrorOf(readExtension(withManifest({ version })));
      expect(error.message).toContain('"version" must be a string of one to four numbers');
    },
  );

  test("a localized name is shown in the default locale, with the message key in any case", async () => {
    const folder = withManifest({ name: "__MSG_appName__ beta", default_locale: "de" }, [
      ["_locales/de/messages.json", '{ "APPNAME": { "message": "Leser" } } // ours'],
      ["_locales/en/messages.json", '{ "appName": { "message": "Reader" } }'],
    ]);
    expect((await readExtension(folder)).manifest.name).toBe("Leser beta");
  });

  test.each<[what: string, members: object, files: FixtureFiles, problem: string]>([
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
      'must have an object with a string as "message" for the message "a"',
    ],
    [
      "the message of a prototype",
      { name: "__MSG_constructor__", default_locale: "en" },
      [["_locales/en/messages.json", "{}"]],
      'the message "constructor", which',
    ],
    [
      "a file outside",
      { name: "__MSG_a__", default_locale: "../../../etc" },
      [],
      '"_locales/../../../etc/messages.json", which does not exist',
    ],
    [
      "a worker whose type is a number",
      { background: { service_worker: "a.js", type: 5 } },
      [["a.js", ""]],
      '"background.type" must be a string',
    ],
    ["an empty name", { name: "" }, [], '"name" must be a string that is not empty'],
    [
      "locales and no default",
      {},
      [["_locales/en/messages.json", "{}"]],
      '"default_locale" is missing and must name a locale in the folder "_locales"',
    ],
  ])("a manifest with %s is refused", async (_what, members, files, problem) => {
    expect((await archiveErrorOf(readExtension(withManifest(members, files)))).message).toContain(problem);
  });

  test("a manifest's name is cut after a thousand characters", async () => {
    const { manifest } = await readExtension(withManifest({ name: "x".repeat(1_001) }));
    expect(manifest.name).toBe(`${"x".repeat(1_000)}…`);
  });

  const script = { matches: ["<all_urls>"] };
  const ruleset = { id: "a", enabled: true, path: "gone.js" };
  test.each<[where: string, members: object]>([
    ["background.page", { manifest_version: 2, background: { page: "gone.js" } }],
    ["background.scripts[0]", { manifest_version: 2, background: { scripts: ["gone.js"] } }],
    ["background.service_worker", { background: { service_worker: "gone.js" } }],
    ["content_scripts[0].js[0]", { content_scripts: [{ ...script, js: ["gone.js"] }] }],
    ["content_scripts[0].css[0]", { content_scripts: [{ ...script, css: ["gone.css"] }] }],
    ["options_page", { options_page: "gone.js" }],
    ["options_ui.page", { options_ui: { page: "gone.js" } }],
    ["side_panel.default_path", { side_panel: { default_path: "gone.js" } }],
    ["chrome_url_overrides.newtab", { chrome_url_overrides: { newtab: "gone.js" } }],
    [
      "declarative_net_request.rule_resources[0].path",
      { permissions: ["declarativeNetRequest"], declarative_net_request: { rule_resources: [ruleset] } },
    ],
  ])("a manifest is refused when %s names a missing file", async (where, members) => {
    const file = where.includes("css") ? "gone.css" : "gone.js";
    const error = await archiveErrorOf(readExtension(withManifest(members)));
    expect(error.message).toContain(`"${where}" names "${file}", which does not exist`);
    expect((await readExtension(withManifest(members, [[file, "[]"]]))).entries).toHaveLength(2);
  });

  test.each<[where: string, members: object]>([
    ["icons.16", { icons: { 16: "gone.png" } }],
    ["action.default_icon", { action: { default_icon: "gone.png" } }],
    [
      "browser_action.default_icon.16",
      { manifest_version: 2, browser_action: { default_icon: { 16: "gone.png" } } },
    ],
  ])("a manifest is refused when %s names a missing or empty icon", async (where, members) => {
    const missing = await archiveErrorOf(readExtension(withManifest(members)));
    expect(missing.message).toContain(`"${where}" names "gone.png", which does not exist`);
    const empty = await archiveErrorOf(readExtension(withManifest(members, [["gone.png", ""]])));
    expect(empty.message).toContain(`"${where}" names "gone.png", which is empty`);
    expect((await readExtension(withManifest(members, [["gone.png", "x"]]))).entries).toHaveLength(2);
  });

  const resources = { resources: ["gone.js"], matches: ["<all_urls>"] };
  test.each<[where: string, members: object]>([
    ["action.default_popup", { action: { default_popup: "gone.js" } }],
    ["devtools_page", { devtools_page: "gone.js" }],
    ["sandbox.pages[0]", { sandbox: { pages: ["gone.js"] } }],
    ["web_accessible_resources[0].resources[0]", { web_accessible_resources: [resources] }],
  ])(
    "a manifest whose %s names a missing file causes a warning, unless exclude matches the file",
    async (where, members) => {
      const folder = withManifest(members);
      expect((await readExtension(folder)).warnings).toEqual([
        `"${where}" names "gone.js", which does not exist`,
      ]);
      expect((await readExtension(folder, { exclude: ["gone.js"] })).warnings).toEqual([]);
      expect((await readExtension(withManifest(members, [["gone.js", ""]]))).warnings).toEqual([]);
    },
  );

  test.each<[what: string, manifest: string, warning: string]>([
    ["comments", `// c\n${manifestText()}`, "manifest.json has comments, a byte order mark"],
    ["version 2", manifestText({ manifest_version: 2 }), '"manifest_version" is 2'],
    ["version 4", manifestText({ manifest_version: 4 }), '"manifest_version" is 4'],
    ["a version of the browser to come", manifestText({ minimum_chrome_version: "157.0" }), "later than 156"],
    ["pages for other browsers", manifestText({ background: { scripts: ["a.js"] } }), "for other browsers"],
    ["the button of version 2", manifestText({ browser_action: {} }), '"browser_action" is for version 2'],
  ])("a manifest with %s causes a warning", async (_what, manifest, warning) => {
    const { warnings } = await readExtension(withManifest(manifest));
    expect([warnings.length, warnings[0]?.includes(warning)]).toEqual([1, true]);
  });

  test.each<[what: string, members: object]>([
    ["settings of other browsers", { browser_specific_settings: { gecko: { id: "a@b" } } }],
    [
      "a worker beside scripts of other browsers",
      { background: { service_worker: "a.js", scripts: ["b.js"] } },
    ],
    ["the buttons of both versions", { action: {}, browser_action: { default_popup: "gone.html" } }],
    ["a pattern that matches nothing", { sandbox: { pages: ["img/*.png"] } }],
    ["an optional permission to block", { optional_permissions: ["webRequestBlocking"] }],
    ["a version of the browser that was measured", { minimum_chrome_version: "156.0.8078.1" }],
  ])("a manifest with %s causes no warning", async (_what, members) => {
    expect((await readExtension(withManifest(members, [["a.js", ""]]))).warnings).toEqual([]);
  });

  test.each(["/page.html", "./page.html", "lib/../page.html", "page.html?a=1#b", "p%61ge.html"])(
    "a file that the manifest names as %s is found",
    async (reference) => {
      const folder = withManifest({ options_page: reference }, [["page.html", ""]]);
      expect((await readExtension(folder)).entries).toHaveLength(2);
    },
  );

  test("the error for a file name in the wrong letter case shows the existing spelling", async () => {
    const folder = withManifest({ options_page: "Options.html" }, [["options.html", ""]]);
    expect((await archiveErrorOf(readExtension(folder))).message).toContain('is written "options.html"');
  });

  test("a manifest may name patterns and folders where the browser accepts patterns and folders", async () => {
    const folder = withManifest(
      {
        sandbox: { pages: ["*.html"] },
        web_accessible_resources: [{ resources: ["img/*", "img/", "img"], matches: ["<all_urls>"] }],
      },
      [["img/a.png", ""]],
    );
    expect((await readExtension(folder)).warnings).toEqual([]);
  });

  test("a manifest of version 3 that blocks requests without a policy causes a warning", async () => {
    const members = { permissions: ["webRequest", "webRequestBlocking"] };
    const { warnings } = await readExtension(withManifest(members, [["sub/a.crx", ""]]));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(
      'and a policy needs "update.xml" and the packed .crx next to manifest.json',
    );
    const update = `<gupdate><app appid='${"abcdefghijklmnop".repeat(2)}'></app></gupdate>`;
    const complete = withManifest(members, [
      ["update.xml", update],
      ["a.crx", ""],
    ]);
    expect((await readExtension(complete)).warnings).toEqual([]);
  });

  test.each(["", "<app appid='x'/>"])(
    "an extension with an update.xml that names no extension is refused: %j",
    async (xml) => {
      const files = [["update.xml", xml]] as const;
      const error = await archiveErrorOf(readExtension(withManifest({ permissions: ["webRequest"] }, files)));
      expect(error.message).toContain('"update.xml" names no extension');
      expect((await readExtension(withManifest({}, files))).warnings).toEqual([]);
    },
  );

  test("the error for a bad manifest lists ten problems and counts the rest", async () => {
    const scripts = Array.from({ length: 30 }, (_, index) => `missing-${index}.js`);
    const folder = withManifest({ name: "", version: "x", content_scripts: [{ ...script, js: scripts }] });
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
  ])("reading a manifest takes time in proportion to the length of %s", async (_what, manifest) => {
    const fastest = async (length: number): Promise<number> => {
      const bytes = Buffer.from(manifest(length));
      const files = { label: "", sizes: new Map(), read: async () => bytes, exclusionOf: () => undefined };
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
    // Quadratic work would take 400 times the time for 20 times the length.
    expect(await fastest(1_000_000)).toBeLessThan(200 * Math.max(shortMs, 0.1));
  });

  test("a manifest with 60,000 missing files causes few searches and a short error", async () => {
    let looks = 0;
    const sizes = new (class extends Map<string, number> {
      override keys() {
        looks += 1;
        return super.keys();
      }
    })();
    const files = { label: "", sizes, read: async () => Buffer.alloc(0), exclusionOf: () => undefined };
    const members = { content_scripts: [{ ...script, js: manyNames(60_000) }] };
    const findings = new Findings();
    checkFiles(members, files, new References(files), findings);
    expect(findings.refusals.size).toBe(60_000);
    expect(looks).toBeLessThan(20);
    const { message } = await archiveErrorOf(readExtension(withManifest(members)));
    expect(message.length).toBeLessThan(3_000);
  });

  test("an extension may consist of a manifest alone", async () => {
    expect((await readExtension(extensionOf())).entries.map(({ path }) => path)).toEqual(["manifest.json"]);
  });
});

function manyNames(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `f${index}.js`);
}
