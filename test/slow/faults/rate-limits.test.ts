import type { Emulator, FaultRule } from "../../../src/emulator/index.js";
import { startService, writesIn } from "../../support/stacks/service.js";
import { Stack } from "../../support/stacks/stack.js";

/** Extensions, and with `--parallel` as many callers at once. */
const extensionCount = 40;

describe("rate limits, with the real engine", () => {
  const closers: (() => unknown)[] = [];

  afterEach(async () => {
    for (const close of closers.splice(0)) {
      await close();
    }
  });

  async function start(options = {}): Promise<{ emulator: Emulator; stack: Stack }> {
    const { emulator, environment } = await startService(options);
    const stack = await Stack.createYaml(environment);
    closers.push(
      () => stack.remove(),
      () => emulator.close(),
    );
    stack.write("extension/manifest.json", '{ "manifest_version": 3, "name": "Reader", "version": "1.0.0" }');
    return { emulator, stack };
  }

  const refusedIn = ({ requests }: Emulator, method: string) =>
    requests.filter((request) => request.status === 429 && request.method === method).length;

  // Ten requests a second: 40 creations, each with a lookup, take at least eight seconds.
  test("40 creations and 40 deletions at 10 requests a second need one up and one destroy", async () => {
    const { emulator, stack } = await start({ requestsPerSecond: 10 });
    const extension = { type: "Extension", properties: { path: "./extension" } };
    const names = Array.from({ length: extensionCount }, (_, number) => `reader-${number}`);
    stack.declare(Object.fromEntries(names.map((name) => [name, extension])));
    await stack.up("--parallel", String(extensionCount));
    expect(emulator.extensions.list()).toHaveLength(extensionCount);
    expect(refusedIn(emulator, "POST")).toBeGreaterThan(0);
    await stack.destroy("--parallel", String(extensionCount));
    expect(emulator.extensions.list()).toEqual([]);
    expect(refusedIn(emulator, "DELETE")).toBeGreaterThan(0);
    expect(stack.extensions()).toEqual([]);
  });

  const refuse = (rule: Partial<FaultRule>, retryAfter: string): FaultRule => ({
    path: "/extensions",
    at: "before-commit",
    action: {
      answer: {
        status: 429,
        body: { code: "rate_limited", message: "Slow down." },
        headers: { "retry-after": retryAfter },
      },
    },
    ...rule,
  });

  async function startReplacement() {
    const { emulator, stack } = await start();
    const properties = { path: "./extension", name: "reader" };
    stack.declare({ reader: { type: "Extension", properties, options: { deleteBeforeReplace: true } } });
    await stack.up();
    const { id, outputs } = stack.extension();
    stack.write("extension/content.js", "// two\n");
    return { emulator, stack, id, before: outputs.checksum };
  }

  test("a replacement under a fixed name succeeds although deletion and upload are rate limited five times", async () => {
    const { emulator, stack, before } = await startReplacement();
    const faults = ["DELETE", "POST"].map((method) => emulator.faults.add(refuse({ method, times: 5 }, "1")));
    await stack.up();
    expect(faults.map(({ hits }) => hits)).toEqual([5, 5]);
    const { id, outputs } = stack.extension();
    expect(outputs.checksum).not.toBe(before);
    expect(emulator.extensions.list()).toMatchObject([{ id, name: "reader", checksum: outputs.checksum }]);
  });

  test("the last version is restored despite rate limits after the service refuses the replacement for an hour", async () => {
    const { emulator, stack, before } = await startReplacement();
    const first = emulator.faults.add(refuse({ method: "POST" }, "3600"));
    const next = emulator.faults.add(refuse({ method: "POST", times: 5 }, "1"));
    const { exitCode, output } = await stack.run("up", "--yes", "--skip-preview");
    expect(exitCode).not.toBe(0);
    expect(output).toContain("The service asked to wait 3600 s");
    expect(output).toContain('The previous version was restored under "reader"');
    expect([first.hits, next.hits]).toEqual([1, 5]);
    const { id } = stack.extension();
    expect(emulator.extensions.list()).toMatchObject([{ id, name: "reader", checksum: before }]);
    await stack.up();
    const { outputs } = stack.extension();
    expect(outputs.checksum).not.toBe(before);
    expect(emulator.extensions.list()).toMatchObject([{ name: "reader", checksum: outputs.checksum }]);
    expect(writesIn(emulator).at(-1)).toBe("POST /extensions");
  });
});
