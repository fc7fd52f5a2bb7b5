import { packExtension } from "../../src/archive/index.js";
import { BrowserInfraClient } from "../../src/client/index.js";
import type { Emulator } from "../../src/emulator/index.js";
import { storedZip } from "../support/stored-zip.js";
import { importWithFile } from "./import-file.js";
import { startService, writesIn } from "./service.js";
import { Stack } from "./stack.js";

const manifest = '{ "manifest_version": 3, "name": "Reader", "version": "1.0.0" }';

describe("an existing extension, with the real engine", () => {
  let emulator: Emulator;
  let environment: NodeJS.ProcessEnv;
  let stack: Stack;
  let client: BrowserInfraClient;

  beforeEach(async () => {
    ({ emulator, environment } = await startService());
    stack = await Stack.createYaml(environment);
    stack.write("extension/manifest.json", manifest);
    client = new BrowserInfraClient({ baseUrl: emulator.url, apiKey: emulator.apiKeys[0] ?? "" });
  });

  afterEach(async () => {
    stack.remove();
    await emulator.close();
  });

  function declare(args: Record<string, unknown>, options: Record<string, unknown> = {}): void {
    stack.declare({ reader: { type: "Extension", properties: { path: "./extension", ...args }, options } });
  }

  /** Declares one extension for each of `adopted`, which takes that one over. */
  function declareEach(...adopted: (string | undefined)[]): void {
    const resources = adopted.map((adopt, index) => [
      `reader-${index}`,
      { type: "Extension", properties: { path: "./extension", adopt } },
    ]);
    stack.declare(Object.fromEntries(resources));
  }

  /** Uploads, without Pulumi, the same archive that the folder packs to. */
  async function uploadSameBytes(name: string) {
    const { bytes } = await packExtension(stack.path("extension"));
    return client.extensions.upload({ name, archive: bytes });
  }

  test("is taken over by its id or its name, with its name and without an upload", async () => {
    const one = await uploadSameBytes("one");
    const two = await uploadSameBytes("two");
    declareEach(one.id, "two");
    const output = await stack.up();
    for (const { id } of [one, two]) {
      expect(output).toContain(`Adopted extension ${id} as it is`);
    }
    expect(stack.extensions()).toMatchObject([
      { id: one.id, outputs: { name: "one" } },
      { id: two.id, outputs: { name: "two" } },
    ]);
    await stack.up("--expect-no-changes");
    declareEach(undefined, undefined);
    await stack.up("--expect-no-changes");
    expect(writesIn(emulator)).toEqual(["POST /extensions", "POST /extensions"]);
  });

  test("is replaced after it was taken over when its folder changes", async () => {
    const theirs = await uploadSameBytes("theirs");
    declare({ adopt: theirs.id });
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

  test("with other bytes is taken over and replaced in one deployment, with a message about the difference", async () => {
    const upload = (version: string) => {
      const contents = manifest.replace("1.0.0", version);
      return client.extensions.upload({ archive: storedZip([{ name: "manifest.json", contents }]) });
    };
    const same = await upload("1.0.0");
    const older = await upload("0.9.0");
    declareEach(same.id, older.id);
    const output = await stack.up();
    expect(output).toMatch(new RegExp(`Replaced extension ${same.id} .*same content, packed differently`));
    expect(output).toMatch(new RegExp(`Replaced extension ${older.id} .*different content`));
    const ids = () => stack.extensions().map(({ id }) => id);
    expect(ids().filter((id) => [same.id, older.id].includes(id))).toEqual([]);
    expect(new Set(emulator.extensions.list().map(({ id }) => id))).toEqual(new Set(ids()));
    await stack.up("--expect-no-changes");
  });

  test("is uploaded instead when it is gone, with a warning", async () => {
    declare({ adopt: "nobody" });
    expect(await stack.up()).toContain('There is no extension "nobody" to adopt');
    expect(emulator.extensions.list()).toMatchObject([{ id: stack.extension().id }]);
    await stack.up("--expect-no-changes");
  });

  test("stays the same when a replacement is forced after it was taken over with a fixed name", async () => {
    const theirs = await uploadSameBytes("theirs");
    declare({ adopt: theirs.id, name: "theirs" }, { deleteBeforeReplace: true });
    await stack.up();
    await stack.up("--replace", stack.extension().urn);
    expect(emulator.extensions.list()).toMatchObject([
      { id: stack.extension().id, name: "theirs", checksum: theirs.checksum },
    ]);
    await stack.up("--expect-no-changes");
  });

  test("stays the same when it is tainted after it was taken over", async () => {
    const theirs = await uploadSameBytes("theirs");
    declare({ adopt: theirs.id });
    await stack.up();
    await stack.succeed("state", "taint", "--yes", stack.extension().urn);
    await stack.up();
    expect(emulator.extensions.list()).toMatchObject([
      { id: stack.extension().id, checksum: theirs.checksum },
    ]);
    await stack.up("--expect-no-changes");
  });

  test("without a recorded checksum is compared by its bytes when it is taken over", async () => {
    stack.write("older/manifest.json", manifest.replace("1.0.0", "0.9.0"));
    const { bytes } = await packExtension(stack.path("older"));
    const same = await uploadSameBytes("same");
    const older = await client.extensions.upload({ name: "older", archive: bytes });
    for (const { id } of [same, older]) {
      emulator.extensions.forgetChecksum(id);
    }
    declareEach(same.id, older.id);
    const output = await stack.up();
    expect(output).toContain(`Adopted extension ${same.id} as it is`);
    expect(output).toContain(`Replaced extension ${older.id} ("older"`);
    // The folder that both declare.
    expect(stack.extensions().map(({ outputs }) => outputs.checksum)).toEqual([same.checksum, same.checksum]);
  });
});

describe("an import file of the command line, with the real engine", () => {
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

  async function uploadSameBytes(name: string) {
    const { bytes } = await packExtension(stack.path("extension"));
    return client.extensions.upload({ name, archive: bytes });
  }

  test("is imported together with others, with a name or without one, and a refresh changes nothing", async () => {
    const named = await uploadSameBytes("reader");
    const { bytes } = await packExtension(stack.path("extension"));
    const unnamed = await client.extensions.upload({ archive: bytes });
    await importWithFile(stack, environment, "extensions", named.id, unnamed.id);
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

  test("is imported with a file from the command line, and the next preview is empty", async () => {
    const theirs = await uploadSameBytes("reader");
    stack.write(
      "index.js",
      'new (require("pulumi-browser-infra").Extension)("reader", { path: "./extension", name: "reader" });',
    );
    await importWithFile(stack, environment, "extensions", theirs.id);
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
