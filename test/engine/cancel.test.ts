import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { sha256Of } from "../../src/archive/index.js";
import type { Emulator, FaultRule } from "../../src/emulator/index.js";
import { startService } from "./service.js";
import { javaScriptProject, Stack } from "./stack.js";

/**
 * The promise is 2 s. A machine that runs other tests too gets some more. Without Cancel it would
 * take a minute.
 */
const endsWithinMs = 6_000;

describe("Ctrl-C, with the real engine", () => {
  let emulator: Emulator;
  let stack: Stack;

  beforeEach(async () => {
    const service = await startService();
    emulator = service.emulator;
    stack = await Stack.createYaml(service.environment);
    stack.write("extension/manifest.json", '{ "manifest_version": 3, "name": "Reader", "version": "1.0.0" }');
    declare();
  });

  afterEach(async () => {
    stack.remove();
    await emulator.close();
  });

  function declare(options: object = {}, naming: object = {}): void {
    const properties = { path: "./extension", ...naming };
    const first = "name" in naming ? { deleteBeforeReplace: true } : {};
    stack.declare({ reader: { type: "Extension", properties, options: { ...first, ...options } } });
  }

  /** The same program in JavaScript, whose resource is a dynamic one. */
  function declareDynamic(options: object = {}): void {
    stack.write("Pulumi.yaml", javaScriptProject);
    stack.write(
      "index.js",
      `const { Extension } = require("pulumi-browser-infra");
       new Extension("reader", { path: "./extension" }, ${JSON.stringify(options)});`,
    );
  }

  /** Adds a fault. The result resolves when a request has met it. */
  function struckBy(rule: Omit<FaultRule, "action">, action: FaultRule["action"]): Promise<void> {
    return new Promise((resolve) => {
      emulator.faults.add({ ...rule, action: { call: async () => resolve() } });
      emulator.faults.add({ ...rule, action });
    });
  }

  /** Interrupts a deployment when `moment` resolves, and returns everything it printed. */
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

  async function expectNextDeploymentToConverge(uploads: number): Promise<void> {
    emulator.faults.clear();
    await stack.up();
    expect(emulator.extensions.list()).toMatchObject([{ id: stack.extension().id }]);
    expect(emulator.requests.filter(({ method }) => method === "POST")).toHaveLength(uploads);
    expect((await stack.preview("--expect-no-changes")).exitCode).toBe(0);
  }

  // Pulumi's own provider process swallows a cancel, so the dynamic bridge hears of it differently.
  test.each([
    ["dynamic resources", declareDynamic],
    ["the plugin", declare],
  ])(
    "ends an upload that arrived and got no reply, and the next deployment reuses it, through %s",
    async (_bridge, declareWith) => {
      declareWith();
      const output = await interruptedAt(
        struckBy({ method: "POST", path: "/extensions", at: "after-commit" }, "hang"),
      );
      expect(output).toContain("may exist");
      await expectNextDeploymentToConverge(1);
    },
  );

  test("ends an upload that nobody accepts", async () => {
    await interruptedAt(struckBy({ method: "POST", path: "/extensions", at: "before-reading" }, "hang"));
    await expectNextDeploymentToConverge(2);
  });

  test("ends a wait between two attempts", async () => {
    await interruptedAt(
      struckBy(
        { method: "GET", path: "/extensions", at: "before-commit" },
        { answer: { status: 503, headers: { "retry-after": "50" } } },
      ),
    );
    await expectNextDeploymentToConverge(1);
  });

  test("ends the packing of a large folder", async () => {
    declareDynamic();
    for (let index = 0; index < 12; index++) {
      stack.write(`extension/${index}.txt`, randomBytes(8_000_000).toString("base64"));
    }
    const started = new Promise((resolve) => setTimeout(resolve, 3_000));
    await interruptedAt(started);
    expect(emulator.requests).toEqual([]);
    for (let index = 0; index < 12; index++) {
      stack.write(`extension/${index}.txt`, "");
    }
    await expectNextDeploymentToConverge(1);
  });

  test.each([
    ["dynamic resources", declareDynamic],
    ["the plugin", declare],
  ])(
    "is not needed when customTimeouts ends what takes too long, through %s",
    async (_bridge, declareWith) => {
      declareWith({ customTimeouts: { create: "1s" } });
      emulator.faults.add({ method: "POST", path: "/extensions", at: "after-commit", action: "hang" });
      const { exitCode, output } = await stack.run("up", "--yes", "--skip-preview");
      expect(exitCode).not.toBe(0);
      expect(output).toContain('The time limit of 1s in "customTimeouts" has passed.');
      await expectNextDeploymentToConverge(1);
    },
  );

  test("is not needed when customTimeouts ends the replacement of a fixed name, and the last version is kept", async () => {
    declare({}, { name: "reader" });
    await stack.up();
    const before = emulator.extensions.list();
    stack.write("extension/more.js", "// more\n");
    declare({ customTimeouts: { create: "1s" } }, { name: "reader" });
    emulator.faults.add({ method: "POST", path: "/extensions", at: "before-commit", action: "hang" });
    const { exitCode, output } = await stack.run("up", "--yes", "--skip-preview");
    expect(exitCode).not.toBe(0);
    expect(output).toContain("The previous version was not restored");
    const [, file = ""] = /saved in "([^"]+)"/.exec(output) ?? [];
    expect(sha256Of(readFileSync(stack.path(file)))).toBe(before[0]?.checksum);
    await expectNextDeploymentToConverge(3);
  });
});
