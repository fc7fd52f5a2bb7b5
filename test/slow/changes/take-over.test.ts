import { packExtension } from "../../../src/archive/index.js";
import { BrowserInfraClient } from "../../../src/client/index.js";
import type { Emulator } from "../../../src/emulator/index.js";
import { manifest, startEach, writesIn } from "../../support/stacks/service.js";
import { Stack } from "../../support/stacks/stack.js";
import { storedZip } from "../../support/stored-zip.js";

describe("an existing extension, with the real engine", () => {
  let emulator: Emulator;
  let stack: Stack;
  let client: BrowserInfraClient;

  startEach(Stack.createYaml, (started) => {
    ({ emulator, stack } = started);
    client = new BrowserInfraClient({ baseUrl: emulator.url, apiKey: emulator.apiKeys[0] ?? "" });
  });

  function declare(args: Record<string, unknown>, options: Record<string, unknown> = {}): void {
    stack.declare({ reader: { type: "Extension", properties: { path: "./extension", ...args }, options } });
  }

  /** Declares an extension for each element of `adopted`: the extension to adopt. */
  function declareEach(...adopted: (string | undefined)[]): void {
    const resources = adopted.map((adopt, index) => [
      `reader-${index}`,
      { type: "Extension", properties: { path: "./extension", adopt } },
    ]);
    stack.declare(Object.fromEntries(resources));
  }

  /** Uploads the archive of the folder without Pulumi. */
  async function uploadSameBytes(name: string) {
    const { bytes } = await packExtension(stack.path("extension"));
    return client.extensions.upload({ name, archive: bytes });
  }

  test("is adopted by its id or its name, with its name and without an upload", async () => {
    const one = await uploadSameBytes("one");
    const two = await uploadSameBytes("two");
    declareEach(one.id, "two");
    const output = await stack.up();
    for (const { id } of [one, two]) {
      expect(output).toContain(`Adopted extension ${id} unchanged`);
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

  test("is replaced after it was adopted when its folder changes", async () => {
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

  test("with other bytes is adopted and replaced in one deployment, with a message about the difference", async () => {
    const upload = (version: string) => {
      const contents = manifest(version);
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

  test("stays the same when it is tainted after it was adopted", async () => {
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

  test("without a recorded checksum is compared by its bytes when it is adopted", async () => {
    stack.write("older/manifest.json", manifest("0.9.0"));
    const { bytes } = await packExtension(stack.path("older"));
    const same = await uploadSameBytes("same");
    const older = await client.extensions.upload({ name: "older", archive: bytes });
    for (const { id } of [same, older]) {
      emulator.extensions.forgetChecksum(id);
    }
    declareEach(same.id, older.id);
    const output = await stack.up();
    expect(output).toContain(`Adopted extension ${same.id} unchanged`);
    expect(output).toContain(`Replaced extension ${older.id} ("older"`);
    // Checksum of the folder that both declare.
    expect(stack.extensions().map(({ outputs }) => outputs.checksum)).toEqual([same.checksum, same.checksum]);
  });
});
