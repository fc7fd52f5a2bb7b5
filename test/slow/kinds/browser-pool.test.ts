import type { Emulator } from "../../../src/emulator/index.js";
import { startEach, writesIn } from "../../support/stacks/service.js";
import { Stack } from "../../support/stacks/stack.js";
import { reference, type YamlResource } from "../../support/stacks/yaml-program.js";

describe("a browser pool, with the real engine", () => {
  let emulator: Emulator;
  let stack: Stack;

  startEach(Stack.createYaml, (started) => ({ emulator, stack } = started), { speed: 1_000 });

  const pools = () => emulator.browserPools.list();

  function declare(
    properties: Readonly<Record<string, unknown>>,
    more: Readonly<Record<string, YamlResource>> = {},
  ) {
    const options = { deleteBeforeReplace: true };
    stack.declare({ ...more, agents: { type: "BrowserPool", properties, options } });
  }

  test("a browser pool is created, changed in place, corrected, and deleted once no browser is leased", async () => {
    declare({ size: 2, waitForAvailable: 1, chromePolicy: { HomepageLocation: "https://shop.example" } });
    const first = await stack.preview();
    expect(first.output).not.toContain("timeoutSeconds");
    expect(writesIn(emulator)).toEqual([]);
    await stack.up();
    const [created] = pools();
    expect(created).toMatchObject({ name: expect.stringMatching(/^agents-[0-9a-f]{7}$/), size: 2 });
    expect(created?.availableCount).toBeGreaterThan(0);

    declare({ size: 3, stealth: false, viewport: { width: 800, height: 600 }, telemetry: { console: true } });
    const changed = await stack.preview();
    expect(changed.output).toMatch(/~ size *: 2 => 3/);
    expect(changed.output).toMatch(/- chromePolicy/);
    await stack.up();
    expect(pools()).toMatchObject([{ id: created?.id, size: 3, chromePolicy: null }]);
    await stack.expectNoChanges("--refresh");

    emulator.browserPools.update(created?.id ?? "", { stealth: true });
    const drift = await stack.preview("--refresh");
    expect(drift.output).toContain("was changed outside of this program: its stealth.");
    await stack.up("--refresh");
    expect(pools()).toMatchObject([{ stealth: false }]);

    emulator.browserPools.fill(created?.id ?? "");
    const { sessionId } = emulator.browserPools.acquire(created?.id ?? "");
    const refused = await stack.run("destroy", "--yes", "--skip-preview");
    expect(refused.exitCode).not.toBe(0);
    expect(refused.output).toMatch(/1 browser of the pool is leased\. Nothing was deleted\./);
    emulator.browserPools.release(created?.id ?? "", sessionId);
    await stack.destroy();
    expect(pools()).toEqual([]);
  });

  test("a browser pool changes to an edited extension in one deployment without a refusal by the service", async () => {
    const reader = { type: "Extension", properties: { path: "./extension" } };
    declare({ size: 1, extensionIds: [reference("reader.id")] }, { reader });
    await stack.up();
    const [pool] = pools();
    const old = stack.extension().id;
    expect(pool?.extensionIds).toEqual([old]);

    stack.write("extension/content.js", "// two\n");
    expect((await stack.preview()).exitCode).toBe(0);
    const before = writesIn(emulator).length;
    await stack.up();
    expect(writesIn(emulator).slice(before)).toEqual([
      "POST /extensions",
      `PATCH /browser_pools/${pool?.id}`,
      `DELETE /extensions/${old}`,
    ]);
    expect(pools()).toMatchObject([{ id: pool?.id, extensionIds: [stack.extension().id] }]);
    expect(emulator.extensions.list()).toMatchObject([{ id: stack.extension().id }]);
    await stack.expectNoChanges("--refresh");
  });
});
