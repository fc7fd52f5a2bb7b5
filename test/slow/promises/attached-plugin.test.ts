import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import type { Emulator } from "../../../src/emulator/index.js";
import { builtFile } from "../../support/built-file.js";
import { startEach } from "../../support/stacks/service.js";
import { Stack } from "../../support/stacks/stack.js";
import type { YamlResource } from "../../support/stacks/yaml-program.js";

describe("a plugin that a developer attaches, with the real engine", () => {
  let emulator: Emulator;
  let stack: Stack;
  let plugin: ChildProcessByStdio<null, Readable, null>;

  startEach(Stack.createYaml, (started) => ({ emulator, stack } = started));

  afterEach(() => plugin.kill());

  const project = (name: string): YamlResource => ({ type: "Project", properties: { name } });

  test("an attached plugin serves several commands in turn, each with a preview", async () => {
    plugin = spawn(process.execPath, [builtFile("dist/bridges/plugin/main.js")], {
      env: {
        PATH: process.env.PATH,
        BROWSER_INFRA_BASE_URL: emulator.url,
        BROWSER_INFRA_API_KEY: emulator.apiKeys[0],
      },
      stdio: ["ignore", "pipe", "ignore"],
    });
    const [port] = await once(plugin.stdout, "data");
    stack.export({ PULUMI_DEBUG_PROVIDERS: `browser-infra:${String(port).trim()}` });
    stack.declare({ shop: project("shop") });
    await stack.succeed("up", "--yes");
    stack.declare({ shop: project("store") });
    await stack.succeed("up", "--yes");
    await stack.refresh("--expect-no-changes");
    expect(emulator.projects.list()).toMatchObject([{ name: "store" }, {}]);
    await stack.destroy();
    expect(emulator.projects.list()).toHaveLength(1);
  });
});
