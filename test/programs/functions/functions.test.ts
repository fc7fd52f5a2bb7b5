import * as pulumi from "@pulumi/pulumi";
import type { Emulator } from "../../../src/emulator/index.js";
import {
  getApiKey,
  getApiKeys,
  getAuthConnection,
  getBrowserPool,
  getBrowserPools,
  getCredentialProvider,
  getEntitlements,
  getExtension,
  getOrganizationLimits,
  getProfile,
  getProject,
  getProjectLimits,
  getProjects,
  getProxy,
  getTelemetryDestination,
} from "../../../src/index.js";
import { stored } from "../../emulator/calls.js";
import { errorOf } from "../../support/error-of.js";
import { startService } from "./service.js";

let emulator: Emulator;
let stop: () => Promise<void>;

beforeEach(async () => {
  ({ emulator, stop } = await startService());
});

afterEach(() => stop());

function recordOf({ id, name, status, createdAt, updatedAt }: ReturnType<Emulator["createProject"]>) {
  return { id, name, status, createdAt, updatedAt };
}

describe("getProject", () => {
  test("getProject reads a project by id and by exact name", async () => {
    const project = emulator.createProject({ name: "Staging" });
    expect(await getProject({ id: project.id })).toEqual(recordOf(project));
    expect(await getProject({ name: "Staging" })).toEqual(recordOf(project));
  });

  test("getProject compares names byte for byte, and the error lists the ids of similar names", async () => {
    const accented = emulator.createProject({ name: "Café" });
    expect((await getProject({ name: "Café" })).id).toBe(accented.id);
    for (const name of ["CAFE", "Cafe", "café"]) {
      const { message, code } = await errorOf(getProject({ name }));
      expect(code).toBe("name_not_found");
      expect(message).toContain(`getProject: There is no project with the name "${name}".`);
      expect(message).toContain(accented.id);
    }
  });

  test("getProject finds names with slashes, percent signs and outer spaces, and names that look like an id", async () => {
    for (const name of ["a/b", "100%25", "..", " padded ", "ckv9w8q2f000001l5r3j7k9m", "💡".repeat(255)]) {
      const { id } = emulator.createProject({ name });
      expect(await getProject({ name })).toMatchObject({ id, name });
    }
  });

  test("getProject refuses a project's name in place of the id, and the error shows the id", async () => {
    const { id } = emulator.createProject({ name: "staging" });
    const error = await errorOf(getProject({ id: "staging" }));
    expect(error).toMatchObject({ name: "InputError", code: "id_invalid", property: "id" });
    expect(error.message).toBe(
      `getProject: "id" is a project's name; its id is ${id}. Pass that id, or pass the name as "name".`,
    );
  });

  test("getProject reports an unknown id as the service does", async () => {
    const error = await errorOf(getProject({ id: "ckv9w8q2f000001l5r3j7k9m" }));
    expect(error).toMatchObject({ name: "ApiError", code: "not_found", status: 404 });
  });

  test("getProject does not depend on the project of the settings", async () => {
    process.env.BROWSER_INFRA_PROJECT_ID = "ckv9w8q2f000001l5r3j7k9m";
    expect((await getProject({ name: "Default" })).id).toBe(emulator.defaultProject.id);
  });
});

describe("getProjects", () => {
  test("getProjects lists every project, over every page", async () => {
    for (let i = 0; i < 120; i++) {
      emulator.createProject({ name: `team ${i}` });
    }
    const { projects } = await getProjects();
    expect(new Set(projects.map(({ id }) => id)).size).toBe(121);
    expect((await getProjects({ query: "TEAM 11" })).projects.map(({ name }) => name).sort()).toEqual([
      "team 11",
      "team 110",
      "team 111",
      "team 112",
      "team 113",
      "team 114",
      "team 115",
      "team 116",
      "team 117",
      "team 118",
      "team 119",
    ]);
    expect((await getProjects({ limit: 105 })).projects).toHaveLength(105);
  });

  test("getProjects filters by exact name and by status", async () => {
    const { id } = emulator.createProject({ name: "old" });
    emulator.createProject({ name: "older", status: "archived" });
    emulator.archiveProject(id);
    expect((await getProjects({ name: "OLD" })).projects).toEqual([]);
    expect((await getProjects({ name: "old", status: "archived" })).projects).toMatchObject([
      { id, name: "old", status: "archived" },
    ]);
    expect((await getProjects({ status: "active" })).projects).toMatchObject([{ name: "Default" }]);
  });
});

