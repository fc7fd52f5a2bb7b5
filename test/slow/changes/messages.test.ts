import { rmSync } from "node:fs";
import type { EmulatedApiKey, Emulator } from "../../../src/emulator/index.js";
import { manifest, startService } from "../../support/stacks/service.js";
import { Stack } from "../../support/stacks/stack.js";

const type = "pulumi-nodejs:dynamic/browser-infra:Extension";
const checkForDrift = ["refresh", "--preview-only", "--run-program", "--diff", "--expect-no-changes"];

describe("messages about an extension, with the real engine", () => {
  let emulator: Emulator;
  let stack: Stack;
  /** Key before the rotation. */
  let old: EmulatedApiKey;

  beforeAll(async () => {
    const service = await startService();
    emulator = service.emulator;
    old = emulator.createApiKey();
    stack = await Stack.create({ BROWSER_INFRA_BASE_URL: emulator.url });
    stack.write("extension/manifest.json", manifest());
    stack.write("extension/content.js", "// one\n");
    stack.write(
      "index.js",
      'new (require("pulumi-browser-infra").Extension)("reader", { path: "./extension" });',
    );
    await setKey(old.key);
    await stack.up();
  });

  afterAll(() => stack.remove());

  function setKey(key: string | undefined): Promise<void> {
    return stack.succeedWithInput(`${key}\n`, "config", "set", "--secret", "browser-infra:apiKey");
  }

  test("a drift check with pulumi refresh does not mention an extension that has not drifted", async () => {
    const { exitCode, output } = await stack.run(...checkForDrift);
    expect(`${exitCode} ${output}`).toMatch(/^0 /);
    expect(output).not.toMatch(/checksum|fileCount|Extension/);
    const rows = await stack.run("preview", "--refresh", "--expect-no-changes");
    expect(`${rows.exitCode} ${rows.output}`).toMatch(/^0 /);
    expect(rows.output).not.toContain("[diff:");
  });

  test("a preview without --diff names the files that change", async () => {
    stack.write("extension/content.js", "// two\n");
    stack.write("extension/new.js", "// new\n");
    const { output } = await stack.run("preview");
    stack.write("extension/content.js", "// one\n");
    rmSync(stack.path("extension/new.js"));
    expect(output).toMatch(/Extension \(reader\):\s+2 files changed: "content.js", "new.js" \(added\)\.\n/);
  });

  test("commands with an expired key in the state name the cause, and succeed with --run-program or after pulumi up --refresh=false", async () => {
    emulator.apiKeyRecords.setExpiry(old.id, new Date(Date.now() - 1_000));
    await setKey(emulator.apiKeys[0]);
    const which =
      'Before the program runs, Pulumi uses the API key of the last "pulumi up", which the state keeps.';
    for (const command of [["refresh"], ["destroy"], ["up", "--refresh"]]) {
      const { exitCode, output } = await stack.run(...command, "--yes", "--skip-preview");
      expect(`${exitCode} ${output}`).toMatch(/^[1-9]/);
      expect(output).toContain(which);
    }
    const programRun = await stack.run(...checkForDrift);
    expect(`${programRun.exitCode} ${programRun.output}`).toMatch(/^0 /);
    await stack.up("--refresh=false");
    await stack.refresh();
  });

  test("pulumi import of a dynamic resource fails in Pulumi itself, as docs/programs/troubleshooting.md states", async () => {
    const { exitCode, output } = await stack.run("import", "--yes", "--skip-preview", type, "theirs", "abc");
    expect(exitCode).not.toBe(0);
    expect(output).toContain("code must be a string");
  });
});
