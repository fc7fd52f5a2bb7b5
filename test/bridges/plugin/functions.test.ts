import { secretOnWire } from "../../../src/bridges/wire-values.js";
import { shareEmulator } from "../../support/emulator.js";
import type { ProviderProcess } from "../provider-process.js";
import { invoke, startPlugin } from "./plugin-requests.js";

describe("the functions of the plugin", () => {
  const emulator = shareEmulator();
  let provider: ProviderProcess;

  beforeAll(async () => {
    provider = await startPlugin({
      environment: { BROWSER_INFRA_BASE_URL: emulator.url, BROWSER_INFRA_API_KEY: emulator.apiKeys[0] },
    });
  });

  afterAll(() => provider.stop());

  test("the plugin's functions return the data of the service, without members that have no value", async () => {
    const { id } = emulator.createProject({ name: "Staging" });
    emulator.projects.setLimits(id, { maxConcurrentSessions: 3 });
    expect(await invoke(provider, "getProjects", { query: "stag", limit: 1 })).toEqual({
      projects: [expect.objectContaining({ id, name: "Staging" })],
    });
    expect(await invoke(provider, "getProjectLimits", { projectName: "Staging" })).toEqual({
      projectId: id,
      projectName: "Staging",
      maxConcurrentSessions: 3,
    });
    expect(await invoke(provider, "getOrganizationLimits")).toMatchObject({ maxConcurrentSessions: 100 });
  });

  test("the results of a function with a secret argument are secret", async () => {
    const { id } = emulator.createProject({ name: "Secret" });
    const secret = (value: unknown) => secretOnWire(value);
    const found = await invoke(provider, "getProject", { name: secret("Secret") });
    expect(found).toMatchObject({ id: secret(id), name: secret("Secret"), status: secret("active") });
  });

  test("a function reads from the project that an argument names", async () => {
    const { id: projectId } = emulator.createProject({ name: "Shop" });
    const { id } = emulator.browserPools.create({ name: "agents", size: 2, projectId });
    expect(await invoke(provider, "getBrowserPool", { name: "agents", projectId })).toMatchObject({ id });
    expect(await invoke(provider, "getBrowserPools")).toEqual({ browserPools: [] });
  });

  test.each([
    ["getProject", {}, 'None of "id", "name" is given. Give exactly one'],
    ["getProjects", { status: "deleted" }, '"status" must be "active" or "archived"'],
    ["getApiKey", { id: "a", nmae: "b" }, '"nmae"'],
    ["getExtension", { id: "a", projectId: 7 }, "project id from argument projectId is not a string"],
  ])("the function refuses bad arguments before any request: %s %j", async (name, args, message) => {
    const before = emulator.requests.length;
    await expect(invoke(provider, name, args)).rejects.toThrow(message);
    expect(emulator.requests).toHaveLength(before);
  });

  test("the error about an unknown function lists the functions of the plugin", async () => {
    for (const name of ["getNothing", "constructor", "Extension"]) {
      await expect(invoke(provider, name)).rejects.toThrow(
        /This version of the provider has no function ".*"\. Its functions are .*browser-infra:index:getProject,/,
      );
    }
  });

  test("a function fails with the error about the missing object", async () => {
    await expect(invoke(provider, "getProject", { name: "Nowhere" })).rejects.toThrow(
      'There is no project with the name "Nowhere".',
    );
  });
});
