import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { packExtension } from "../../src/archive/index.js";
import { BrowserInfraClient } from "../../src/client/index.js";
import type { Emulator } from "../../src/emulator/index.js";
import { storedZip } from "../support/stored-zip.js";
import { programsFolder } from "./install-package.js";
import { startService, writesIn } from "./service.js";
import { Stack } from "./stack.js";

const manifest = '{ "manifest_version": 3, "name": "Reader", "version": "1.0.0" }';

describe("an extension that exists, with the real engine", () => {
  let emulator: Emulator;
  let environment: NodeJS.ProcessEnv;
  let stack: Stack;
  let client: BrowserInfraClient;

  beforeEach(async () => {
    ({ emulator, environment } = await startService());
    stack = await Stack.create(environment);
    stack.write("extension/manifest.json", manifest);
    client = new BrowserInfraClient({ baseUrl: emulator.url, apiKey: emulator.apiKeys[0] ?? "" });
  });

  afterEach(async () => {
    stack.remove();
    await emulator.close();
  });

  function declare(args: string): void {
    stack.write(
      "index.js",
      `new (require("pulumi-browser-infra").Extension)("reader", { path: "./extension", ${args} });`,
    );
  }

  /** Uploads, past Pulumi, the very archive that the folder packs to. */
  async function uploadSameBytes(name: string) {
    const { bytes } = await packExtension(stack.path("extension"));
    return client.extensions.upload({ name, archive: bytes });
  }

  it.each(["id", "name"] as const)(
    "is taken over by its %s with its name and without an upload",
    async (by) => {
      const theirs = await uploadSameBytes("theirs");
      declare(`adopt: "${theirs[by]}"`);
      const output = await stack.up();
      expect(output).toContain("taken over as it is");
      expect(stack.extension()).toMatchObject({ id: theirs.id, outputs: { name: "theirs" } });
      await stack.up("--expect-no-changes");
      declare("");
      await stack.up("--expect-no-changes");
      expect(writesIn(emulator)).toEqual(["POST /extensions"]);
    },
  );

  it("is replaced after it was taken over when its folder changes", async () => {
    const theirs = await uploadSameBytes("theirs");
    declare(`adopt: "${theirs.id}"`);
    await stack.up();
    stack.write("extension/content.js", "// more\n");
    await stack.up();
    expect(stack.extension().id).not.toBe(theirs.id);
    expect(emulator.extensions.list()).toMatchObject([{ id: stack.extension().id }]);
    await stack.up("--expect-no-changes");
    stack.write("extension/content.js", "// more and more\n");
    await stack.up();
    expect(emulator.extensions.list()).toMatchObject([{ id: stack.extension().id }]);
    await stack.up("--expect-no-changes");
  });

  it.each([
    ["same content, packed differently", manifest],
    ["other content", manifest.replace("1.0.0", "0.9.0")],
  ])("with %s is taken over, told so, and replaced by the next deployment", async (difference, contents) => {
    const archive = storedZip([{ name: "manifest.json", contents }]);
    const theirs = await client.extensions.upload({ name: "theirs", archive });
    declare(`adopt: "${theirs.id}"`);
    expect(await stack.up()).toContain(difference);
    expect(stack.extension().id).toBe(theirs.id);
    expect((await stack.preview("--expect-no-changes")).exitCode).not.toBe(0);
    await stack.up();
    expect(stack.extension().id).not.toBe(theirs.id);
    expect(emulator.extensions.list()).toMatchObject([{ id: stack.extension().id }]);
    await stack.up("--expect-no-changes");
  });

  it("and does no more is uploaded instead, with a warning", async () => {
    declare('adopt: "nobody"');
    expect(await stack.up()).toContain('There is no extension "nobody" to take over');
    expect(emulator.extensions.list()).toMatchObject([{ id: stack.extension().id }]);
    await stack.up("--expect-no-changes");
  });

  it("stays the same when its replacement is forced after it was taken over with a fixed name", async () => {
    const theirs = await uploadSameBytes("theirs");
    declare(`adopt: "${theirs.id}", name: "theirs"`);
    await stack.up();
    await stack.up("--replace", stack.extension().urn);
    expect(emulator.extensions.list()).toMatchObject([
      { id: stack.extension().id, name: "theirs", checksum: theirs.checksum },
    ]);
    await stack.up("--expect-no-changes");
  });

  it("stays the same when it is tainted after it was taken over", async () => {
    const theirs = await uploadSameBytes("theirs");
    declare(`adopt: "${theirs.id}"`);
    await stack.up();
    await stack.succeed("state", "taint", "--yes", stack.extension().urn);
    await stack.up();
    expect(emulator.extensions.list()).toMatchObject([
      { id: stack.extension().id, checksum: theirs.checksum },
    ]);
    await stack.up("--expect-no-changes");
  });

  it.each([
    ["the same bytes", manifest, "taken over as it is"],
    ["other bytes", manifest.replace("1.0.0", "0.9.0"), "it differs"],
  ])(
    "without a checksum on record is compared by its bytes when it is taken over: %s",
    async (_what, contents, said) => {
      stack.write("theirs/manifest.json", contents);
      const { bytes } = await packExtension(stack.path("theirs"));
      const theirs = await client.extensions.upload({ name: "theirs", archive: bytes });
      emulator.extensions.forgetChecksum(theirs.id);
      declare(`adopt: "${theirs.id}"`);
      expect(await stack.up()).toContain(said);
      expect(stack.extension().outputs.checksum).toBe(theirs.checksum);
    },
  );

  /** Imports extensions as the command line says how. */
  async function importAll(...ids: readonly string[]): Promise<void> {
    const command = join(programsFolder, "node_modules", ".bin", "browser-infra");
    const { stdout } = await promisify(execFile)(
      command,
      ["import", "extension", ...ids, "--output", stack.path("import.json")],
      { env: { ...process.env, ...environment } },
    );
    const [, args = ""] = /^ +pulumi (import --file .*)$/m.exec(stdout) ?? [];
    const options = args.replace(stack.path("import.json"), "import.json").split(" ");
    await stack.succeed(...options, "--yes", "--skip-preview");
  }

  it("is imported together with others, with a name or without one, and a refresh changes nothing", async () => {
    const named = await uploadSameBytes("reader");
    const { bytes } = await packExtension(stack.path("extension"));
    const unnamed = await client.extensions.upload({ archive: bytes });
    await importAll(named.id, unnamed.id);
    stack.write(
      "index.js",
      `const { Extension } = require("pulumi-browser-infra");
       new Extension("reader", { path: "./extension", name: "reader" });
       new Extension("${unnamed.id}", { path: "./extension", adopt: "${unnamed.id}" });`,
    );
    await stack.up("--expect-no-changes");
    await stack.succeed("refresh", "--yes", "--skip-preview", "--expect-no-changes");
    await stack.up("--expect-no-changes");
    expect(emulator.extensions.list()).toHaveLength(2);
    expect(writesIn(emulator)).toEqual(["POST /extensions", "POST /extensions"]);
  });

  it("is imported by a file of the command line, and the next preview is empty", async () => {
    const theirs = await uploadSameBytes("reader");
    declare('name: "reader"');
    await importAll(theirs.id);
    expect(stack.extension()).toMatchObject({
      id: theirs.id,
      outputs: { fileCount: 1, manifest: { name: "Reader", version: "1.0.0" } },
    });
    const { exitCode, output } = await stack.preview("--expect-no-changes");
    expect(`${exitCode} ${output}`).toMatch(/^0 /);
    stack.write("extension/content.js", "// more\n");
    await stack.up();
    expect(emulator.extensions.list()).toMatchObject([{ id: stack.extension().id, name: "reader" }]);
    await stack.succeed("destroy", "--yes", "--skip-preview");
    expect(emulator.extensions.list()).toEqual([]);
  });
});
