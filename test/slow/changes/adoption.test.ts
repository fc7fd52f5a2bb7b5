import { BrowserInfraClient } from "../../../src/client/index.js";
import type { Emulator } from "../../../src/emulator/index.js";
import { manifest, startEach } from "../../support/stacks/service.js";
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

  /** Declares an extension for each element of `adopted`: the extension to adopt. */
  function declareEach(...adopted: string[]): void {
    const resources = adopted.map((adopt, index) => [
      `reader-${index}`,
      { type: "Extension", properties: { path: "./extension", adopt } },
    ]);
    stack.declare(Object.fromEntries(resources));
  }

  test("an existing extension with different bytes is adopted and replaced in one deployment, with a message", async () => {
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
});
