import type { Emulator, FaultPoint, FaultRule } from "../../src/emulator/index.js";
import { startService } from "./service.js";
import { Stack } from "./stack.js";

const page = "<!doctype html><title>Welcome to the hotel</title><p>Sign in to use the network.</p>";

/** The page of a captive portal, which answers every request with 200. */
function portal(at: FaultPoint, rule: Partial<FaultRule> = {}): FaultRule {
  return {
    at,
    times: Number.POSITIVE_INFINITY,
    action: { answer: { status: 200, body: page, headers: { "content-type": "text/html" } } },
    ...rule,
  };
}

describe("a captive portal, with the real engine", () => {
  let emulator: Emulator;
  let stack: Stack;

  beforeEach(async () => {
    const service = await startService();
    emulator = service.emulator;
    stack = await Stack.createYaml(service.environment);
    stack.write("extension/manifest.json", '{ "manifest_version": 3, "name": "Reader", "version": "1.0.0" }');
    const extension = { type: "Extension", properties: { path: "./extension" } };
    stack.declare({ one: extension, two: extension, three: extension });
    await stack.up();
  });

  afterEach(async () => {
    stack.remove();
    await emulator.close();
  });

  const destroy = () => stack.run("destroy", "--yes", "--skip-preview", "--continue-on-error");

  test.each<[string, Partial<FaultRule>, string]>([
    ["that answers everything", {}, "expected JSON, got an HTML page"],
    // Looking takes 15 s: the deletion might still be carried out.
    ["that answers only deletions", { method: "DELETE" }, "may or may not have happened"],
  ])("%s deletes nothing, and destroy says so", async (_which, rule, why) => {
    const fault = emulator.faults.add(portal("before-reading", rule));
    const { exitCode, output } = await destroy();
    expect(exitCode).not.toBe(0);
    expect(output).toContain(why);
    expect(output).not.toMatch(/\d deleted/);
    expect(fault.hits).toBeGreaterThanOrEqual(3);
    expect(emulator.extensions.list()).toHaveLength(3);
    expect(stack.extensions()).toHaveLength(3);
    fault.remove();
    await stack.succeed("destroy", "--yes", "--skip-preview");
    expect(emulator.extensions.list()).toEqual([]);
    expect(stack.extensions()).toEqual([]);
  });

  test("that comes in between after the deletion does not hide it", async () => {
    emulator.faults.add(portal("after-commit", { method: "DELETE" }));
    const { exitCode, output } = await destroy();
    expect(`${exitCode} ${output}`).toMatch(/^0 [\s\S]*4 deleted/);
    expect(emulator.extensions.list()).toEqual([]);
    expect(stack.extensions()).toEqual([]);
  });
});
