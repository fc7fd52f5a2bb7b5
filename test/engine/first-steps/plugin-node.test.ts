import { startService } from "../../support/stacks/service.js";
import { Stack } from "../../support/stacks/stack.js";

test("the engine shows the message of the plugin if Node is missing or too old", async () => {
  const { emulator, environment } = await startService();
  const stack = await Stack.createYaml(environment);
  try {
    stack.declare({ blocker: { type: "Extension", properties: { path: "./extension" } } });
    stack.export({ PATH: process.env.BROWSER_INFRA_TEST_PULUMI });
    const without = await stack.preview();
    expect(without.exitCode).not.toBe(0);
    expect(without.output).toMatch(/needs Node \S+ or newer, and there is no node on PATH\. Install Node\./);

    stack.write(
      "old-node.cjs",
      'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } });',
    );
    stack.export({ PATH: process.env.PATH, NODE_OPTIONS: `--require ${stack.path("old-node.cjs")}` });
    const old = await stack.preview();
    expect(old.exitCode).not.toBe(0);
    expect(old.output).toMatch(/needs Node \S+ or newer, and this is Node 20\.20\.2\./);
  } finally {
    stack.remove();
    await emulator.close();
  }
});
