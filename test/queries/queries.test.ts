import { BrowserInfraClient } from "../../src/client/index.js";
import { type Emulator, startEmulator } from "../../src/emulator/index.js";
import * as program from "../../src/index.js";
import { queries, runQuery } from "../../src/queries/index.js";
import { stored } from "../emulator/calls.js";
import { errorOf } from "../support/error-of.js";

let emulator: Emulator;
let client: BrowserInfraClient;

beforeEach(async () => {
  emulator = await startEmulator();
  client = new BrowserInfraClient({ apiKey: emulator.apiKeys[0] ?? "", baseUrl: emulator.url });
});

afterEach(async () => {
  await client.close();
  await emulator.close();
});

/** Asks as the provider plugin does: by name, with whatever the engine sent. */
function ask(name: string, args: object, inProject?: string): Promise<unknown> {
  const query = queries[name];
  if (query === undefined) {
    throw new Error(`no query ${name}`);
  }
  return runQuery(query, client.inProject(inProject), args);
}

describe("the queries", () => {
  test("are those of the functions of a program, each under its own name", () => {
    const functions = Object.keys(program).filter((name) => /^get.*(?<!Output)$/.test(name));
    expect(functions).toHaveLength(10);
    expect(Object.keys(queries).sort()).toEqual(functions.sort());
    expect(Object.entries(queries).filter(([name, query]) => query.name !== name)).toEqual([]);
  });

  test("find with plain values what the service has, undefined where it has no value", async () => {
    const { id, createdAt } = emulator.createProject({
      name: "Staging",
      limits: { maxConcurrentSessions: 5 },
    });
    expect(await ask("getProject", { name: "Staging" })).toMatchObject({ id, createdAt, status: "active" });
    expect(await ask("getProjects", { query: "stag" })).toMatchObject({ projects: [{ id }] });
    expect(await ask("getProjectLimits", { projectName: "Staging" })).toStrictEqual({
      projectId: id,
      projectName: "Staging",
      maxConcurrentSessions: 5,
      maxConcurrentInvocations: undefined,
      maxPooledSessions: undefined,
    });
    expect(await ask("getOrganizationLimits", {})).toMatchObject({
      maxConcurrentSessions: 100,
      defaultProjectMaxConcurrentSessions: undefined,
      authConnectionsUsed: 0,
    });
    const key = emulator.createApiKey({ name: "ci" });
    expect(await ask("getApiKey", { id: key.id })).toMatchObject({ name: "ci", deletedAt: undefined });
    expect(await ask("getApiKeys", { name: "ci" })).toMatchObject({ apiKeys: [{ id: key.id }] });
    const login = emulator.authConnections.create({ domain: "shop.example", profileName: "buyer" });
    expect(await ask("getAuthConnection", { id: login.id })).toMatchObject({ domain: "shop.example" });
  });

  test("find browser pools with every setting; a policy keeps its names, and what has no value is undefined", async () => {
    const { id, createdAt } = emulator.browserPools.create({
      name: "agents",
      size: 2,
      chromePolicy: { BookmarkBarEnabled: false, Managed_bookmarks: [{ toplevel_name: "x" }] },
      telemetry: { enabled: true },
    });
    emulator.browserPools.fill(id);
    const pool = await ask("getBrowserPool", { id });
    expect(pool).toMatchObject({
      id,
      createdAt,
      name: "agents",
      size: 2,
      availableCount: 2,
      acquiredCount: 0,
      extensionIds: [],
      chromePolicy: { BookmarkBarEnabled: false, Managed_bookmarks: [{ toplevel_name: "x" }] },
      telemetry: { control: true, page: false },
      timeoutSeconds: 600,
    });
    expect(pool).toHaveProperty("viewport", undefined);
    expect(await ask("getBrowserPool", { name: "agents" })).toEqual(pool);
    expect(await ask("getBrowserPools", { query: "AGENT" })).toEqual({ browserPools: [pool] });
    expect((await errorOf(ask("getBrowserPool", { id: "agents" }))).message).toBe(
      `"id" is a browser pool's name; its id is ${id}. Pass that id, or pass the name as "name".`,
    );
    expect((await errorOf(ask("getBrowserPool", { name: "Agents" }))).message).toContain(id);
    expect(await errorOf(ask("getBrowserPool", { id: "none" }))).toMatchObject({ code: "not_found" });
  });

  test("ask in the project that the caller picks where they say that their scope is a project", async () => {
    const { id: projectId } = emulator.createProject({ name: "Staging" });
    const { id } = await stored(emulator, { name: "reader", headers: { "x-kernel-project-id": projectId } });
    const inProject = Object.values(queries).filter(({ scope }) => scope === "project");
    expect(inProject.map(({ name }) => name).sort()).toEqual([
      "getAuthConnection",
      "getBrowserPool",
      "getBrowserPools",
      "getExtension",
    ]);
    expect(await ask("getExtension", { name: "reader" }, projectId)).toMatchObject({ id });
    expect((await errorOf(ask("getExtension", { name: "reader" }))).message).toContain(
      "There is no extension",
    );
  });

  test.each<[string, string, unknown, string, string, string]>([
    ["none", "getProject", {}, "argument_missing", "id", 'None of "id", "name" is given. Give exactly one'],
    ["two", "getProject", { id: "a", name: "b" }, "arguments_conflicting", "name", 'Both "id" and "name"'],
    ["a misspelled one", "getApiKeys", { nmae: "a" }, "argument_unknown", "nmae", 'Use "query", "name".'],
    ["null", "getProjects", { name: null }, "argument_invalid", "name", '"name" must not be null.'],
    [
      "a list",
      "getProject",
      ["id"],
      "argument_invalid",
      "args",
      '"args" must be an object with "id", "name".',
    ],
    ["a number for an id", "getProject", { id: 7 }, "id_invalid", "id", "Pass the project's id"],
    ["no id", "getProjectLimits", { projectId: "a/b" }, "id_invalid", "projectId", '"projectId" has one of'],
    [
      "no name",
      "getProjectLimits",
      { projectName: "" },
      "filter_invalid",
      "projectName",
      '"projectName" must',
    ],
    [
      "a string for a limit",
      "getProjects",
      { limit: "7" },
      "option_invalid",
      "limit",
      "integer of at least 1",
    ],
  ])("refuse %s as the argument before any request", async (_what, name, args, code, property, message) => {
    const error = await errorOf(ask(name, args as object));
    expect(error).toMatchObject({ name: "InputError", code, property });
    expect(error.message).toContain(message);
    expect(emulator.requests).toEqual([]);
  });
});
