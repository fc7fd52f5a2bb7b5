import { BrowserInfraClient } from "../../../../src/client/index.js";
import type { Emulator } from "../../../../src/emulator/index.js";
import { errorOf } from "../../../support/error-of.js";
import { storedZip } from "../../../support/stored-zip.js";
import { main } from "../../played-program.js";
import { PoolProgram } from "./pools.js";

/** Makes the service fill a pool faster than a test can notice. */
const speed = 1_000;

const manifest = '{ "manifest_version": 3, "name": "Reader", "version": "1.0.0" }';

describe("the life cycle of a browser pool", () => {
  let emulator: Emulator;
  let program: PoolProgram;
  let seen: number;

  beforeEach(async () => {
    program = await PoolProgram.ofSpeed(speed);
    ({ emulator } = program);
    seen = 0;
  });

  /** Failures of a preview. */
  async function refusals(news: Record<string, unknown>): Promise<string[]> {
    return (await program.preview(news)).failures.map((failure) => failure.replace("agents: ", ""));
  }

  const pools = () => emulator.browserPools.list();
  const pool = () => emulator.browserPools.get(program.stored.id);
  async function extension(name: string): Promise<string> {
    const client = new BrowserInfraClient({ baseUrl: emulator.url, apiKey: emulator.apiKeys[0] as string });
    const archive = Uint8Array.from(storedZip([{ name: "manifest.json", contents: manifest }]));
    const { id } = await client.extensions.upload({ name, archive });
    return id;
  }

  /** Requests that change browser pools, since the previous call. */
  function writes(): string[] {
    const all = emulator.requests
      .filter(({ method, path }) => method !== "GET" && path.startsWith("/browser_pools"))
      .map(({ method }) => method);
    const fresh = all.slice(seen);
    seen = all.length;
    return fresh;
  }

  test("a pool is created with the declared settings, and without any undeclared setting", async () => {
    expect(await program.up({ size: 3, name: "agents", stealth: true })).toBe("create");
    expect(program.stored.outputs).toEqual({
      name: "agents",
      size: 3,
      stealth: true,
      undeclared: { headless: false, kioskMode: false, timeoutSeconds: 600, fillRatePerMinute: 25 },
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
    expect(pools()).toMatchObject([{ id: program.stored.id, name: "agents", size: 3, stealth: true }]);
  });

  test("an unchanged program changes nothing, also after a refresh", async () => {
    const news = {
      size: 2,
      extensionIds: [await extension("one"), await extension("two")],
      chromePolicy: { a: 1, b: { c: [1, 2], d: null } },
      viewport: { width: 800, height: 600 },
      telemetry: { console: true },
      startUrl: "https://shop.example",
    };
    await program.up(news);
    expect(writes()).toEqual(["POST"]);
    expect(await program.up(news)).toBe("same");
    await program.refresh();
    expect(program.messages).toEqual([]);
    expect(await program.up(news)).toBe("same");
    expect(writes()).toEqual([]);
  });

  test("a different spelling of the same settings is no change", async () => {
    await program.up({ size: 1, chromePolicy: { a: 1, b: { c: 2, d: 3 } }, telemetry: {} });
    writes();
    const same = {
      size: 1,
      chromePolicy: '{ "b": { "d": 3, "c": 2 }, "a": 1 }',
      telemetry: { captcha: true, console: false },
      extensionIds: [],
      headless: false,
      timeoutSeconds: 600,
    };
    expect(await program.up(same)).toBe("same");
    expect(writes()).toEqual([]);
  });

  test("differing settings are changed in place, in a single request", async () => {
    await program.up({ size: 1, stealth: true });
    const { id } = program.stored;
    const news = {
      size: 4,
      stealth: true,
      extensionIds: [await extension("one")],
      viewport: { width: 9, height: 9 },
    };
    expect(await program.up(news)).toBe("update");
    expect(program.stored.id).toBe(id);
    expect(pool()).toMatchObject({ size: 4, stealth: true, extensionIds: news.extensionIds });
    expect(emulator.requests.at(-1)).toMatchObject({ method: "PATCH" });
    expect(writes()).toEqual(["POST", "PATCH"]);
    expect(await program.up(news)).toBe("same");
  });

  test("a different order of the extensions is changed in the pool", async () => {
    const [one, two] = [await extension("one"), await extension("two")];
    await program.up({ size: 1, extensionIds: [one, two] });
    await program.up({ size: 1, extensionIds: [two, one] });
    expect(pool().extensionIds).toEqual([two, one]);
  });

  test("a pool is renamed in place, also to an automatic name", async () => {
    await program.up({ size: 1, name: "agents" });
    const { id } = program.stored;
    expect(await program.up({ size: 1, name: "workers" })).toBe("update");
    expect(await program.up({ size: 1 })).toBe("update");
    expect(pools()).toMatchObject([{ id, name: expect.stringMatching(/^agents-[0-9a-f]{7}$/) }]);
  });

  test("settings that leave the program are cleared in place", async () => {
    const bare = { size: 2, name: "agents" };
    await program.up(bare);
    const cleared = pool();
    emulator.profiles.ensure("shop");
    emulator.proxies.create({ id: "proxy_1", type: "isp" });
    await program.up({
      ...bare,
      extensionIds: [await extension("one")],
      profileName: "shop",
      proxyId: "proxy_1",
      chromePolicy: { a: 1 },
      startUrl: "https://shop.example",
      telemetry: { console: true },
      headless: true,
      stealth: true,
      kioskMode: true,
      timeoutSeconds: 60,
      fillRatePerMinute: 10,
    });
    expect(pool()).not.toEqual(cleared);
    expect(await program.up(bare)).toBe("update");
    expect({ ...pool(), availableCount: 0 }).toEqual({ ...cleared, availableCount: 0 });
    expect(await program.up(bare)).toBe("same");
  });

  test("the declared refreshOnProfileUpdate stays when the profile changes", async () => {
    emulator.profiles.ensure("shop");
    emulator.profiles.ensure("other");
    await program.up({ size: 1, profileName: "shop", refreshOnProfileUpdate: false });
    await program.up({ size: 1, profileName: "other", refreshOnProfileUpdate: false });
    expect(pool()).toMatchObject({ profile: { name: "other" }, refreshOnProfileUpdate: false });
    expect(await program.up({ size: 1, profileName: "other", refreshOnProfileUpdate: false })).toBe("same");
    expect(await program.up({ size: 1, profileName: "other" })).toBe("update");
    expect(pool()).toMatchObject({ refreshOnProfileUpdate: true });
  });

  test("a pool whose viewport leaves the program is replaced, and the old pool is deleted first", async () => {
    await program.up({ size: 1, name: "agents", viewport: { width: 800, height: 600 } });
    const { id } = program.stored;
    writes();
    expect(await program.up({ size: 1, name: "agents" })).toBe("replace");
    expect(writes()).toEqual(["DELETE", "POST"]);
    expect(program.stored.id).not.toBe(id);
    expect(pools()).toMatchObject([{ id: program.stored.id, name: "agents", viewport: null }]);
    expect(await program.up({ size: 1, name: "agents" })).toBe("same");
  });

  test.each(["that was created", "that was imported"])(
    "a pool %s stays in its project when the settings name a different project later",
    async (how) => {
      const { id: former } = emulator.createProject({ name: "former" });
      const { id: next } = emulator.createProject({ name: "next" });
      program.environment.BROWSER_INFRA_PROJECT_ID = former;
      if (how === "that was created") {
        await program.up({ size: 1, name: "agents" });
      } else {
        await program.import(emulator.browserPools.create({ projectId: former, name: "agents", size: 1 }).id);
      }
      const { id } = program.stored;
      program.environment.BROWSER_INFRA_PROJECT_ID = next;
      await program.refresh();
      expect(await program.up({ size: 1, name: "agents" })).toBe("same");
      expect(emulator.browserPools.list(former)).toMatchObject([{ id }]);
    },
  );

  test("a pool in the organization's default project stays there when the settings name a project later", async () => {
    await program.up({ size: 1 });
    const { id } = program.stored;
    program.environment.BROWSER_INFRA_PROJECT_ID = emulator.createProject({ name: "next" }).id;
    await program.refresh();
    expect(await program.up({ size: 1 })).toBe("same");
    expect(pools()).toMatchObject([{ id }]);
  });

  test("the service chooses the refresh rate again when the rate leaves the program", async () => {
    const rateOf = () => pool().viewport?.refreshRate;
    await program.up({ size: 1, viewport: { width: 800, height: 600 } });
    const chosen = rateOf();
    await program.up({ size: 1, viewport: { width: 800, height: 600, refreshRate: 10 } });
    expect(rateOf()).toBe(10);
    expect(await program.up({ size: 1, viewport: { width: 800, height: 600 } })).toBe("update");
    expect(rateOf()).toBe(chosen);
    expect(await program.up({ size: 1, viewport: { width: 800, height: 600 } })).toBe("same");
  });

  test("a pool stays when a viewport of the default size, without a refresh rate, leaves the program", async () => {
    await program.up({ size: 1, viewport: { width: 1920, height: 1080 } });
    const { id } = program.stored;
    expect(await program.up({ size: 1 })).not.toBe("replace");
    expect(program.stored.id).toBe(id);
    expect(await program.up({ size: 1 })).toBe("same");
  });

  test("the viewport that browsers have by default counts as no viewport", async () => {
    await program.up({ size: 1 });
    emulator.browserPools.update(program.stored.id, {
      viewport: { width: 1920, height: 1080, refreshRate: 25 },
    });
    await program.refresh();
    expect(await program.up({ size: 1 })).toBe("same");
  });

  test("a refresh rate that the service chose is not in the state", async () => {
    await program.up({ size: 1, viewport: { width: 800, height: 600 } });
    emulator.browserPools.update(program.stored.id, {
      viewport: { width: 800, height: 600, refreshRate: 60 },
    });
    await program.refresh();
    expect(program.stored.outputs.viewport).toEqual({ width: 800, height: 600 });
    expect(await program.up({ size: 1, viewport: { width: 800, height: 600 } })).toBe("same");
  });

  describe("when another program has changed the pool", () => {
    test("a refresh reports the old and the new name of a renamed pool, and the next deployment restores the name", async () => {
      await program.up({ name: "agents", size: 1 });
      const { id } = program.stored;
      emulator.browserPools.update(id, { name: "theirs" });
      await program.refresh();
      expect(program.messages).toEqual([
        `Browser pool ${id} was renamed outside of this program: from "agents" to "theirs".`,
      ]);
      expect(await program.up({ name: "agents", size: 1 })).toBe("update");
      expect(pool()).toMatchObject({ name: "agents" });
    });

    test("a refresh names the settings changed outside of the program, and the next deployment corrects the settings", async () => {
      emulator.proxies.create({ id: "ours", type: "isp" });
      const news = { size: 3, extensionIds: [await extension("one")], stealth: false, proxyId: "ours" };
      await program.up(news);
      const { id } = program.stored;
      emulator.proxies.create({ id: "theirs", type: "isp" });
      emulator.browserPools.update(id, { size: 5, stealth: true, proxyId: "theirs", extensions: [] });
      await program.refresh();
      expect(program.messages).toEqual([
        `Browser pool ${id} was changed outside of this program: its size, extensionIds, proxyId, stealth.`,
      ]);
      expect(program.stored.inputs).toMatchObject({ size: 5, stealth: true, proxyId: "theirs" });
      expect(await program.up(news)).toBe("update");
      expect(pool()).toMatchObject({
        size: 3,
        stealth: false,
        proxyId: "ours",
        extensionIds: news.extensionIds,
      });
      expect(await program.up(news)).toBe("same");
    });

    test("running and leased browsers are no change of the pool", async () => {
      await program.up({ size: 3 });
      emulator.browserPools.fill(program.stored.id);
      emulator.browserPools.acquire(program.stored.id);
      const { outputs } = program.stored;
      await program.refresh();
      expect(program.stored.outputs).toEqual(outputs);
    });

    test("an update of a deleted pool fails with advice, and after a refresh the pool is created again", async () => {
      await program.up({ size: 1 });
      emulator.browserPools.remove(program.stored.id);
      expect(await errorOf(program.up({ size: 2 }))).toMatchObject({
        code: "browser_pool_not_found",
        message: expect.stringContaining('Run "pulumi up --refresh" to create it again.'),
      });
      await program.refresh();
      expect(program.messages).toEqual([expect.stringContaining("is gone")]);
      expect(program.engine.find(main)).toBeUndefined();
      expect(await program.up({ size: 2 })).toBe("create");
    });

    test("a 404 for a change with a new proxy is not reported as a deleted pool", async () => {
      await program.up({ size: 1 });
      program.refuse("PATCH", 404);
      expect(await errorOf(program.up({ size: 1, proxyId: "proxy_1" }))).toMatchObject({
        status: 404,
        message: expect.stringContaining("refused by a fault"),
      });
    });
  });

  describe("when browsers have the old settings", () => {
    beforeEach(async () => {
      await program.up({ size: 2 });
      emulator.browserPools.fill(program.stored.id);
      emulator.browserPools.acquire(program.stored.id);
    });

    const areStealthy = () =>
      emulator.browserPools.browsers(program.stored.id).map(({ settings }) => settings.stealth);

    test("a pool without browsers causes no message about old settings", async () => {
      const empty = new PoolProgram(emulator, "BrowserPool");
      await empty.up({ name: "empty", size: 1, fillRatePerMinute: 0 });
      const { id } = empty.stored;
      const headers = { authorization: `Bearer ${emulator.apiKeys[0]}` };
      await fetch(`${emulator.url}/browser_pools/${id}/flush`, { method: "POST", headers });
      expect(await empty.up({ name: "empty", size: 1, fillRatePerMinute: 0, stealth: true })).toBe("update");
      expect(empty.messages).toEqual([]);
    });

    test("existing browsers keep the old settings, and a message explains how to rebuild the browsers", async () => {
      await program.up({ size: 2, stealth: true });
      expect(areStealthy()).toEqual([false, false]);
      expect(program.messages).toEqual([
        expect.stringMatching(
          /have the new stealth; existing browsers \(2\) keep the old settings\. .+"rebuildIdleBrowsersOnUpdate"/,
        ),
      ]);
    });

    test("with rebuildIdleBrowsersOnUpdate, idle browsers are rebuilt, and leased browsers keep the old settings", async () => {
      await program.up({ size: 2, stealth: true, rebuildIdleBrowsersOnUpdate: true });
      expect(areStealthy()[0]).toBe(false);
      expect(areStealthy().slice(1)).not.toContain(false);
      expect(program.messages).toEqual([
        expect.stringMatching(
          /rebuilds its idle browsers \(1\).+Leased browsers \(1\) keep the old settings until destroyed\.$/,
        ),
      ]);
    });

    test("with rebuildIdleBrowsersOnUpdate, a change without effect on browsers rebuilds nothing", async () => {
      const rebuildIdleBrowsersOnUpdate = true;
      const ids = () => emulator.browserPools.browsers(program.stored.id).map(({ sessionId }) => sessionId);
      const before = ids();
      await program.up({ size: 2, rebuildIdleBrowsersOnUpdate, timeoutSeconds: 60, name: "other" });
      expect(ids()).toEqual(before);
    });
  });

  describe("when browsers are leased", () => {
    beforeEach(async () => {
      await program.up({ size: 2, name: "agents" });
      emulator.browserPools.fill(program.stored.id);
      emulator.browserPools.acquire(program.stored.id);
    });

    test("a pool with leased browsers is not deleted, and the error contains their number and advice", async () => {
      const [leased] = emulator.browserPools.browsers(program.stored.id);
      const { message } = await errorOf(program.destroy());
      expect(message).toContain(leased?.sessionId);
      expect(message).toMatch(
        /1 browser of the pool is leased\. Nothing was deleted\. .+"forceDelete" set to true/,
      );
      expect(pools()).toHaveLength(1);
      expect(await program.up({ size: 2, name: "agents" })).toBe("same");
    });

    test("a pool deployed with forceDelete is deleted although a browser is leased", async () => {
      expect(await program.up({ size: 2, name: "agents", forceDelete: true })).toBe("update");
      await program.destroy();
      expect(pools()).toEqual([]);
    });
  });

  describe("when browsers must be ready", () => {
    test("a deployment with waitForAvailable waits for the browsers, and shows the number of ready browsers", async () => {
      await program.up({ size: 3, waitForAvailable: 3 });
      expect(pool().availableCount).toBe(3);
      expect(program.messages[0]).toMatch(/^waiting for browsers: \d of 3 ready$/);
      // Message in the row once the pool is done.
      expect(program.messages.at(-1)).toBe("3 of 3 browsers are ready");
    });

    test("a deployment with fillRatePerMinute 0 warns that the pool is filled only once, and waits for the browsers", async () => {
      await program.up({ size: 2, waitForAvailable: 2, fillRatePerMinute: 0 });
      expect(pool().availableCount).toBe(2);
      expect(program.warnings).toEqual([
        expect.stringMatching(/"fillRatePerMinute" 0: .+fills the pool once/),
      ]);
    });

    test("leased browsers count as ready browsers", async () => {
      const news = { size: 2, waitForAvailable: 2 };
      await program.up(news);
      emulator.browserPools.acquire(program.stored.id);
      expect(await program.up({ ...news, startUrl: "https://example.com/" })).toBe("update");
    });

    test("a deployment waits for browsers if only waitForAvailable is new, or if an earlier run was killed", async () => {
      await program.up({ size: 2 });
      await program.up({ size: 2, waitForAvailable: 2 });
      expect(pool().availableCount).toBe(2);
      await program.upKilled({ size: 3 });
      await program.up({ size: 3, waitForAvailable: 3 });
      expect(pool().availableCount).toBe(3);
    });

    test("a pool whose wait was canceled stays in the state, and the next run continues to wait", async () => {
      emulator.faults.add({
        method: "GET",
        path: "/browser_pools/",
        at: "before-commit",
        action: { call: () => program.engine.end("cancel") },
      });
      const news = { size: 3, waitForAvailable: 3 };
      const { message } = await errorOf(program.up(news));
      expect(message).toMatch(/^Browser pool \w+ exists, but waiting for 3 ready browsers failed: /);
      const { id } = program.stored;
      expect(await program.up(news)).toBe("update");
      expect(pools()).toMatchObject([{ id, availableCount: 3 }]);
      expect(await program.up(news)).toBe("same");
    });
  });

  describe("with an unknown extension", () => {
    const unknown = "abcdefghijklmnopqrstuvwx";

    test("a preview refuses a pool with an unknown extension, and names only the unknown extension", async () => {
      const reader = await extension("reader");
      expect(await refusals({ size: 1, extensionIds: [reader, unknown] })).toEqual([
        `There is no extension with the id "${unknown}" for the pool to load. Check the id, which "browser-infra extensions list" shows, and the project.`,
      ]);
      expect(await refusals({ size: 1, extensionIds: ["reader"] })).toEqual([
        expect.stringMatching(/^There is no extension with the id "reader"/),
      ]);
      expect(await refusals({ size: 1, extensionIds: ["../reader"] })).toEqual([
        expect.stringMatching(/^There is no extension with the id "..\/reader"/),
      ]);
      expect(await refusals({ size: 1, extensionIds: [reader] })).toEqual([]);
    });

    test("a preview does not look up extensions that the pool has, and accepts ids whose lookup the service refuses", async () => {
      const reader = await extension("reader");
      await program.up({ size: 1, extensionIds: [reader] });
      const reads = () => emulator.requests.filter(({ path }) => path.startsWith("/extensions/")).length;
      const before = reads();
      expect(await refusals({ size: 2, extensionIds: [reader] })).toEqual([]);
      expect(reads()).toBe(before);
      emulator.faults.add({
        path: `/extensions/${unknown}/metadata`,
        at: "before-commit",
        action: { answer: { status: 403 } },
      });
      expect(await refusals({ size: 2, extensionIds: [unknown] })).toEqual([]);
    });
  });

  describe("with an unknown profile or proxy", () => {
    const unknown = "abcdefghijklmnopqrstuvwx";

    test.each<[string, object]>([
      ["profile", { profileId: unknown }],
      ["proxy", { proxyId: unknown }],
      ["proxy", { network: { proxyRoutes: [{ hosts: ["a.example"], proxyId: unknown }] } }],
    ])("a preview refuses a pool with an unknown %s, and names the id (%#)", async (noun, news) => {
      expect(await refusals({ size: 1, ...news })).toEqual([
        expect.stringMatching(new RegExp(`^There is no ${noun} with the id "${unknown}" for the pool to `)),
      ]);
    });

    test("a preview accepts existing ids, and reports a profile name without a profile as a message only", async () => {
      emulator.proxies.create({ id: "proxy_1", type: "isp" });
      const { id: profileId } = emulator.profiles.ensure("shopper");
      expect(await refusals({ size: 1, profileId, proxyId: "proxy_1" })).toEqual([]);
      expect(program.messages).toEqual([]);
      expect(await refusals({ size: 1, profileName: "later" })).toEqual([]);
      expect(program.messages).toContainEqual(
        expect.stringContaining('There is no profile with the name "later" yet.'),
      );
    });
  });

  describe("imports", () => {
    test.each(["by its id", "by its project and its id"])(
      "an imported pool has all settings of the service, %s",
      async (form) => {
        const { id } = emulator.browserPools.create({ name: "theirs", size: 2, stealth: true });
        const { projectId } = emulator.browserPools.get(id);
        const isQualified = form.includes("project");
        await program.import(isQualified ? `${projectId}/${id}` : id);
        expect(program.stored).toMatchObject({ id, inputs: { name: "theirs", size: 2, stealth: true } });
        const project = isQualified ? { projectId } : {};
        expect(await program.up({ size: 2, stealth: true, ...project })).toBe("same");
        expect(await program.up({ name: "theirs", size: 2, stealth: true, ...project })).toBe("same");
      },
    );

    test("an imported pool without a name stays unchanged", async () => {
      const { id } = emulator.browserPools.create({ size: 1 });
      await program.import(id);
      expect(await program.up({ size: 1 })).toBe("same");
    });

    test("the import of a pool refuses a text that is no id", async () => {
      expect(await errorOf(program.import("a/b/c"))).toMatchObject({
        code: "import_id_invalid",
        message:
          'To import or look up a browser pool, give its id, or "<project id>/<browser pool id>". "a/b/c" is neither.',
      });
    });
  });
});
