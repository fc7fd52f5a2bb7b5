import type { Emulator } from "../../src/emulator/index.js";
import { startService, writesIn } from "./service.js";
import { Stack } from "./stack.js";
import { reference, type YamlResource } from "./yaml-program.js";

/** Kinds of write, without ids. */
function kindsOf(writes: readonly string[]): string[] {
  return writes.map((write) => write.replace(/\/[a-z0-9]{24}$/, ""));
}

describe("a browser pool, with the real engine", () => {
  let emulator: Emulator;
  let stack: Stack;

  beforeEach(async () => {
    const service = await startService({ speed: 1_000 });
    emulator = service.emulator;
    stack = await Stack.createYaml(service.environment);
    stack.write("extension/manifest.json", '{ "manifest_version": 3, "name": "Reader", "version": "1.0.0" }');
  });

  afterEach(async () => {
    stack.remove();
    await emulator.close();
  });

  const pools = () => emulator.browserPools.list();

  function declare(
    properties: Readonly<Record<string, unknown>>,
    more: Readonly<Record<string, YamlResource>> = {},
  ) {
    const options = { deleteBeforeReplace: true };
    stack.declare({ ...more, agents: { type: "BrowserPool", properties, options } });
  }

  async function expectNothingToDo(...options: string[]): Promise<void> {
    const { exitCode, output } = await stack.preview("--expect-no-changes", ...options);
    expect(`${exitCode} ${output}`).toMatch(/^0 /);
  }

  test("is created and waited for, changed with the same id, corrected, and deleted when nobody leases from it", async () => {
    declare({ size: 2, waitForAvailable: 1, chromePolicy: { HomepageLocation: "https://shop.example" } });
    const first = await stack.preview();
    expect(first.output).toMatch(/timeoutSeconds *: 600/);
    expect(writesIn(emulator)).toEqual([]);
    await stack.up();
    const [created] = pools();
    expect(created).toMatchObject({ name: expect.stringMatching(/^agents-[0-9a-f]{7}$/), size: 2 });
    expect(created?.availableCount).toBeGreaterThan(0);
    await expectNothingToDo("--refresh");

    declare({ size: 3, viewport: { width: 800, height: 600 }, telemetry: { console: true } });
    const changed = await stack.preview();
    expect(changed.output).toMatch(/~ size *: 2 => 3/);
    expect(changed.output).toMatch(/- chromePolicy/);
    await stack.up();
    expect(pools()).toMatchObject([{ id: created?.id, size: 3, chromePolicy: null }]);
    await expectNothingToDo("--refresh");

    emulator.browserPools.update(created?.id ?? "", { stealth: true });
    const drift = await stack.preview("--refresh");
    expect(drift.output).toContain("was changed outside of this program: its stealth.");
    await stack.up("--refresh");
    expect(pools()).toMatchObject([{ stealth: false }]);

    emulator.browserPools.fill(created?.id ?? "");
    const { sessionId } = emulator.browserPools.acquire(created?.id ?? "");
    const refused = await stack.run("destroy", "--yes", "--skip-preview");
    expect(refused.exitCode).not.toBe(0);
    expect(refused.output).toMatch(/1 browser of it is leased\. Nothing was deleted\./);
    emulator.browserPools.release(created?.id ?? "", sessionId);
    await stack.succeed("destroy", "--yes", "--skip-preview");
    expect(pools()).toEqual([]);
  });

  test("changes to an edited extension in one deployment, which the service never refuses", async () => {
    const reader = { type: "Extension", properties: { path: "./extension" } };
    const properties = { size: 1, extensionIds: [reference("reader.id")] };
    declare(properties, { reader });
    expect((await stack.preview()).exitCode).toBe(0);
    await stack.up();
    const [pool] = pools();
    const old = stack.extension().id;
    expect(pool?.extensionIds).toEqual([old]);
    await expectNothingToDo("--refresh");

    stack.write("extension/content.js", "// two\n");
    expect((await stack.preview()).exitCode).toBe(0);
    const before = writesIn(emulator).length;
    await stack.up();
    expect(kindsOf(writesIn(emulator).slice(before))).toEqual([
      "POST /extensions",
      "PATCH /browser_pools",
      "DELETE /extensions",
    ]);
    expect(stack.extension().id).not.toBe(old);
    expect(pools()).toMatchObject([{ id: pool?.id, extensionIds: [stack.extension().id] }]);
    expect(emulator.extensions.list()).toMatchObject([{ id: stack.extension().id }]);
    await expectNothingToDo("--refresh");
  });

  test("keeps an extension with a fixed name from being replaced, and the preview says so with the two ways out", async () => {
    const fixed = { type: "Extension", properties: { path: "./extension", name: "reader" } };
    const extensionIds = [reference("reader.id")];
    declare({ size: 1, name: "agents", extensionIds }, { reader: fixed });
    await stack.up();
    const old = stack.extension().id;
    stack.write("extension/content.js", "// two\n");
    const { exitCode, output } = await stack.preview();
    expect(exitCode).not.toBe(0);
    expect(output).toContain(`because browser pool "agents" (${pools()[0]?.id}) loads it.`);
    const refused = await stack.run("up", "--yes", "--skip-preview");
    expect(refused.exitCode).not.toBe(0);
    for (const text of [output, refused.output]) {
      expect(text).toContain('Leave "name" out:');
      expect(text).toContain("Or remove the extension from the pool and deploy that");
    }
    expect(emulator.extensions.list()).toMatchObject([{ id: old, name: "reader" }]);

    const automatic = { type: "Extension", properties: { path: "./extension" } };
    declare({ size: 1, name: "agents", extensionIds }, { reader: automatic });
    await stack.up();
    expect(emulator.extensions.list()).toMatchObject([{ id: stack.extension().id }]);
    expect(pools()).toMatchObject([{ extensionIds: [stack.extension().id] }]);
    await expectNothingToDo();
  });
});

