import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { archiveFormat } from "../../../../src/archive/index.js";
import { ExtensionLifecycle } from "../../../../src/providers/browsers/extension/lifecycle.js";
import type { LifecycleContext } from "../../../../src/providers/lifecycle.js";
import type { PropertyMap } from "../../../../src/providers/properties.js";
import { manifestText } from "../../../archive/fixtures.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";

const urn = "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/browser-infra:Extension::reader";

describe("files excluded from an extension", () => {
  let folder: string;
  let messages: string[];
  let lifecycle: ExtensionLifecycle;
  let apiKey: string;

  beforeEach(() => {
    folder = temporaryFolder();
    messages = [];
    lifecycle = new ExtensionLifecycle();
    apiKey = "key";
    write("manifest.json", '{ "manifest_version": 3, "name": "Reader", "version": "1.0.0" }');
  });

  function write(file: string, content = "x"): void {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), content);
  }

  async function check(
    news: PropertyMap = {},
    olds?: { inputs: PropertyMap; memo?: PropertyMap },
    resource = urn,
  ) {
    const say = (severity: string) => (message: string) => messages.push(`${severity}: ${message}`);
    const context: LifecycleContext = {
      urn: resource,
      programFolder: folder,
      configuration: () => undefined,
      environment: { BROWSER_INFRA_BASE_URL: "http://127.0.0.1:9", BROWSER_INFRA_API_KEY: apiKey },
      signal: new AbortController().signal,
      report: {
        progress: say("progress"),
        row: say("row"),
        info: say("info"),
        warning: say("warning"),
        debug: say("debug"),
      },
    };
    const result = await lifecycle.check(
      { news: { path: ".", ...news }, olds: olds?.inputs, memo: olds?.memo },
      context,
    );
    return {
      ...result,
      diff: () => lifecycle.diff({ id: "a", olds: result.inputs, news: result.inputs }, context),
    };
  }

  test("the row names the first three excluded files and a count, --debug shows all, and names are escaped", async () => {
    write(".git/HEAD");
    write(".vscode/settings.json");
    write("lib/production.env");
    write("\u001b[31m.pem");
    await check();
    expect(messages).toEqual([
      'info: Excluded "\\u001b[31m.pem", ".git/", ".vscode/" and 1 more: such files never ship. "--debug" shows all names.',
      'debug: Excluded, because such files never ship: "\\u001b[31m.pem", ".git/", ".vscode/", "lib/production.env".',
    ]);
  });

  test("a warning names the files that the manifest needs and the extension lacks", async () => {
    const members = { action: { default_popup: "gone.html" }, devtools_page: "\u001b.html" };
    write("manifest.json", manifestText(members));
    await check();
    expect(messages).toEqual([
      'warning: The extension loads in Chromium, but "action.default_popup" names "gone.html", which does not exist; "devtools_page" names "\\u001b.html", which does not exist.',
    ]);
    messages = [];
    lifecycle = new ExtensionLifecycle();
    write("gone.html");
    await check({ exclude: ["gone.html"] });
    expect(messages[0]).not.toContain("gone.html");
  });

  test("without excluded files, or if exclude covers the files, there is no message", async () => {
    await check();
    write(".env");
    await check({ exclude: [".env"] }, undefined, `${urn}2`);
    expect(messages).toEqual([]);
    await check({}, undefined, `${urn}3`);
    expect(messages[0]).toBe('info: Excluded ".env": such files never ship.');
  });

  test("the debug message names at most a hundred excluded files, and the state contains neither names nor count", async () => {
    const bare = await check();
    for (let index = 0; index < 120; index += 1) {
      write(`keys/${index}.pem`);
    }
    const { inputs, memo } = await check({}, undefined, `${urn}2`);
    expect(messages[0]).toContain(" and 117 more: such files never ship.");
    expect(messages[1]?.match(/\.pem/g)).toHaveLength(100);
    expect(messages[1]?.endsWith(" and 20 more.")).toBe(true);
    expect([inputs.checksum, inputs.files]).toEqual([bare.inputs.checksum, bare.inputs.files]);
    expect(JSON.stringify([inputs, memo])).not.toMatch(/pem|120/);
  });

  test("a newly excluded file is no difference in the next preview", async () => {
    const before = await check();
    write(".env");
    write(".idea/workspace.xml");
    const after = await check({}, before);
    expect(after.inputs).toEqual(before.inputs);
    expect(after.diff()).toEqual({ changes: false });
  });

  test("excluded files are mentioned once per run and resource, although the engine checks a replacement twice", async () => {
    write(".env");
    const first = await check({ exclude: ["nope"] });
    await check({ exclude: ["nope"] }, first);
    await check({ exclude: ["nope"] });
    expect(messages.map((message) => message.split(":")[0])).toEqual(["info", "debug", "warning"]);
    await check({ exclude: ["nope"] }, undefined, `${urn}2`);
    expect(messages).toHaveLength(6);
    // The next run uses a new process.
    lifecycle = new ExtensionLifecycle();
    await check({ exclude: ["nope"] }, first);
    expect(messages).toHaveLength(9);
  });

  test("a pattern in exclude that matches no file causes a warning", async () => {
    write("tests/a.js");
    await check({ exclude: ["tests", "docs/**", "**/*.\u202emap"] });
    expect(messages).toEqual([
      'warning: "exclude" has patterns without effect: "docs/**", "**/*.\\u202emap". Correct or remove these patterns.',
    ]);
  });

  test("a folder with a private key is refused, and the failure names the file", async () => {
    write("notes.txt", `-----BEGIN RSA PRIVATE ${"KEY"}-----\nMIIEpAIBAAKCAQEAx3Qy7v0m8w2JfZp4`);
    const { failures } = await check();
    expect(failures).toEqual([
      { property: "path", reason: expect.stringContaining('Files with a private key (1): "notes.txt"') },
    ]);
    expect((await check({ exclude: ["notes.txt"] })).failures).toEqual([]);
  });

  test("a folder with the API key of the deployment is refused, although packed earlier with a different key", async () => {
    write("settings.js", 'const key = "sk_0123456789abcdef";');
    const before = await check();
    expect(before.failures).toEqual([]);
    apiKey = "sk_0123456789abcdef";
    // With the memo or the archive of the earlier check, the folder is only read.
    for (const olds of [before, undefined]) {
      const { failures, inputs, memo } = await check({}, olds);
      expect([failures.length, inputs, memo]).toEqual([1, {}, undefined]);
      expect(failures[0]?.reason).toContain('Files with the API key of this deployment (1): "settings.js".');
      expect(failures[0]?.reason).not.toContain(apiKey);
    }
    const { failures, ...kept } = await check({ exclude: ["settings.js"] }, before);
    expect(failures).toEqual([]);
    expect(JSON.stringify(kept)).not.toContain(apiKey);
  });

  test("an upgrade that excludes more files shows the removed files, and leaves unaffected folders unchanged", async () => {
    const before = await check();
    // The memo of an earlier format is not trusted.
    const memo = {
      ...before.memo,
      archive: { ...(before.memo?.archive as object), format: archiveFormat - 1 },
    };
    expect((await check({}, { ...before, memo })).inputs).toEqual(before.inputs);
    const shipped = {
      ...before.inputs,
      checksum: "0".repeat(64),
      files: { ...(before.inputs.files as object), ".vscode/x": "1" },
    };
    write(".vscode/x");
    const { inputs } = await check({}, { inputs: shipped, memo });
    expect(inputs).toEqual(before.inputs);
  });
});