describe("getOrganizationLimits", () => {
  test("getOrganizationLimits reads the organization's limits, undefined where no limit exists", async () => {
    const limits = await getOrganizationLimits();
    expect(limits).toMatchObject({ maxConcurrentSessions: 100, minHealthCheckIntervalSeconds: 300 });
    expect(limits.defaultProjectMaxConcurrentSessions).toBeUndefined();
  });
});

describe("getEntitlements", () => {
  test("getEntitlements reads features and limits of the plan, undefined where no limit exists", async () => {
    const { plan, features, limits } = await getEntitlements();
    expect(plan).toEqual({ id: "ENTERPRISE", effectiveId: "ENTERPRISE", isTrialing: false });
    expect(limits).toEqual({ maxConcurrentBrowsers: 100 });
    expect(features.browser_pools).toMatchObject({ enabled: true, maxStoredPerOrg: undefined });
    expect(features.managed_auth).toMatchObject({ healthCheckIntervalMinSeconds: 300 });
  });
});

describe("getProjectLimits", () => {
  test("getProjectLimits reads the limits of a project by id and by name, undefined where no limit exists", async () => {
    const { id } = emulator.createProject({ name: "Staging", limits: { maxConcurrentSessions: 5 } });
    const limits = {
      projectId: id,
      projectName: "Staging",
      maxConcurrentSessions: 5,
      maxConcurrentInvocations: undefined,
      maxPooledSessions: undefined,
    };
    expect(await getProjectLimits({ projectId: id })).toStrictEqual(limits);
    expect(await getProjectLimits({ projectName: "Staging" })).toEqual(limits);
  });

  test("getProjectLimits refuses the name of a project in place of the id", async () => {
    emulator.createProject({ name: "staging", limits: { maxConcurrentSessions: 5 } });
    const error = await errorOf(getProjectLimits({ projectId: "staging" }));
    expect(error).toMatchObject({ name: "InputError", property: "projectId" });
    expect(error.message).toContain('"projectName"');
  });
});

