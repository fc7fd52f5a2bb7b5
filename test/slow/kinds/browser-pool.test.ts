import type { Emulator } from "../../../src/emulator/index.js";
import { startEach, writesIn } from "../../support/stacks/service.js";
import { Stack } from "../../support/stacks/stack.js";
import { reference } from "../../support/stacks/yaml-program.js";

describe("a browser pool, with the real engine", () => {
  let emulator: Emulator;
  let stack: Stack;

  startEach(Stack.createYaml, (started) => ({ emulator, stack } = started));

  const pools = () => emulator.browserPools.list();

  test("a browser pool changes to an edited extension in one deployment without a refusal by the service", async () => {
    stack.declare({
      reader: { type: "Extension", properties: { path: "./extension" } },
      agents: {
        type: "BrowserPool",
        properties: { size: 1, extensionIds: [reference("reader.id")] },
        options: { deleteBeforeReplace: true },
      },
    });
    await stack.up();
    const [pool] = pools();
    const old = stack.extension().id;
    expect(pool?.extensionIds).toEqual([old]);

    stack.write("extension/content.js", "// two\n");
    expect((await stack.preview()).exitCode).toBe(0);
    const before = writesIn(emulator).length;
    await stack.up();
    expect(writesIn(emulator).slice(before)).toEqual([
      "POST /extensions",
      `PATCH /browser_pools/${pool?.id}`,
      `DELETE /extensions/${old}`,
    ]);
    expect(pools()).toMatchObject([{ id: pool?.id, extensionIds: [stack.extension().id] }]);
    expect(emulator.extensions.list()).toMatchObject([{ id: stack.extension().id }]);
    await stack.expectNoChanges("--refresh");
  });
});
