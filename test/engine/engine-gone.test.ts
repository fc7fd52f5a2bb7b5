import type { Emulator } from "../../src/emulator/index.js";
import { exists, msUntilGone, until } from "./process-tree.js";
import { startService, writesIn } from "./service.js";
import { Stack } from "./stack.js";

/** The promise for a provider process whose engine is gone, in milliseconds. */
const endsWithinMs = 5_000;

const program = `
const { Extension } = require("pulumi-browser-infra");
new Extension("reader", { path: "./extension" });
`;

const twoExtensions = `${program}
new Extension("viewer", { path: "./viewer" });
`;

const loginFlow = `
const { LoginFlow } = require("pulumi-browser-infra");
new LoginFlow("login", { connectionId: process.env.CONNECTION });
`;

describe("an engine that is gone, with the real engine", () => {
  let emulator: Emulator;
  let stack: Stack;
  /** Processes of Pulumi's own that a killed engine leaves behind. */
  let left: number[];

  beforeEach(async () => {
    left = [];
    const service = await startService();
    emulator = service.emulator;
    const connection = emulator.authConnections.create({ domain: "shop.example", profileName: "shop" });
    emulator.authConnections.startLogin(connection.id);
    stack = await Stack.create({ ...service.environment, CONNECTION: connection.id });
    for (const [folder, name] of [
      ["extension", "Reader"],
      ["viewer", "Viewer"],
    ]) {
      stack.write(
        `${folder}/manifest.json`,
        `{ "manifest_version": 3, "name": "${name}", "version": "1.0.0" }`,
      );
    }
  });

  afterEach(async () => {
    for (const pid of left.filter(exists)) {
      process.kill(pid, "SIGKILL");
    }
    stack.remove();
    await emulator.close();
  });

  /** Holds the first upload that arrives. `arrived` resolves when it is there. */
  function holdUpload(): { arrived: Promise<void>; release: () => void } {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const arrived = new Promise<void>((resolve) => {
      emulator.faults.add({
        method: "POST",
        path: "/extensions",
        at: "before-commit",
        action: {
          call: async () => {
            resolve();
            await released;
          },
        },
      });
    });
    return { arrived, release };
  }

  /** The only provider process of a command, which will be killed. */
  function onlyProvider(running: ReturnType<Stack["start"]>): number {
    left = running.processes();
    const [provider, ...others] = running.providers();
    expect(others).toEqual([]);
    return provider ?? Number.NaN;
  }

  test("ends the provider process of a killed deployment during an upload, and the next one converges", async () => {
    stack.write("index.js", program);
    const { arrived, release } = holdUpload();
    const running = stack.start("up", "--yes", "--skip-preview");
    await arrived;
    const provider = onlyProvider(running);
    running.signal("SIGKILL");
    expect(await msUntilGone(provider)).toBeLessThan(endsWithinMs);
    release();
    await stack.run("cancel", "--yes");
    await stack.up();
    expect(emulator.extensions.list()).toMatchObject([{ id: stack.extension().id }]);
  });

  test("ends the provider process of a killed deployment that waits for a login", async () => {
    stack.write("index.js", loginFlow);
    const running = stack.start("up", "--yes", "--skip-preview");
    await until(() => emulator.requests.some(({ path }) => path.endsWith("/events")));
    const provider = onlyProvider(running);
    running.signal("SIGKILL");
    expect(await msUntilGone(provider)).toBeLessThan(endsWithinMs);
  });

  test("ends the provider process when the reader of the output has ended, as with | head", async () => {
    stack.write("index.js", twoExtensions);
    // The first upload to arrive is held, so that the other one prints while the deployment runs.
    const first = holdUpload();
    const running = stack.start("up", "--yes", "--skip-preview");
    await first.arrived;
    const provider = onlyProvider(running);
    running.stopReading();
    first.release();
    expect(await msUntilGone(provider)).toBeLessThan(endsWithinMs);
    expect((await running.ended).exitCode).toBeNull();
  });

  test("is not one that is paused: its deployment continues when the engine does", async () => {
    stack.write("index.js", program);
    const { arrived, release } = holdUpload();
    const running = stack.start("up", "--yes", "--skip-preview");
    await arrived;
    const provider = onlyProvider(running);
    running.signal("SIGSTOP");
    // As long as the provider process of an engine that is gone may take to end.
    const pausedAtMs = performance.now();
    await until(() => performance.now() - pausedAtMs > endsWithinMs || !exists(provider));
    expect(exists(provider)).toBe(true);
    release();
    running.signal("SIGCONT");
    expect(await running.ended).toMatchObject({ exitCode: 0 });
    expect(writesIn(emulator)).toEqual(["POST /extensions"]);
    expect(await msUntilGone(provider)).toBeLessThan(endsWithinMs);
  });
});
