import { appendFileSync, cpSync } from "node:fs";
import { ublockOrigin } from "../../../scripts/bench/packing/ublock-origin.cjs";
import type { Emulator } from "../../../src/emulator/index.js";
import { startEach, writesIn } from "../../support/stacks/service.js";
import { Stack } from "../../support/stacks/stack.js";
import { testWhereAvailable } from "../../support/where-available.js";

const folder = ublockOrigin();
const missing =
  folder === undefined ? "Debian's package webext-ublock-origin-chromium cannot be downloaded." : undefined;
const title =
  "uBlock Origin is deployed, stays unchanged, and is replaced when one of hundreds of files changes";

describe("uBlock Origin, with the real engine", () => {
  let emulator: Emulator;
  let stack: Stack;

  startEach(Stack.createYaml, (started) => {
    ({ emulator, stack } = started);
    if (folder !== undefined) {
      cpSync(folder, stack.path("extension"), { recursive: true });
    }
    stack.declare({ blocker: { type: "Extension", properties: { path: "./extension" } } });
  });

  testWhereAvailable(title, missing, async () => {
    await stack.up();
    const { outputs } = stack.extension();
    expect(outputs).toMatchObject({ manifest: { name: "uBlock Origin" }, fileCount: expect.any(Number) });
    expect(outputs.fileCount).toBeGreaterThan(500);
    expect(Buffer.byteLength(JSON.stringify(stack.extension()))).toBeLessThan(64 * 1024);
    await stack.up("--expect-no-changes");

    appendFileSync(stack.path("extension/js/background.js"), "\n");
    const { output } = await stack.preview();
    expect(output).toMatch(/js\/(background\.js)?/);
    await stack.up();
    expect(emulator.extensions.list()).toMatchObject([{ id: stack.extension().id }]);
    expect(writesIn(emulator)).toHaveLength(3);
  });
});
