import type { Emulator } from "../../src/emulator/index.js";
import { exists, msUntilGone, until } from "./process-tree.js";
import { startService } from "./service.js";
import { Stack } from "./stack.js";

/** How long a plugin may outlive its engine. Milliseconds. */
const endsWithinMs = 2_000;

/** How often each story is told. */
const runs = Array.from({ length: Number(process.env.BROWSER_INFRA_TEST_RUNS ?? 1) }, (_, run) => run + 1);

describe("a plugin whose engine is gone, with the real engine", () => {
  let emulator: Emulator;
  let stack: Stack;
  /** Processes that a killed engine leaves behind. */
  let left: number[];

  beforeEach(async () => {
    left = [];
    const service = await startService();
    emulator = service.emulator;
    stack = await Stack.createYaml(service.environment);
    for (const folder of ["reader", "viewer"]) {
      const manifest = { manifest_version: 3, name: folder, version: "1.0.0" };
      stack.write(`${folder}/manifest.json`, JSON.stringify(manifest));
    }
  });

  afterEach(async () => {
    for (const pid of left.filter(exists)) {
      process.kill(pid, "SIGKILL");
    }
    stack.remove();
    await emulator.close();
  });

  function declare(...folders: string[]): void {
    const resources = folders.map((folder) => {
      return [folder, { type: "Extension", properties: { path: `./${folder}` } }] as const;
    });
    stack.declare(Object.fromEntries(resources));
  }

  /** Holds the first upload that arrives. `arrived` resolves when it is there. */
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

  /** Ends a command: every plugin below it must end too, and there is one at least. */
  async function expectToEnd(
    running: ReturnType<Stack["start"]>,
    end: () => unknown = () => running.signal("SIGKILL"),
  ): Promise<void> {
    left = running.processes();
    const plugins = running.providers();
    expect(plugins.length).toBeGreaterThan(0);
    end();
    await running.ended;
    const ms = await Promise.all(plugins.map((pid) => msUntilGone(pid)));
    expect(Math.max(...ms)).toBeLessThan(endsWithinMs);
  }

  test.each(runs)("ends during an upload, and the next deployment converges (run %d)", async () => {
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

  test.each(runs)("ends while it waits for a login (run %d)", async () => {
    const { id } = emulator.authConnections.create({ domain: "shop.example", profileName: "shop" });
    emulator.authConnections.startLogin(id);
    stack.declare({ login: { type: "LoginFlow", properties: { connectionId: id } } });
    const running = stack.start("up", "--yes", "--skip-preview");
    await until(() => emulator.requests.some(({ path }) => path.endsWith("/events")));
    await expectToEnd(running);
  });

  test.each(runs)("ends when the reader of the output has ended, as with | head (run %d)", async () => {
    declare("reader", "viewer");
    // The first upload to arrive is held, so that the other one prints while the deployment runs.
    const first = holdUpload();
    const running = stack.start("up", "--yes", "--skip-preview");
    await first.arrived;
    await expectToEnd(running, () => {
      running.stopReading();
      first.release();
    });
    expect((await running.ended).exitCode).toBeNull();
  });
});
