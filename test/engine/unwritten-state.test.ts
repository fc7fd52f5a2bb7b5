import { cpSync } from "node:fs";
import { join } from "node:path";
import type { Emulator } from "../../src/emulator/index.js";
import { bridges } from "./bridges.js";
import { startService, writesIn } from "./service.js";
import type { Stack } from "./stack.js";
import type { YamlResource } from "./yaml-program.js";

describe.each(bridges)("a state that the engine could not write, through $name", (bridge) => {
  let emulator: Emulator;
  let stack: Stack;

  beforeEach(async () => {
    const service = await startService();
    emulator = service.emulator;
    stack = await bridge.create(service.environment);
  });

  afterEach(async () => {
    stack.remove();
    await emulator.close();
  });

  test("leaves nothing in silence: the next deployment, although nothing changes, tells each thing and how to remove it", async () => {
    stack.write("folder/manifest.json", '{ "manifest_version": 3, "name": "Reader", "version": "1.0.0" }');
    const keyId = emulator.createApiKey({ name: "before" }).id;
    const projectId = emulator.createProject({ name: "other" }).id;
    const stays: YamlResource = {
      type: "Project",
      properties: { name: "stays" },
      options: { deleteBeforeReplace: true },
    };
    bridge.declare(stack, { stays });
    await stack.up();
    const state = join(stack.folder, "state");
    cpSync(state, `${state}-before`, { recursive: true });
    bridge.declare(stack, {
      stays,
      extension: { type: "Extension", properties: { path: "./folder" } },
      pool: { type: "BrowserPool", properties: { size: 1, projectId } },
      project: { type: "Project", properties: { name: "agents" } },
      key: { type: "ApiKey", properties: { name: "agents" } },
      keyName: { type: "ApiKeyName", properties: { keyId, name: "ours" } },
      limits: { type: "ProjectLimits", properties: { projectId, maxConcurrentSessions: 7 } },
    });
    await stack.up();
    cpSync(`${state}-before`, state, { recursive: true });

    bridge.declare(stack, { stays });
    const writes = writesIn(emulator);
    const output = await stack.up("--expect-no-changes");
    for (const told of [
      /extensions delete \w+"/,
      new RegExp(`pools delete \\w+ --project ${projectId}"`),
      /projects delete \w+"/,
      /api-keys delete \w+"/,
      new RegExp(`the name of API key ${keyId}.*"before"`),
      new RegExp(`the limits of project ${projectId}.*no cap`),
    ]) {
      expect(output).toMatch(told);
    }
    expect(writesIn(emulator)).toEqual(writes);
  });
});