describe("getApiKey and getApiKeys", () => {
  test("getApiKey and getApiKeys read a key's record without the secret, undefined where no value exists", async () => {
    const { id, key } = emulator.createApiKey({ name: "ci" });
    const record = await getApiKey({ id });
    expect(record).toStrictEqual({
      id,
      name: "ci",
      policy: undefined,
      createdAt: expect.any(String),
      createdBy: { id: expect.any(String), email: expect.any(String), name: expect.any(String) },
      expiresAt: undefined,
      lastUsedAt: undefined,
      deletedAt: undefined,
      projectId: undefined,
      projectName: undefined,
      maskedKey: expect.stringContaining("..."),
    });
    expect(JSON.stringify(record)).not.toContain(key);
    expect((await getApiKeys({ name: "ci" })).apiKeys).toEqual([record]);
  });

  test("getApiKey finds a key by exact name, and refuses a name that several keys have", async () => {
    const [ci, other] = ["ci", "CI"].map((name) => emulator.createApiKey({ name }));
    expect(await getApiKey({ name: "ci" })).toMatchObject({ id: ci?.id });
    emulator.apiKeyRecords.setExpiry(String(ci?.id), "2020-01-01T00:00:00Z");
    expect(await getApiKey({ name: "ci" })).toMatchObject({ id: ci?.id });
    const unknown = await errorOf(getApiKey({ name: "Ci" }));
    expect(unknown).toMatchObject({ code: "name_not_found" });
    expect(unknown.message).toContain(String(other?.id));
    emulator.createApiKey({ name: "ci" });
    expect(await errorOf(getApiKey({ name: "ci" }))).toMatchObject({ code: "name_ambiguous" });
    const { key } = emulator.createApiKey({ name: "secret" });
    expect((await errorOf(getApiKey({ name: key }))).message).toMatch(/"name" is a secret key \(not shown/);
  });

  test("getApiKeys lists keys by exact name, which several keys may share, and by part of a name", async () => {
    const ids = ["ci", "ci", "CI", "agents"].map((name) => emulator.createApiKey({ name }).id);
    const idsOf = async (args: Parameters<typeof getApiKeys>[0]) =>
      (await getApiKeys(args)).apiKeys.map(({ id }) => id).sort();
    expect(await idsOf({ name: "ci" })).toEqual(ids.slice(0, 2).sort());
    expect(await idsOf({ query: "ci" })).toEqual(ids.slice(0, 3).sort());
  });

  test("getApiKey refuses a secret in place of an id, and does not repeat the secret", async () => {
    const { key } = emulator.createApiKey({ name: "ci" });
    const sent = emulator.requests.length;
    const { message } = await errorOf(getApiKey({ id: key }));
    expect(message).toMatch(/^getApiKey: "id" is a secret key/);
    expect(message).not.toContain(key);
    expect(emulator.requests).toHaveLength(sent);
  });
});

describe("getExtension", () => {
  test("getExtension reads an extension by id and by exact name", async () => {
    const { id, size_bytes, created_at, checksum } = await stored(emulator, { name: "ad-blocker" });
    const extension = {
      id,
      name: "ad-blocker",
      checksum,
      sizeBytes: size_bytes,
      createdAt: created_at,
      lastUsedAt: undefined,
    };
    expect(await getExtension({ id })).toStrictEqual(extension);
    expect(await getExtension({ name: "ad-blocker" })).toEqual(extension);
    expect((await errorOf(getExtension({ name: "Ad-Blocker" }))).message).toContain(id);
  });

  test("getExtension refuses an extension's name in place of the id, and the error shows the id", async () => {
    const { id } = await stored(emulator, { name: "ad-blocker" });
    const error = await errorOf(getExtension({ id: "ad-blocker" }));
    expect(error).toMatchObject({ code: "id_invalid", property: "id" });
    expect(error.message).toContain(id);
  });

  test("getExtension searches the project of the settings", async () => {
    const { id: projectId } = emulator.createProject({ name: "Staging" });
    const { id } = await stored(emulator, {
      name: "ad-blocker",
      headers: { "x-kernel-project-id": projectId },
    });
    expect((await errorOf(getExtension({ name: "ad-blocker" }))).message).toContain("There is no extension");
    process.env.BROWSER_INFRA_PROJECT_ID = projectId;
    expect((await getExtension({ name: "ad-blocker" })).id).toBe(id);
    delete process.env.BROWSER_INFRA_PROJECT_ID;
    process.env.KERNEL_PROJECT = "Staging";
    // A name instead of an id: the default project never replaces the name, and objects of the
    // organization do not need the project.
    expect((await errorOf(getExtension({ name: "ad-blocker" }))).message).toContain(
      "The project from environment variable KERNEL_PROJECT is not an id",
    );
    expect((await getProject({ name: "Staging" })).id).toBe(projectId);
    process.env.KERNEL_PROJECT = projectId;
    expect((await getExtension({ name: "ad-blocker" })).id).toBe(id);
  });

  test("getExtension searches the project of the argument projectId, whatever the settings contain", async () => {
    const { id: projectId } = emulator.createProject({ name: "Staging" });
    const headers = { "x-kernel-project-id": projectId };
    const { id } = await stored(emulator, { name: "ad-blocker", headers });
    process.env.KERNEL_PROJECT = "a name";
    expect((await getExtension({ name: "ad-blocker", projectId })).id).toBe(id);
    expect((await getExtension({ id, projectId })).name).toBe("ad-blocker");
    process.env.KERNEL_PROJECT = projectId;
    const error = await errorOf(getExtension({ id, projectId: emulator.defaultProject.id }));
    expect(error).toMatchObject({ code: "not_found" });
  });
});

describe("getProfile and getProxy", () => {
  test("getProfile and getProxy find an object by id or name, and refuse a name in place of an id", async () => {
    const { id } = emulator.profiles.ensure("shopper");
    const profile = await getProfile({ id });
    expect(profile).toMatchObject({ id, name: "shopper", lastUsedAt: undefined });
    expect(await getProfile({ name: "shopper" })).toEqual(profile);
    const { id: proxyId } = emulator.proxies.create({
      ...{
        name: "exit",
        type: "custom",
        config: { host: "proxy.example", port: 1, password: "pr0xy-secret" },
      },
    });
    const proxy = await getProxy({ name: "exit" });
    expect(proxy).toMatchObject({
      id: proxyId,
      type: "custom",
      config: { host: "proxy.example", hasPassword: true },
    });
    expect(await getProxy({ id: proxyId })).toEqual(proxy);
    expect(JSON.stringify(proxy)).not.toContain("pr0xy-secret");
    expect((await errorOf(getProfile({ id: "shopper" }))).message).toContain(
      `"id" is a profile's name; its id is ${id}`,
    );
    expect((await errorOf(getProxy({ id: "exit" }))).message).toContain(`its id is ${proxyId}`);
  });

  test("getProxy refuses a name that several proxies have, and the error lists the ids", async () => {
    const ids = ["isp", "mobile"].map(
      (type) => emulator.proxies.create({ name: "exit", type: type as "isp" }).id,
    );
    const error = await errorOf(getProxy({ name: "exit" }));
    expect(error).toMatchObject({ code: "name_ambiguous" });
    expect(error.message).toContain("There are 2 proxies with the name");
    expect(ids.every((id) => error.message.includes(id))).toBe(true);
  });
});

describe("getTelemetryDestination", () => {
  test("getTelemetryDestination finds a destination by id or name, with export results and without header values", async () => {
    const { id } = emulator.telemetryDestinations.create({
      ...{ name: "logs", endpoint: "https://otlp.example.com", headers: { "X-Key": "h3ader-secret" } },
    });
    emulator.telemetryDestinations.recordExport(id, "refused");
    const found = await getTelemetryDestination({ name: "logs" });
    expect(found).toMatchObject({
      id,
      headerNames: ["X-Key"],
      consecutiveFailures: 1,
      lastError: "refused",
      lastExportAt: undefined,
    });
    expect(await getTelemetryDestination({ id })).toEqual(found);
    expect(JSON.stringify(found)).not.toContain("h3ader-secret");
    expect((await errorOf(getTelemetryDestination({ id: "logs" }))).message).toContain(
      `"id" is a telemetry destination's name; its id is ${id}`,
    );
  });
});

describe("getCredentialProvider", () => {
  test("getCredentialProvider finds a provider by id or name, without the token, whatever project the settings name", async () => {
    const { id } = emulator.credentialProviders.create({ name: "vault", token: "ops_correct-horse" });
    process.env.BROWSER_INFRA_PROJECT_ID = "ckv9w8q2f000001l5r3j7k9m";
    const provider = await getCredentialProvider({ name: "vault" });
    expect(provider).toMatchObject({
      id,
      name: "vault",
      providerType: "onepassword",
      enabled: true,
      priority: 0,
    });
    expect(await getCredentialProvider({ id })).toEqual(provider);
    expect(JSON.stringify(provider)).not.toContain("horse");
    expect((await errorOf(getCredentialProvider({ name: "Vault" }))).message).toContain(id);
    expect(await errorOf(getCredentialProvider({ id: "vault" }))).toMatchObject({
      code: "id_invalid",
      message: expect.stringContaining(id),
    });
  });
});

describe("getBrowserPool and getBrowserPools", () => {
  test("getBrowserPool and getBrowserPools read every setting, keep names in a policy, and have undefined for null", async () => {
    const { id, createdAt } = emulator.browserPools.create({
      name: "agents",
      size: 2,
      chromePolicy: { BookmarkBarEnabled: false, Managed_bookmarks: [{ toplevel_name: "x" }] },
      telemetry: { enabled: true },
    });
    emulator.browserPools.fill(id);
    const pool = await getBrowserPool({ id });
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
    expect(await getBrowserPool({ name: "agents" })).toEqual(pool);
    expect(await getBrowserPools({ query: "AGENT" })).toEqual({ browserPools: [pool] });
    expect((await errorOf(getBrowserPool({ id: "agents" }))).message).toBe(
      `getBrowserPool: "id" is a browser pool's name; its id is ${id}. Pass that id, or pass the name as "name".`,
    );
    expect((await errorOf(getBrowserPool({ name: "Agents" }))).message).toContain(id);
    expect(await errorOf(getBrowserPool({ id: "none" }))).toMatchObject({ code: "not_found" });
  });

  test("getBrowserPool and getBrowserPools search the project of the argument projectId", async () => {
    const { id: projectId } = emulator.createProject({ name: "Staging" });
    const { id } = emulator.browserPools.create({ name: "agents", size: 1, projectId });
    expect((await getBrowserPool({ name: "agents", projectId })).id).toBe(id);
    expect(await getBrowserPools({ projectId })).toMatchObject({ browserPools: [{ id }] });
    expect(await getBrowserPools()).toEqual({ browserPools: [] });
  });
});

describe("getAuthConnection", () => {
  test("getAuthConnection reads the state of a login, without the address of the login page", async () => {
    const { id } = emulator.authConnections.create({ domain: "shop.example", profileName: "buyer" });
    const idle = { id, domain: "shop.example", profileName: "buyer", status: "NEEDS_AUTH" };
    expect(await getAuthConnection({ id })).toEqual({ ...idle, canReauth: expect.any(Boolean) });
    const { hostedUrl } = emulator.authConnections.startLogin(id);
    const running = await getAuthConnection({ id });
    expect(running).toMatchObject({ ...idle, flowStatus: "IN_PROGRESS", flowType: "LOGIN" });
    expect(JSON.stringify(running)).not.toContain(new URL(hostedUrl).pathname);
    emulator.authConnections.endLogin(id, {
      status: "FAILED",
      errorCode: "credentials_invalid",
      errorMessage: "See https://shop.example/help?code=canary",
    });
    expect(await getAuthConnection({ id })).toMatchObject({
      flowStatus: "FAILED",
      errorCode: "credentials_invalid",
      errorMessage: "See https://shop.example/…",
    });
  });

  test("getAuthConnection searches the project of the argument projectId", async () => {
    const { id: projectId } = emulator.createProject({ name: "Staging" });
    const { id } = emulator.authConnections.create({
      domain: "shop.example",
      profileName: "buyer",
      projectId,
    });
    expect(await getAuthConnection({ id, projectId })).toMatchObject({ domain: "shop.example" });
    expect(await errorOf(getAuthConnection({ id }))).toMatchObject({ code: "not_found" });
  });
});

describe("the settings of a function", () => {
  afterEach(() => pulumi.runtime.setAllConfig({}));

  test("a function takes settings from the stack configuration before the environment", async () => {
    process.env.BROWSER_INFRA_BASE_URL = "https://unreachable.invalid";
    pulumi.runtime.setAllConfig({ "browser-infra:baseUrl": emulator.url });
    expect((await getProject({ name: "Default" })).id).toBe(emulator.defaultProject.id);
  });

  test("a function without an API key fails with the command that sets the API key", async () => {
    delete process.env.BROWSER_INFRA_API_KEY;
    const error = await errorOf(getProject({ name: "Default" }));
    expect(error).toMatchObject({ name: "ConfigError", code: "config_missing" });
    expect(error.message).toContain("pulumi config set --secret browser-infra:apiKey");
    expect(emulator.requests).toEqual([]);
  });
});

describe("an error of a function", () => {
  test("an error of a function names the function, and the stack has no line of this package", async () => {
    const { message, stack } = await errorOf(getProject({ name: "staging" }));
    expect(message).toMatch(/^getProject: There is no project/);
    expect(stack).toBe(`LookupError: ${message}`);
  });
});
