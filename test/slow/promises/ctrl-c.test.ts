import type { Emulator, FaultRule } from "../../../src/emulator/index.js";
import { startEach } from "../../support/stacks/service.js";
import { javaScriptProject, Stack } from "../../support/stacks/stack.js";

/**
 * The promise is 2 s, plus a margin for a busy machine. Without Cancel, the end would take a
 * minute.
 */
const endsWithinMs = 6_000;

describe("Ctrl-C, with the real engine", () => {
  let emulator: Emulator;
  let stack: Stack;

  startEach(Stack.createYaml, (started) => {
    ({ emulator, stack } = started);
    declare();
  });

  function declare(options: Readonly<Record<string, unknown>> = {}): void {
    stack.declare({ reader: { type: "Extension", properties: { path: "./extension" }, options } });
  }

  /** Same program in JavaScript, with a dynamic resource. */
  function declareDynamic(options: object = {}): void {
    stack.write("Pulumi.yaml", javaScriptProject);
    stack.write(
      "index.js",
      `const { Extension } = require("pulumi-browser-infra");
       new Extension("reader", { path: "./extension" }, ${JSON.stringify(options)});`,
    );
  }

  /** Adds a fault. The result resolves when the fault applies to a request. */
  function struckBy(rule: Omit<FaultRule, "action">, action: FaultRule["action"]): Promise<void> {
    return new Promise((resolve) => {
      emulator.faults.add({ ...rule, action: { call: async () => resolve() } });
      emulator.faults.add({ ...rule, action });
    });
  }

  /** Interrupts a deployment when `moment` resolves, and returns the output. */
  async function interruptedAt(moment: Promise<unknown>): Promise<string> {
    const running = stack.start("up", "--yes", "--skip-preview");
    await moment;
    const interruptedAtMs = performance.now();
    running.signal("SIGINT");
    const { exitCode, output } = await running.ended;
    expect(performance.now() - interruptedAtMs).toBeLessThan(endsWithinMs);
    expect(exitCode).not.toBe(0);
    return output;
  }

  async function expectNextDeploymentToConverge(): Promise<void> {
    emulator.faults.clear();
    await stack.up();
    expect(emulator.extensions.list()).toMatchObject([{ id: stack.extension().id }]);
    await stack.expectNoChanges();
  }

  // Pulumi's own provider process swallows a cancel, so the dynamic bridge detects a cancel
  // differently.
  test.each([
    ["dynamic resources", declareDynamic],
    ["the plugin", declare],
  ])(
    "Ctrl-C ends an upload without a response, and the next deployment leaves exactly one extension, through %s",
    async (_bridge, declareWith) => {
      declareWith();
      const output = await interruptedAt(
        struckBy({ method: "POST", path: "/extensions", at: "after-commit" }, "hang"),
      );
      expect(output).toContain("may exist");
      await expectNextDeploymentToConverge();
    },
  );

  test.each([
    ["dynamic resources", declareDynamic],
    ["the plugin", declare],
  ])(
    "customTimeouts ends an upload without a response, and the next deployment converges, through %s",
    async (_bridge, declareWith) => {
      declareWith({ customTimeouts: { create: "1s" } });
      emulator.faults.add({ method: "POST", path: "/extensions", at: "after-commit", action: "hang" });
      const { exitCode, output } = await stack.run("up", "--yes", "--skip-preview");
      expect(exitCode).not.toBe(0);
      expect(output).toContain('The time limit of 1s in "customTimeouts" has passed.');
      // On a busy machine, the limit that ended the upload would end a complete one as well.
      declareWith();
      await expectNextDeploymentToConverge();
    },
  );

  test("Ctrl-C during the upload of a protected extension names the command that lets the next deployment continue", async () => {
    declare({ protect: true });
    const moment = struckBy({ method: "POST", path: "/extensions", at: "after-commit" }, "hang");
    const output = (await interruptedAt(moment)).replace(/\s+/g, " ");
    const [, urn = ""] = /"pulumi state unprotect '([^']+)'"/.exec(output) ?? [];
    emulator.faults.clear();
    const refused = await stack.run("up", "--yes", "--skip-preview");
    expect(refused.exitCode).not.toBe(0);
    expect(refused.output.replace(/\s+/g, " ")).toContain(`first run "pulumi state unprotect '${urn}'"`);
    await stack.succeed("state", "unprotect", urn, "--yes");
    await expectNextDeploymentToConverge();
  });
});
