import { BrowserInfraClient } from "../../src/client/index.js";
import type { Emulator } from "../../src/emulator/index.js";
import { bridges } from "./bridges.js";
import { startService, writesIn } from "./service.js";
import type { Stack } from "./stack.js";
import { reference } from "./yaml-program.js";

const dayMs = 86_400_000;

/**
 * The scenarios of the service's Terraform provider for projects, API keys and browser pools. What
 * that provider leaves out, such as its list for an API key, is here too.
 */
describe.each(bridges)("the organization through $name, with the real engine", (bridge) => {
  let emulator: Emulator;
  let environment: NodeJS.ProcessEnv;
  let stack: Stack;

  beforeEach(async () => {
    ({ emulator, environment } = await startService({ speed: 1_000 }));
    stack = await bridge.create(environment);
  });

  afterEach(async () => {
    stack.remove();
    await emulator.close();
  });

  const up = () => stack.up();

  /** Runs a deployment that must fail. Returns what it printed, on one line. */
  async function failing(...args: string[]): Promise<string> {
    const { exitCode, output } = await stack.run(...args, "--yes", "--skip-preview");
    expect(exitCode).not.toBe(0);
    return output.replace(/\s+/g, " ");
  }

  async function expectNothingToDo(...options: string[]): Promise<void> {
    const { exitCode, output } = await stack.preview("--expect-no-changes", ...options);
    expect(`${exitCode} ${output}`).toMatch(/^0 /);
  }

  const destroy = () => stack.succeed("destroy", "--yes", "--skip-preview");

  describe("a project", () => {
    const declare = (name: string) =>
      bridge.declare(stack, {
        shop: { type: "Project", properties: { name }, options: { deleteBeforeReplace: true } },
      });
    const shown = () =>
      emulator.projects
        .list()
        .filter(({ id }) => id !== emulator.defaultProject.id)
        .map(({ id, name }) => ({ id, name }));

    test("is created, unchanged, renamed with the same id, and deleted", async () => {
      declare("shop");
      await up();
      const [created] = shown();
      expect(created?.name).toBe("shop");
      await expectNothingToDo("--refresh");
      declare("store");
      await up();
      expect(shown()).toEqual([{ id: created?.id, name: "store" }]);
      await expectNothingToDo();
      await destroy();
      expect(shown()).toEqual([]);
    });

    test("that exists is imported as it is, unchanged then, and deleted in the end", async () => {
      const { id } = emulator.createProject({ name: "shop" });
      await bridge.import(stack, environment, { type: "Project", name: "shop", id });
      declare("shop");
      await expectNothingToDo("--refresh");
      expect(writesIn(emulator)).toEqual([]);
      await destroy();
      expect(shown()).toEqual([]);
    });
  });

  describe("an API key", () => {
    const declare = (properties: Readonly<Record<string, unknown>>) =>
      bridge.declare(
        stack,
        { agents: { type: "ApiKey", properties } },
        { key: reference("agents.key"), keyId: reference("agents.keyId") },
      );
    /** Keys that are not deleted, without the one that the deployments use. */
    const live = () =>
      emulator.apiKeyRecords
        .list()
        .filter(({ deletedAt, name }) => deletedAt === null && name !== "Given at start");
    const outputs = async (): Promise<{ key: string; keyId: string }> =>
      JSON.parse(await stack.succeed("stack", "output", "--json", "--show-secrets"));
    const statusWith = async (key: string) =>
      (await fetch(`${emulator.url}/auth/context`, { headers: { authorization: `Bearer ${key}` } })).status;

    test("of a project is created, renamed, rotated by hand and deleted with its previous one", async () => {
      const { id: projectId } = emulator.createProject({ name: "shop" });
      declare({ name: "agents", projectId, triggers: ["1"] });
      await up();
      const first = await outputs();
      expect(live()).toMatchObject([{ id: first.keyId, name: "agents", projectId }]);
      await expectNothingToDo("--refresh");
      declare({ name: "crawlers", projectId, triggers: ["1"] });
      await up();
      expect(await outputs()).toEqual(first);
      expect(live()).toMatchObject([{ id: first.keyId, name: "crawlers" }]);
      declare({ name: "crawlers", projectId, triggers: ["2"] });
      await up();
      const second = await outputs();
      expect(second.keyId).not.toBe(first.keyId);
      expect(await Promise.all([first.key, second.key].map(statusWith))).toEqual([200, 200]);
      await expectNothingToDo("--refresh");
      await destroy();
      expect(live()).toEqual([]);
      expect(await Promise.all([first.key, second.key].map(statusWith))).toEqual([401, 401]);
    });

    test("with a short lifetime is renewed near its expiry, and again when it has expired", async () => {
      const renewal = { name: "agents", daysToExpire: 3, rotateBeforeDays: 1 };
      emulator.clock.advance(-2.5 * dayMs);
      declare(renewal);
      await up();
      const first = await outputs();
      emulator.clock.set(null);
      await up();
      const second = await outputs();
      expect(second.keyId).not.toBe(first.keyId);
      expect(await Promise.all([first.key, second.key].map(statusWith))).toEqual([200, 200]);
      await expectNothingToDo("--refresh");

      emulator.apiKeyRecords.setExpiry(second.keyId, new Date(Date.now() - 1_000));
      expect(await statusWith(second.key)).toBe(401);
      await stack.up("--refresh");
      const third = await outputs();
      expect(third.keyId).not.toBe(second.keyId);
      expect(await statusWith(third.key)).toBe(200);
      await expectNothingToDo("--refresh");
      await destroy();
      expect(live()).toEqual([]);
    });

    test("is rotated for another lifetime, and replaced when it shall never expire", async () => {
      declare({ name: "agents", daysToExpire: 7 });
      await up();
      const first = await outputs();
      declare({ name: "agents", daysToExpire: 5 });
      await up();
      const second = await outputs();
      expect(second.keyId).not.toBe(first.keyId);
      expect(
        live()
          .map(({ id }) => id)
          .sort(),
      ).toEqual([first.keyId, second.keyId].sort());
      declare({ name: "agents" });
      await up();
      const third = await outputs();
      expect(live()).toMatchObject([{ id: third.keyId, expiresAt: null }]);
      await expectNothingToDo("--refresh");
    });

    test.each([
      ["256 letters", "a".repeat(256)],
      ["whitespace at its end", "agents "],
    ])("with a name of %s is refused in the preview, before any write", async (_what, name) => {
      declare({ name });
      const { exitCode, output } = await stack.preview();
      expect(exitCode).not.toBe(0);
      expect(output.replace(/\s+/g, " ")).toMatch(/at most 255|whitespace/);
      expect(writesIn(emulator)).toEqual([]);
    });

    test("may have a name of 255 ASCII letters, or of 255 umlauts", async () => {
      const names = { letters: "a".repeat(255), umlauts: "ü".repeat(255) };
      const declared = Object.entries(names).map(([each, name]) => [
        each,
        { type: "ApiKey", properties: { name } },
      ]);
      bridge.declare(stack, Object.fromEntries(declared));
      await up();
      expect(
        live()
          .map(({ name }) => name)
          .sort(),
      ).toEqual(Object.values(names));
      await expectNothingToDo("--refresh");
    });

    test("that somebody else has deleted is gone, and destroy says nothing about it", async () => {
      declare({ name: "agents" });
      await up();
      emulator.apiKeyRecords.remove((await outputs()).keyId);
      expect(await destroy()).not.toMatch(/error|warning/);
      expect(live()).toEqual([]);
    });

    test("that the deployment itself uses is neither rotated nor deleted, and the message says how to go on", async () => {
      declare({ name: "agents", triggers: ["1"] });
      await up();
      const { key, keyId } = await outputs();
      stack.export({ BROWSER_INFRA_API_KEY: key });
      const before = writesIn(emulator);
      declare({ name: "agents", triggers: ["2"] });
      expect(await failing("up")).toContain(`API key ${keyId} is the one that this deployment uses`);
      const refused = await failing("destroy");
      expect(refused).toContain("so it was not deleted");
      expect(refused).toContain(
        'Deploy with another API key, or remove the resource from the state with "pulumi state delete"',
      );
      expect(refused).not.toContain(key);
      expect(writesIn(emulator)).toEqual(before);
      expect(await statusWith(key)).toBe(200);
    });
  });

  describe("a browser pool", () => {
    const declare = (properties: Readonly<Record<string, unknown>>) =>
      bridge.declare(stack, {
        agents: {
          type: "BrowserPool",
          properties: { name: "agents", ...properties },
          options: { deleteBeforeReplace: true },
        },
      });
    const pools = (projectId?: string) => emulator.browserPools.list(projectId);

    test("has a browser before the deployment ends, keeps its id in an update, and hands out changed browsers", async () => {
      declare({ size: 1, waitForAvailable: 1 });
      await up();
      const [{ id, availableCount } = { id: "", availableCount: 0 }] = pools();
      expect(availableCount).toBe(1);
      await expectNothingToDo("--refresh");
      declare({ size: 1, waitForAvailable: 1, stealth: true, rebuildIdleBrowsersOnUpdate: true });
      await up();
      expect(pools()).toMatchObject([{ id, stealth: true }]);
      emulator.browserPools.fill(id);
      const { sessionId, settings } = emulator.browserPools.acquire(id);
      expect(settings).toMatchObject({ stealth: true });
      await expectNothingToDo("--refresh");

      const refused = await failing("destroy");
      expect(refused).toMatch(/1 browser of it is leased\. Nothing was deleted\./);
      expect(pools()).toMatchObject([{ id }]);
      emulator.browserPools.release(id, sessionId);
      await destroy();
      expect(pools()).toEqual([]);
    });

    test.each([
      ["the default project", false],
      ["another project", true],
    ])("of %s is imported as it is, unchanged then, and deleted in the end", async (_where, isElsewhere) => {
      const scope = isElsewhere ? { projectId: emulator.createProject({ name: "Other" }).id } : {};
      const { id } = emulator.browserPools.create({ name: "agents", size: 1, ...scope });
      await bridge.import(stack, environment, { type: "BrowserPool", name: "agents", id, ...scope });
      declare({ size: 1, ...scope });
      await expectNothingToDo("--refresh");
      expect(writesIn(emulator)).toEqual([]);
      await destroy();
      expect(pools(scope.projectId)).toEqual([]);
    });

    test("that somebody else has deleted is created again, and one that is gone at the end is no error", async () => {
      declare({ size: 1 });
      await up();
      emulator.browserPools.remove(pools()[0]?.id ?? "");
      await stack.up("--refresh");
      expect(pools()).toHaveLength(1);
      emulator.browserPools.remove(pools()[0]?.id ?? "");
      expect(await destroy()).not.toMatch(/error|warning/);
      const client = new BrowserInfraClient({ baseUrl: emulator.url, apiKey: emulator.apiKeys[0] ?? "" });
      await expect(client.browserPools.get("agents")).rejects.toMatchObject({ serviceCode: "not_found" });
      await client.close();
    });
  });

  test("a whole environment is previewed from nothing, created, unchanged after a refresh, and destroyed", async () => {
    stack.write("extension/manifest.json", '{ "manifest_version": 3, "name": "Reader", "version": "1.0.0" }');
    const options = { deleteBeforeReplace: true };
    const projectId = reference("shop.id");
    bridge.declare(
      stack,
      {
        shop: { type: "Project", properties: {}, options },
        caps: { type: "ProjectLimits", properties: { projectId, maxConcurrentSessions: 5 }, options },
        agents: { type: "ApiKey", properties: { projectId, daysToExpire: 30, rotateBeforeDays: 5 } },
        reader: { type: "Extension", properties: { projectId, path: "./extension" } },
        pool: {
          type: "BrowserPool",
          properties: { projectId, size: 1, extensionIds: [reference("reader.id")] },
          options,
        },
      },
      { key: reference("agents.key") },
    );
    const first = await stack.preview();
    expect(`${first.exitCode} ${first.output}`).toMatch(/^0 /);
    expect(writesIn(emulator)).toEqual([]);
    await up();
    await expectNothingToDo();
    const [{ id } = { id: "" }] = emulator.projects
      .list()
      .filter((each) => each.id !== emulator.defaultProject.id);
    const [pool] = emulator.browserPools.list(id);
    expect(pool?.extensionIds).toEqual(emulator.extensions.list(id).map((each) => each.id));
    // What the service fills in by itself.
    emulator.browserPools.fill(pool?.id ?? "");
    emulator.extensions.setLastUsed(emulator.extensions.list(id)[0]?.id ?? "", new Date());
    await expectNothingToDo();
    await stack.succeed("refresh", "--yes", "--skip-preview");
    await expectNothingToDo();
    await expectNothingToDo("--refresh");
    await destroy();
    expect(emulator.projects.list()).toHaveLength(1);
  });
});
