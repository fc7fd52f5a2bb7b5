import type { Emulator } from "../../../src/emulator/index.js";
import { bridges } from "../../support/stacks/bridges.js";
import { exists, msUntilGone, until } from "../../support/stacks/process-tree.js";
import { startEach, writesIn } from "../../support/stacks/service.js";
import type { Stack } from "../../support/stacks/stack.js";

/** Promised end of a provider process after the end of the engine, in milliseconds. */
const promises: Readonly<Record<string, number>> = { "the plugin": 2_000, "dynamic resources": 5_000 };

describe.each(bridges)("the end of the engine, through $name", (bridge) => {
  const endsWithinMs = promises[bridge.name] ?? 0;
  let emulator: Emulator;
  let stack: Stack;
  /** Processes left behind by a killed engine. */
  let left: number[];

  startEach(bridge.create, (started) => {
    ({ emulator, stack } = started);
    left = [];
  });

  afterEach(() => {
    for (const pid of left.filter(exists)) {
      process.kill(pid, "SIGKILL");
    }
  });

  function declare(...names: string[]): void {
    const properties = { path: "./extension" };
    bridge.declare(stack, Object.fromEntries(names.map((name) => [name, { type: "Extension", properties }])));
  }

  /** Holds the first upload. `arrived` resolves when the upload has arrived. */
  function holdUpload(): { arrived: Promise<void>; release: () => void } {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const arrived = new Promise<void>((resolve) => {
      const call = () => {
        resolve();
        return released;
      };
      emulator.faults.add({ method: "POST", path: "/extensions", at: "before-commit", action: { call } });
    });
    return { arrived, release };
  }

  /** Ends a command. Every provider process below the command, at least one, must end too. */
  async function expectToEnd(
    running: ReturnType<Stack["start"]>,
    end: () => unknown = () => running.signal("SIGKILL"),
  ): Promise<void> {
    left = running.processes();
    const providers = running.providers();
    expect(providers.length).toBeGreaterThan(0);
    end();
    const ms = await Promise.all(providers.map((pid) => msUntilGone(pid)));
    expect(Math.max(...ms)).toBeLessThan(endsWithinMs);
  }

  test("the provider process ends during an upload when the engine is killed, and the next deployment converges", async () => {
    declare("reader");
    const { arrived, release } = holdUpload();
    const running = stack.start("up", "--yes", "--skip-preview");
    await arrived;
    await expectToEnd(running);
    release();
    await stack.run("cancel", "--yes");
    await stack.up();
    expect(emulator.extensions.list()).toMatchObject([{ id: stack.extension().id }]);
  });

  test("the provider process ends while waiting for a login when the engine is killed", async () => {
    const { id } = emulator.authConnections.create({ domain: "shop.example", profileName: "shop" });
    emulator.authConnections.startLogin(id);
    bridge.declare(stack, { login: { type: "LoginFlow", properties: { connectionId: id } } });
    const running = stack.start("up", "--yes", "--skip-preview");
    await until(() => emulator.requests.some(({ path }) => path.endsWith("/events")));
    await expectToEnd(running);
  });

  test("the provider process ends when the reader of the output has ended, as with | head", async () => {
    declare("reader", "viewer");
    // Holds the first upload to arrive, so that the second upload prints while the deployment runs.
    const first = holdUpload();
    const running = stack.start("up", "--yes", "--skip-preview");
    await first.arrived;
    await expectToEnd(running, () => {
      running.stopReading();
      first.release();
    });
    expect((await running.ended).exitCode).toBeNull();
  });

  test("the provider process outlives a paused engine, and the deployment continues with the engine", async () => {
    declare("reader");
    const { arrived, release } = holdUpload();
    const running = stack.start("up", "--yes", "--skip-preview");
    await arrived;
    const [provider = 0] = running.providers();
    running.signal("SIGSTOP");
    // Waits as long as a provider process may take to end without an engine.
    const pausedAtMs = performance.now();
    await until(() => performance.now() - pausedAtMs > endsWithinMs || !exists(provider));
    expect(exists(provider)).toBe(true);
    release();
    running.signal("SIGCONT");
    expect(await running.ended).toMatchObject({ exitCode: 0 });
    expect(writesIn(emulator)).toEqual(["POST /extensions"]);
  });
});
