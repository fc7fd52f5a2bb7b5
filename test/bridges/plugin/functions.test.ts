import { BrowserInfraClient } from "../../../src/client/index.js";
import { type Emulator, startEmulator } from "../../../src/emulator/index.js";
import { extensionZip } from "../../support/stored-zip.js";
import type { ProviderProcess } from "../provider-process.js";
import { invoke, startPlugin } from "./plugin-requests.js";

describe("the functions of the plugin", () => {
  let emulator: Emulator;
  let provider: ProviderProcess;

  beforeAll(async () => {
    emulator = await startEmulator();
    provider = await startPlugin({
      environment: { BROWSER_INFRA_BASE_URL: emulator.url, BROWSER_INFRA_API_KEY: emulator.apiKeys[0] },
    });
  });

  afterAll(async () => {
    await provider.stop();
    await emulator.close();
  });

  test("getProject, getProjects and getProjectLimits", async () => {
    const { id } = emulator.createProject({ name: "Staging" });
    emulator.projects.setLimits(id, { maxConcurrentSessions: 3 });
    expect(await invoke(provider, "getProject", { id })).toMatchObject({ id, name: "Staging" });
    expect(await invoke(provider, "getProjects", { query: "stag", limit: 1 })).toEqual({
      projects: [expect.objectContaining({ id })],
    });
    expect(await invoke(provider, "getProjectLimits", { projectName: "Staging" })).toEqual({
      projectId: id,
      projectName: "Staging",
      maxConcurrentSessions: 3,
    });
  });

  test("getOrganizationLimits, which takes no arguments", async () => {
    expect(await invoke(provider, "getOrganizationLimits", {})).toMatchObject({
      maxConcurrentSessions: 100,
      concurrentSessionsAvailable: 100,
    });
  });

  test("getApiKey and getApiKeys, without a secret", async () => {
    const { id, key } = emulator.createApiKey({ name: "ci" });
    expect(await invoke(provider, "getApiKey", { id })).toMatchObject({ id, name: "ci" });
    const found = await invoke(provider, "getApiKeys", { name: "ci" });
    expect(found).toMatchObject({ apiKeys: [{ id }] });
    expect(JSON.stringify(found)).not.toContain(key);
  });

  test("getBrowserPool and getBrowserPools", async () => {
    const { id } = emulator.browserPools.create({ name: "agents", size: 2, startUrl: "https://a.example/" });
    const pool = await invoke(provider, "getBrowserPool", { name: "agents" });
    expect(pool).toMatchObject({ id, size: 2, extensionIds: [], startUrl: "https://a.example/" });
    expect(pool).not.toHaveProperty("proxyId");
    expect(await invoke(provider, "getBrowserPools")).toEqual({ browserPools: [pool] });
  });

  test("getExtension and getAuthConnection, without an address of the login", async () => {
    const client = new BrowserInfraClient({ baseUrl: emulator.url, apiKey: emulator.apiKeys[0] ?? "" });
    const { id } = await client.extensions.upload({ name: "reader", archive: extensionZip() });
    await client.close();
    expect(await invoke(provider, "getExtension", { name: "reader" })).toMatchObject({ id });
    const connection = emulator.authConnections.create({ domain: "shop.example", profileName: "buyer" });
    const { hostedUrl } = emulator.authConnections.startLogin(connection.id);
    const found = await invoke(provider, "getAuthConnection", { id: connection.id });
    expect(found).toMatchObject({ id: connection.id, domain: "shop.example" });
    expect(JSON.stringify(found)).not.toContain(hostedUrl);
  });

  test.each([
    ["getProject", {}, 'None of "id", "name" is given. Give exactly one'],
    ["getProject", { id: "a", name: "b" }, 'Both "id" and "name" are given. Give exactly one of them.'],
    ["getProjects", { status: "deleted" }, '"status" must be "active" or "archived"'],
    ["getApiKey", { id: "a", nmae: "b" }, '"nmae"'],
  ])("refuse bad arguments before any request: %s %j", async (name, args, message) => {
    const before = emulator.requests.length;
    await expect(invoke(provider, name, args)).rejects.toThrow(message);
    expect(emulator.requests).toHaveLength(before);
  });

  test("say what there is when one does not exist", async () => {
    for (const name of ["getNothing", "constructor", "Extension"]) {
      await expect(invoke(provider, name)).rejects.toThrow(
        /This version of the provider has no function ".*"\. Its functions are .*browser-infra:index:getProject,/,
      );
    }
  });

  test("fail with what the service says", async () => {
    await expect(invoke(provider, "getProject", { name: "Nowhere" })).rejects.toThrow(
      'There is no project with the name "Nowhere".',
    );
  });
});
