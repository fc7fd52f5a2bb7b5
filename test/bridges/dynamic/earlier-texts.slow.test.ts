import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loaderText } from "../../../src/resources/dynamic-contract.js";
import { useEmulator } from "../../support/emulator.js";
import { ProviderProcess, programFolder } from "../provider-process.js";
import type { Properties } from "../wire-messages.js";

/** Text of an earlier version in a state: a different text that opens the same kind. */
const earlierText = `${loaderText("Extension")}\n// Of an earlier version.`;

const __browserInfra = JSON.stringify({
  urn: "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/browser-infra:Extension::reader",
  isUpdate: true,
});

describe("a state with an earlier loader text", () => {
  const emulator = useEmulator();
  let provider: ProviderProcess;

  beforeEach(async () => {
    const folder = programFolder();
    mkdirSync(join(folder, "extension"));
    writeFileSync(
      join(folder, "extension", "manifest.json"),
      '{ "manifest_version": 3, "name": "Reader", "version": "1.0.0" }',
    );
    provider = await start(folder);
  });

  afterEach(() => provider.stop());

  function start(folder: string): Promise<ProviderProcess> {
    return ProviderProcess.start(folder, {
      environment: { BROWSER_INFRA_BASE_URL: emulator.url, BROWSER_INFRA_API_KEY: emulator.apiKeys[0] },
    });
  }

  async function create(text: unknown): Promise<{ id: string; properties: Properties }> {
    const { inputs } = await provider.check({}, { path: "./extension", __browserInfra, __provider: text });
    return provider.create(inputs);
  }

  test("the deletion for an earlier loader text spares an extension that the new text took in the same run", async () => {
    const before = await create(earlierText);
    await provider.kill();
    provider = await start(provider.folder);
    // The engine's calls for "pulumi up --replace" of an extension whose bytes are unchanged.
    const after = await create(loaderText("Extension"));
    await provider.delete(before.id, before.properties);
    expect(after.id).toBe(before.id);
    expect(emulator.extensions.list().map(({ id }) => id)).toEqual([after.id]);
  });

  test("a new loader text of the program alone is no difference from the state", async () => {
    const { id, properties } = await create(earlierText);
    const { inputs } = await provider.check(
      { ...properties, __provider: earlierText },
      { path: "./extension", __browserInfra, __provider: loaderText("Extension") },
    );
    expect((await provider.diff(id, properties, inputs)).changes).toBe("none");
  });
});
