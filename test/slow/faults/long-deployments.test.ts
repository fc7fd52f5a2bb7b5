import { randomBytes } from "node:crypto";
import type { Emulator } from "../../../src/emulator/index.js";
import { startEach } from "../../support/stacks/service.js";
import { Stack } from "../../support/stacks/stack.js";

/** The promise is 2 s, plus a margin for a busy machine. */
const endsWithinMs = 6_000;

describe("a deployment that takes long, with the real engine", () => {
  let emulator: Emulator;
  let stack: Stack;

  startEach(Stack.create, (started) => ({ emulator, stack } = started));

  function declare(args: object, options: object = {}): void {
    const all = [{ path: "./extension", ...args }, options].map((each) => JSON.stringify(each));
    stack.write("index.js", `new (require("pulumi-browser-infra").Extension)("reader", ${all.join(", ")});`);
  }

  test("Ctrl-C ends a deployment that packs a large folder, and the next deployment converges", async () => {
    declare({});
    for (let index = 0; index < 12; index++) {
      stack.write(`extension/${index}.txt`, randomBytes(8_000_000).toString("base64"));
    }
    const running = stack.start("up", "--yes", "--skip-preview");
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    const interruptedAtMs = performance.now();
    running.signal("SIGINT");
    expect((await running.ended).exitCode).not.toBe(0);
    expect(performance.now() - interruptedAtMs).toBeLessThan(endsWithinMs);
    expect(emulator.requests).toEqual([]);
    for (let index = 0; index < 12; index++) {
      stack.write(`extension/${index}.txt`, "");
    }
    await stack.up();
    expect(emulator.extensions.list()).toMatchObject([{ id: stack.extension().id }]);
  });

  test("customTimeouts end the replacement of a fixed name, and the next up deploys the declared extension", async () => {
    declare({ name: "reader" });
    await stack.up();
    stack.write("extension/more.js", "// more\n");
    declare({ name: "reader" }, { customTimeouts: { create: "1s" } });
    emulator.faults.add({ method: "POST", path: "/extensions", at: "before-commit", action: "hang" });
    const { exitCode, output } = await stack.run("up", "--yes", "--skip-preview");
    expect(exitCode).not.toBe(0);
    expect(output.replace(/\s+/g, " ")).toContain('Run "pulumi up" again');
    declare({ name: "reader" });
    await stack.up();
    await stack.expectNoChanges();
    expect(emulator.extensions.list()).toMatchObject([{ id: stack.extension().id }]);
  });
});
