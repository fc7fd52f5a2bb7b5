import { packExtension } from "../../../src/archive/index.js";
import { BrowserInfraClient } from "../../../src/client/index.js";
import type { Emulator } from "../../../src/emulator/index.js";
import { bridges } from "../../support/stacks/bridges.js";
import { importWithFile } from "../../support/stacks/import-file.js";
import { startEach, writesIn } from "../../support/stacks/service.js";
import { Stack } from "../../support/stacks/stack.js";

/** Uploads the archive of the program's folder without Pulumi. */
async function upload(emulator: Emulator, stack: Stack, name?: string) {
  const client = new BrowserInfraClient({ baseUrl: emulator.url, apiKey: emulator.apiKeys[0] ?? "" });
  const { bytes } = await packExtension(stack.path("extension"));
  return client.extensions.upload({ archive: bytes, ...(name !== undefined && { name }) });
}

describe.each(bridges)("an import through $name, with the real engine", (bridge) => {
  let emulator: Emulator;
  let environment: NodeJS.ProcessEnv;
  let stack: Stack;

  startEach(bridge.create, (started) => ({ emulator, environment, stack } = started));

  test("an imported project and imported pools of two projects are unchanged by the next up, and deleted by destroy", async () => {
    const { id: projectId } = emulator.createProject({ name: "shop" });
    const ours = emulator.browserPools.create({ name: "ours", size: 1 });
    const theirs = emulator.browserPools.create({ name: "theirs", size: 1, projectId });
    await bridge.import(stack, environment, { type: "Project", name: "shop", id: projectId });
    await bridge.import(stack, environment, { type: "BrowserPool", name: "ours", id: ours.id });
    await bridge.import(stack, environment, {
      type: "BrowserPool",
      name: "theirs",
      id: theirs.id,
      projectId,
    });
    const options = { deleteBeforeReplace: true };
    const pool = (name: string, more = {}) => ({
      type: "BrowserPool",
      properties: { name, size: 1, ...more },
      options,
    });
    bridge.declare(stack, {
      shop: { type: "Project", properties: { name: "shop" }, options },
      ours: pool("ours"),
      theirs: pool("theirs", { projectId }),
    });
    await stack.expectNoChanges("--refresh");
    expect(writesIn(emulator)).toEqual([]);
    // The state does not record which pool is in the project, so the pools are deleted first.
    bridge.declare(stack, { shop: { type: "Project", properties: { name: "shop" }, options } });
    await stack.up();
    await stack.destroy();
    expect(emulator.projects.list()).toHaveLength(1);
    expect(emulator.browserPools.list()).toEqual([]);
  });
});

describe("an import file of the command line, with the real engine", () => {
  let emulator: Emulator;
  let environment: NodeJS.ProcessEnv;
  let stack: Stack;

  startEach(Stack.create, (started) => ({ emulator, environment, stack } = started));

  test("an import file brings extensions with and without a name into a stack, and a refresh changes nothing", async () => {
    const named = await upload(emulator, stack, "reader");
    const unnamed = await upload(emulator, stack);
    await importWithFile(stack, environment, "extensions", named.id, unnamed.id);
    stack.write(
      "index.js",
      `const { Extension } = require("pulumi-browser-infra");
       new Extension("reader", { path: "./extension", name: "reader" });
       new Extension("${unnamed.id}", { path: "./extension", adopt: "${unnamed.id}" });`,
    );
    expect(stack.extensions()).toContainEqual(
      expect.objectContaining({
        id: named.id,
        outputs: expect.objectContaining({ fileCount: 1, manifest: { name: "Reader", version: "1.0.0" } }),
      }),
    );
    await stack.up("--expect-no-changes");
    await stack.refresh("--expect-no-changes");
    await stack.up("--expect-no-changes");
    expect(writesIn(emulator)).toEqual(["POST /extensions", "POST /extensions"]);
    stack.write("extension/content.js", "// more\n");
    await stack.up();
    expect(emulator.extensions.list().map(({ id }) => id)).not.toContain(named.id);
  });
});

describe("the option import, with the real engine", () => {
  let emulator: Emulator;
  let stack: Stack;

  startEach(Stack.createYaml, (started) => ({ emulator, stack } = started));

  test("the option import brings an extension and a key name into a stack, and refuses an extension with changed files", async () => {
    const theirs = await upload(emulator, stack, "theirs");
    const { id: keyId } = emulator.createApiKey({ name: "ci" });
    const before = writesIn(emulator);
    const declare = (isImport: boolean) =>
      stack.declare({
        reader: {
          type: "Extension",
          properties: { path: "./extension" },
          options: isImport ? { import: theirs.id } : {},
        },
        ci: {
          type: "ApiKeyName",
          properties: { keyId, name: "ci" },
          options: { deleteBeforeReplace: true, ...(isImport && { import: keyId }) },
        },
      });

    declare(true);
    await stack.up();
    expect(stack.extension()).toMatchObject({
      id: theirs.id,
      outputs: { name: "theirs", fileCount: 1, manifest: { name: "Reader", version: "1.0.0" } },
    });
    declare(false);
    await stack.expectNoChanges();

    declare(true);
    stack.write("extension/content.js", "// ours\n");
    const { exitCode, output } = await stack.run("up", "--yes", "--skip-preview");
    expect(exitCode).not.toBe(0);
    expect(output).toContain('1 file changed: "content.js" (added).');
    expect(output).toContain("please remove the `import` declaration from your program");
    expect(writesIn(emulator)).toEqual(before);
  });
});
