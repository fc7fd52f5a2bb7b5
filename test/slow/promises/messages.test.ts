import type { Emulator } from "../../../src/emulator/index.js";
import { bridges } from "../../support/stacks/bridges.js";
import { startEach } from "../../support/stacks/service.js";
import type { Stack } from "../../support/stacks/stack.js";

describe.each(bridges)("the output of a deployment with $name, with the real engine", (bridge) => {
  let stack: Stack;
  let emulator: Emulator;

  startEach(bridge.create, (started) => {
    ({ stack, emulator } = started);
  });

  const countOf = (text: string, output: string) => output.split(text).length - 1;

  test("an up without a terminal prints a note once in the preview and once in the update", async () => {
    stack.write("extension/.env", "SECRET=1");
    bridge.declare(stack, { reader: { type: "Extension", properties: { path: "./extension" } } });
    const output = await stack.succeed("up", "--yes");
    expect(countOf('Excluded ".env": such files never ship.', output)).toBe(2);
    stack.write("extension/content.js", "// more\n");
    const replaced = await stack.up();
    expect(replaced).toContain("1 replaced");
    expect(countOf('Excluded ".env": such files never ship.', replaced)).toBe(1);
  });

  test("each request names the command of Pulumi to an emulator on this machine", async () => {
    stack.write("extension/manifest.json", '{ "manifest_version": 3, "name": "reader", "version": "1" }');
    bridge.declare(stack, { reader: { type: "Extension", properties: { path: "./extension" } } });
    const commands = () =>
      new Set(emulator.requests.map(({ program }) => program?.split(" node/")[1]?.slice(3)));
    await stack.preview();
    await stack.up();
    expect(commands()).toEqual(new Set(["(pulumi preview)", "(pulumi up)"]));
  });

  test("an up prints a warning at most twice: on one row and at the end", async () => {
    const properties = { path: "./extension", name: "reader" };
    bridge.declare(stack, {
      reader: { type: "Extension", properties, options: { deleteBeforeReplace: true } },
    });
    await stack.up();
    emulator.extensions.remove(stack.extension().id);
    const output = await stack.up("--refresh");
    expect(countOf(" is gone from the service", output)).toBeLessThanOrEqual(2);
  });

  test("a preview with --diff prints nothing but the warning", async () => {
    const properties = { path: "./extension", exclude: ["nothing-like-it"] };
    bridge.declare(stack, { reader: { type: "Extension", properties } });
    const { output } = await stack.preview("--diff");
    expect(output).toContain('"exclude" has patterns without effect');
    expect(output).not.toMatch(/^\W*\.$|reset/m);
  });

  test("a preview shows the changes of the program, and no internal property of this package", async () => {
    const extension = { type: "Extension", properties: { path: "./extension" } };
    const options = { deleteBeforeReplace: true };
    const profile = (properties = {}) => ({ type: "Profile", properties, options });
    bridge.declare(stack, { reader: extension, shopper: profile() });
    await stack.up();
    stack.write("extension/content.js", "// more\n");
    bridge.declare(stack, { reader: extension, shopper: profile({ name: "shopper" }) });
    const { output } = await stack.preview();
    expect(output).toContain("content.js");
    expect(output).toMatch(/~ name *: "shopper-[0-9a-f]{7}" => "shopper"/);
    expect(output).not.toMatch(/__\w+/);
    await stack.up();
    await stack.refresh("--expect-no-changes");
    const refreshed = await stack.run("preview", "--refresh", "--diff", "--expect-no-changes");
    expect([refreshed.exitCode, refreshed.output]).toEqual([0, expect.not.stringMatching(/__\w+/)]);
  });
});
