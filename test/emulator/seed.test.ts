import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { EmulatorSeed } from "../../src/emulator/index.js";
import { seedJsonSchema } from "../../src/emulator/seed/schema.js";
import { newEmulator } from "../support/emulator.js";
import { extensionZip } from "../support/stored-zip.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { call, json, type WireExtension } from "./calls.js";

const docs = resolve(__dirname, "../../docs");

describe("emulator: seed", () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
    writeFileSync(join(folder, "ad-blocker.zip"), extensionZip("ad-blocker"));
  });

  /** Writes a seed file beside the archive. */
  function file(seed: unknown, name = "seed.json"): string {
    const path = join(folder, name);
    writeFileSync(path, typeof seed === "string" ? seed : JSON.stringify(seed));
    return path;
  }

  const full = {
    organization: { maxConcurrentSessions: 7 },
    defaultProject: { id: "main", name: "Main", limits: { maxConcurrentSessions: 3 } },
    projects: [
      { id: "staging-id", name: "Staging", limits: { maxConcurrentSessions: 5, maxPooledSessions: null } },
      { name: "a/b", status: "archived" },
    ],
    apiKeys: [
      { id: "key-1", name: "ci", key: "sk_ci", createdBy: { email: "ann@example.com" } },
      { name: "ci", project: "Staging" },
      { name: "ci", project: "Staging" },
      { name: "past", expiresAt: "2020-01-01T00:00:00Z", project: "staging-id" },
    ],
    extensions: [
      { name: "ad-blocker", project: "Staging", archive: "ad-blocker.zip" },
      { archive: "./ad-blocker.zip" },
    ],
  } satisfies EmulatorSeed;

  test("the example seed in the documentation is accepted unchanged", async () => {
    const emulator = await newEmulator({ seed: join(docs, "emulator/emulator-seed.example.json") });
    expect(emulator.projects.list().map(({ name, status }) => [name, status])).toEqual([
      ["Last year's trial", "archived"],
      ["Production", "active"],
      ["Staging", "active"],
      ["Default", "active"],
    ]);
    expect(emulator.authConnections.list().map(({ id, login }) => [id, login?.step])).toEqual([
      ["mail", "DISCOVERING"],
      ["shop", undefined],
    ]);
    expect(emulator.authConnections.list("staging")).toMatchObject([{ id: "bank", scenario: "pin" }]);
    expect(emulator.browserPools.list("staging")).toMatchObject([{ id: "agents", availableCount: 3 }]);
    expect(emulator.browserPools.list()).toMatchObject([
      { id: "nightly", availableCount: 1, profile: { name: "ci" }, refreshOnProfileUpdate: true },
    ]);
    const headers = { authorization: "Bearer sk_staging" };
    expect(await json(call(emulator, "GET", "/org/projects", headers))).toMatchObject([{ id: "staging" }]);
    expect(await json(call(emulator, "GET", "/org/projects/Production/limits"))).toEqual({
      max_concurrent_sessions: 40,
      max_concurrent_invocations: 20,
      max_pooled_sessions: null,
    });
    expect(await json(call(emulator, "GET", "/org/limits"))).toMatchObject({
      max_concurrent_sessions: 50,
      default_project_max_concurrent_sessions: 10,
    });
  });

  test("a seed file creates projects, limits, keys and extensions, with archives relative to the file's folder", async () => {
    const emulator = await newEmulator({ seed: file(full) });
    expect(emulator.defaultProject).toMatchObject({
      id: "main",
      name: "Main",
      limits: { maxConcurrentSessions: 3 },
    });
    expect(emulator.projects.list()).toMatchObject([
      { name: "a/b", status: "archived" },
      { id: "staging-id", name: "Staging", status: "active", limits: { maxConcurrentSessions: 5 } },
      { id: "main" },
    ]);
    expect(emulator.apiKeyRecords.list().map(({ name, projectName }) => [name, projectName])).toEqual([
      ["Given at start", null],
      ["past", "Staging"],
      ["ci", "Staging"],
      ["ci", "Staging"],
      ["ci", null],
    ]);
    expect(
      await json(call(emulator, "GET", "/org/api_keys/key-1", { authorization: "Bearer sk_ci" })),
    ).toMatchObject({
      masked_key: "s...",
      created_by: { email: "ann@example.com", name: null },
    });
    const scoped = { "x-kernel-project": "Staging" };
    const [extension] = await json<WireExtension[]>(call(emulator, "GET", "/extensions", scoped));
    expect(extension).toMatchObject({ name: "ad-blocker", size_bytes: extensionZip("ad-blocker").length });
    expect(emulator.extensions.list()).toMatchObject([{ name: null, checksum: extension?.checksum }]);
    expect(await json(call(emulator, "GET", "/org/limits"))).toMatchObject({ max_concurrent_sessions: 7 });
  });

  test("a seed object works like a file, with archive paths absolute or relative to the working directory", async () => {
    const archive = join(folder, "ad-blocker.zip");
    const emulator = await newEmulator({ seed: { extensions: [{ name: "x", archive }] } });
    expect(emulator.extensions.list()).toMatchObject([{ name: "x" }]);
    await emulator.close();
    await expect(newEmulator({ seed: { extensions: [{ archive: "ad-blocker.zip" }] } })).rejects.toThrow(
      "extensions[0].archive names a file that cannot be used: there is no such file",
    );
  });

  test("a seed applied again to a data folder keeps changes, and creates only the missing objects", async () => {
    const dataDir = join(folder, "data");
    const seed = file(full);
    const contents = async (change?: (emulator: Awaited<ReturnType<typeof newEmulator>>) => void) => {
      const emulator = await newEmulator({ dataDir, seed });
      const { projects, apiKeyRecords, extensions } = emulator;
      const all = [projects.list(), apiKeyRecords.list(), extensions.list(), extensions.list("staging-id")];
      change?.(emulator);
      await emulator.close();
      return all;
    };
    const first = await contents();
    expect(
      await contents(({ projects, apiKeyRecords, extensions }) => {
        projects.rename("staging-id", "Renamed");
        projects.setLimits("staging-id", { maxConcurrentSessions: 1 });
        apiKeyRecords.rename("key-1", "renamed");
        extensions.remove("ad-blocker", "staging-id");
      }),
    ).toEqual(first);
    file({
      ...full,
      apiKeys: [full.apiKeys[0]],
      extensions: [full.extensions[0]],
    });
    const [projects, keys, , extensions] = await contents();
    expect(projects).toMatchObject([
      { name: "a/b" },
      { name: "Renamed", limits: { maxConcurrentSessions: 1 } },
      { id: "main" },
    ]);
    expect(keys).toHaveLength(5);
    expect(keys).toContainEqual(expect.objectContaining({ id: "key-1", name: "renamed" }));
    expect(extensions).toMatchObject([{ name: "ad-blocker" }]);
  });

  test("a seed file defines legacy records, and faults with headers and details", async () => {
    const busy = {
      status: 429,
      headers: { "retry-after": "0", "x-ratelimit-remaining": "0" },
      body: { code: "rate_limited", message: "slow down", details: [{ code: "a", message: "b" }] },
    };
    const seed = file({
      extensions: [{ name: "old", archive: "ad-blocker.zip", legacy: true }],
      faults: [
        { method: "GET", path: "/extensions", at: "before-commit", action: { answer: busy } },
        { pathPattern: "^/org/projects$", times: "always", at: "before-reading", action: "close" },
      ],
    });
    const emulator = await newEmulator({ seed });
    const first = await call(emulator, "GET", "/extensions");
    expect([first.status, first.headers.get("retry-after"), await first.json()]).toEqual([
      429,
      "0",
      busy.body,
    ]);
    expect(first.headers.get("x-ratelimit-remaining")).toBe("0");
    const [record = {}] = await json<object[]>(call(emulator, "GET", "/extensions"));
    expect(record).toMatchObject({ name: "old" });
    expect(record).not.toHaveProperty("checksum");
    for (const _ of [1, 2]) {
      await expect(call(emulator, "GET", "/org/projects")).rejects.toThrow();
    }
  });

  test("a seed matches the names of existing projects and extensions in any case", async () => {
    const dataDir = join(folder, "data");
    const first = await newEmulator({ dataDir, seed: file(full) });
    await first.close();
    const again = await newEmulator({
      dataDir,
      seed: file({
        projects: [{ name: "STAGING" }],
        extensions: [{ name: "AD-blocker", project: "staging", archive: "ad-blocker.zip" }],
      }),
    });
    expect(again.projects.list()).toHaveLength(3);
    expect(again.extensions.list("staging-id")).toMatchObject([{ name: "ad-blocker" }]);
  });

  test("an API key given both at start and in a seed has the name from the seed", async () => {
    const emulator = await newEmulator({ seed: { apiKeys: [{ name: "admin", key: "sk_emulator" }] } });
    expect(emulator.apiKeyRecords.list()).toMatchObject([{ name: "admin" }]);
    expect((await call(emulator, "GET", "/extensions")).status).toBe(200);
  });

  test.each<[string, unknown, string]>([
    ["no JSON", '{\n  "apiKeys": [ sk_secret ]\n}', "it is not JSON in UTF-8"],
    ["no object", [], ": it must be an object."],
    ["an unknown member", { project: [] }, 'it has an unknown member "project"'],
    [
      "a misspelt limit",
      { projects: [{ name: "x", limits: { maxSessions: 1 } }] },
      'projects[0].limits has an unknown member "maxSessions"',
    ],
    [
      "a limit of 0",
      { projects: [{ name: "x", limits: { maxConcurrentSessions: 0 } }] },
      "projects[0].limits.maxConcurrentSessions must be a whole number of at least 1",
    ],
    [
      "a name of only whitespace",
      { projects: [{ name: "x" }, { name: " " }] },
      "projects[1].name must have 1 to 255",
    ],
    ["a missing name", { apiKeys: [{}] }, "apiKeys[0].name must be a string"],
    [
      "a malformed key",
      { apiKeys: [{ name: "x", key: "sk secret" }] },
      "apiKeys[0].key must be 1 to 255 visible",
    ],
    [
      "a date that is none",
      { apiKeys: [{ name: "x", expiresAt: "soon" }] },
      "apiKeys[0].expiresAt must be a date-time",
    ],
    ["a project twice", { projects: [{ name: "x" }, { name: "x" }] }, "projects[1]: A project with the id"],
    [
      "a project called as the default one",
      { defaultProject: { name: "x" }, projects: [{ id: "x", name: "x" }] },
      "projects[0]: A project with",
    ],
    [
      "a key twice",
      {
        apiKeys: [
          { name: "x", key: "sk_secret" },
          { name: "y", key: "sk_secret" },
        ],
      },
      'apiKeys[1]: The API key in "key" already exists',
    ],
    [
      "an unknown project",
      { apiKeys: [{ name: "x", project: "none" }] },
      'apiKeys[0].project names no project: no project has the id or the name "none"',
    ],
    [
      "an extension twice",
      {
        extensions: [
          { name: "x", archive: "ad-blocker.zip" },
          { name: "x", archive: "ad-blocker.zip" },
        ],
      },
      'extensions[1]: An extension with this id, or with the name "x" in its project, already exists',
    ],
    [
      "a name like an id",
      { extensions: [{ name: "a".repeat(24), archive: "ad-blocker.zip" }] },
      "extensions[0].name must not look like an id",
    ],
    [
      "a missing archive",
      { extensions: [{ archive: "none.zip" }] },
      "extensions[0].archive names a file that cannot be used: there is no such file",
    ],
    [
      "a fault of an unknown kind",
      { faults: [{ at: "before-commit", action: "explode" }] },
      'faults[0].action must be "reset", "close", "end", "hang"',
    ],
    [
      "a fault that cannot be",
      { faults: [{ at: "before-commit", action: "end" }] },
      "faults[0]: The fault cannot be used: action can be end only at while-answering",
    ],
    [
      "a fault with a broken pattern",
      { faults: [{ at: "before-commit", pathPattern: "(", action: "reset" }] },
      "faults[0].pathPattern must be a regular expression",
    ],
    ["a folder for an archive", { extensions: [{ archive: "." }] }, "it is a folder"],
    [
      "a browser pool without a size",
      { browserPools: [{ name: "agents" }] },
      "browserPools[0].size must be a whole number of at least 1",
    ],
    [
      "a browser pool with an unknown extension",
      { browserPools: [{ name: "agents", size: 1, extensions: [{ name: "none" }] }] },
      'browserPools[0]: extensions[0] names no extension of the project: "none"',
    ],
    [
      "a browser pool with an unknown category of telemetry",
      { browserPools: [{ name: "agents", size: 1, telemetry: { browser: { noise: { enabled: true } } } }] },
      'browserPools[0].telemetry.browser has an unknown member "noise"',
    ],
    [
      "a browser pool twice",
      {
        browserPools: [
          { name: "agents", size: 1 },
          { name: "AGENTS", size: 1 },
        ],
      },
      "browserPools[1]: A browser pool with this id",
    ],
    [
      "an archive that is none",
      { extensions: [{ archive: "seed.json" }] },
      "extensions[0].archive: The file is not a zip archive",
    ],
  ])(
    "a seed with %s is refused with the place in the file, and nothing is stored",
    async (_, seed, reason) => {
      const path = file(seed);
      const dataDir = join(folder, "data");
      await expect(newEmulator({ seed: path, dataDir })).rejects.toMatchObject({
        name: "ConfigError",
        code: "emulator_seed_invalid",
        message: expect.stringContaining(reason),
      });
      await expect(newEmulator({ seed: path, dataDir })).rejects.toThrow(
        /^(?!.*secret)The emulator's seed ".*seed\.json" cannot be used: .*docs\/emulator\/emulator-seed\.schema\.json/,
      );
      const emulator = await newEmulator({ dataDir });
      expect([emulator.projects.list().length, emulator.apiKeyRecords.list().length]).toEqual([1, 1]);
    },
  );

  test("a seed creates a browser pool with all settings, and leaves an existing browser pool unchanged", async () => {
    const dataDir = join(folder, "data");
    const pool = {
      name: "agents",
      size: 2,
      fillRatePerMinute: 50,
      timeoutSeconds: 60,
      stealth: true,
      headless: true,
      kioskMode: true,
      refreshOnProfileUpdate: false,
      proxyId: "prx_1",
      startUrl: "https://example.com/",
      chromePolicy: { BookmarkBarEnabled: false },
    };
    const seed = {
      extensions: [{ name: "ad-blocker", archive: join(folder, "ad-blocker.zip") }],
      proxies: [{ id: "prx_1", type: "isp" }],
      browserPools: [
        {
          ...pool,
          extensions: [{ name: "ad-blocker" }],
          profile: { name: "shopper" },
          viewport: { width: 2560, height: 1440 },
          telemetry: { browser: { page: { enabled: true } } },
        },
      ],
    } satisfies EmulatorSeed;
    const first = await newEmulator({ seed, dataDir });
    const [made] = first.browserPools.list();
    expect(made).toMatchObject({
      ...pool,
      extensionIds: [first.extensions.list()[0]?.id],
      profile: { name: "shopper" },
      viewport: { width: 2560, height: 1440, refreshRate: 10 },
      telemetry: { browser: { page: true, control: true, network: false } },
      availableCount: 2,
    });
    await first.close();
    const second = await newEmulator({ seed: { browserPools: [{ name: "Agents", size: 9 }] }, dataDir });
    expect(second.browserPools.list()).toEqual([made]);
  });

  test("a seed path to a missing file or a folder is refused with the path as typed by the user", async () => {
    await expect(newEmulator({ seed: "none.json" })).rejects.toThrow(
      'The emulator\'s seed "none.json" cannot be used: there is no such file.',
    );
    mkdirSync(join(folder, "below"));
    await expect(newEmulator({ seed: join(folder, "below") })).rejects.toThrow("it is a folder");
    await expect(newEmulator({ seed: "" })).rejects.toMatchObject({ code: "config_invalid" });
  });

  test("the emulator's seed has a JSON schema for editors", () => {
    expect(seedJsonSchema()).toMatchObject({ type: "object", properties: { projects: { type: "array" } } });
  });
});
