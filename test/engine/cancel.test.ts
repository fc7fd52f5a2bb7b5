import type { Emulator } from "../../src/emulator/index.js";
import { startService } from "./service.js";
import { Stack } from "./stack.js";

describe("Ctrl-C, with the real engine", () => {
  let emulator: Emulator;
  let stack: Stack;

  beforeEach(async () => {
    const service = await startService();
    emulator = service.emulator;
    stack = await Stack.create(service.environment);
    stack.write("extension/manifest.json", '{ "manifest_version": 3, "name": "Reader", "version": "1.0.0" }');
    stack.write(
      "index.js",
      'new (require("pulumi-browser-infra").Extension)("reader", { path: "./extension" });',
    );
  });

  afterEach(async () => {
    stack.remove();
    await emulator.close();
  });

  it("ends an upload that hangs, and the next deployment takes up what had arrived", async () => {
    const arrived = new Promise<void>((resolve) => {
      emulator.faults.add({
        method: "POST",
        path: "/extensions",
        times: 1,
        at: "after-commit",
        action: { call: async () => resolve() },
      });
    });
    emulator.faults.add({
      method: "POST",
      path: "/extensions",
      times: 1,
      at: "while-answering",
      action: "hang",
    });
    const running = stack.start("up", "--yes", "--skip-preview");
    await arrived;
    const interruptedAt = performance.now();
    running.signal("SIGINT");
    const { exitCode, output } = await running.ended;
    expect(performance.now() - interruptedAt).toBeLessThan(5_000);
    expect(exitCode).not.toBe(0);
    expect(output).toContain("may exist");

    await stack.up();
    expect(emulator.extensions.list()).toMatchObject([{ id: stack.extension().id }]);
    expect(emulator.requests.filter(({ method }) => method === "POST")).toHaveLength(1);
  });
});