describe("a browser pool of a program in JavaScript, with the real engine", () => {
  test("lives as a dynamic resource: created, changed, replaced, corrected and deleted", async () => {
    const { emulator, environment } = await startService({ speed: 1_000 });
    const stack = await Stack.create(environment);
    const declare = (args: Readonly<Record<string, unknown>>) =>
      stack.write(
        "index.js",
        `const { BrowserPool } = require("pulumi-browser-infra");
         const pool = new BrowserPool("agents", ${JSON.stringify(args)});
         exports.size = pool.size;
         exports.policy = pool.chromePolicy;`,
      );
    const pools = () => emulator.browserPools.list();
    try {
      declare({
        size: 1,
        name: "agents",
        viewport: { width: 800, height: 600 },
        chromePolicy: { b: 1, a: 2 },
      });
      await stack.up();
      expect(JSON.parse(await stack.succeed("stack", "output", "--json"))).toEqual({
        size: 1,
        policy: { a: 2, b: 1 },
      });
      await stack.up("--expect-no-changes");
      declare({ size: 2, name: "agents", viewport: { width: 800, height: 600 } });
      await stack.up();
      const [changed] = pools();
      expect(changed).toMatchObject({ size: 2, chromePolicy: null });
      emulator.browserPools.update(changed?.id ?? "", { size: 7 });
      await stack.up("--refresh");
      expect(pools()).toMatchObject([{ id: changed?.id, size: 2 }]);
      declare({ size: 2, name: "agents" });
      await stack.up();
      expect(pools()).toMatchObject([{ name: "agents", size: 2 }]);
      expect(pools()[0]?.id).not.toBe(changed?.id);
      const { exitCode, output } = await stack.preview("--refresh", "--expect-no-changes");
      expect(`${exitCode} ${output}`).toMatch(/^0 /);
      await stack.succeed("destroy", "--yes", "--skip-preview");
      expect(pools()).toEqual([]);
    } finally {
      stack.remove();
      await emulator.close();
    }
  });
});
