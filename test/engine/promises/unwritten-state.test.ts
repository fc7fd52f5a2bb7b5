import type { Emulator } from "../../../src/emulator/index.js";
import { bridges } from "../../stacks/bridges.js";
import { startEach, writesIn } from "../../stacks/service.js";
import type { Stack } from "../../stacks/stack.js";
import type { YamlResource } from "../../stacks/yaml-program.js";

describe.each(bridges)("a state that the engine could not write, through $name", (bridge) => {
  let emulator: Emulator;
  let stack: Stack;

  startEach(bridge.create, (started) => ({ emulator, stack } = started));

  test("leaves nothing without a warning: the next deployment, although nothing changes, names each thing and how to remove it", async () => {
    const keyId = emulator.createApiKey({ name: "before" }).id;
    const projectId = emulator.createProject({ name: "other" }).id;
    const stays: YamlResource = {
      type: "Project",
      properties: { name: "stays" },
      options: { deleteBeforeReplace: true },
    };
    bridge.declare(stack, { stays });
    await stack.up();
    bridge.declare(stack, {
      stays,
      extension: { type: "Extension", properties: { path: "./extension" } },
      pool: { type: "BrowserPool", properties: { size: 1, projectId } },
      project: { type: "Project", properties: { name: "agents" } },
      key: { type: "ApiKey", properties: { name: "agents" } },
      keyName: { type: "ApiKeyName", properties: { keyId, name: "ours" } },
      limits: { type: "ProjectLimits", properties: { projectId, maxConcurrentSessions: 7 } },
    });
    expect(await stack.losingState("up", "--yes", "--skip-preview")).toMatchObject({ exitCode: 0 });

    bridge.declare(stack, { stays });
    const writes = writesIn(emulator);
    const output = await stack.up("--expect-no-changes");
    for (const warning of [
      /extensions delete \w+"/,
      new RegExp(`pools delete \\w+ --project ${projectId}"`),
      /projects delete \w+"/,
      /api-keys delete \w+"/,
      new RegExp(`the name of API key ${keyId}.*"before"`),
      new RegExp(`the limits of project ${projectId}.*no cap`),
    ]) {
      expect(output).toMatch(warning);
    }
    expect(writesIn(emulator)).toEqual(writes);
  });
});
