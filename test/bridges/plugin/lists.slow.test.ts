import { kinds, type ResourceKind, resourceKinds } from "../../../src/bridges/kinds.js";
import type { Emulator } from "../../../src/emulator/index.js";
import { shareEmulator } from "../../support/emulator.js";
import { extensionZip } from "../../support/stored-zip.js";
import type { ProviderProcess } from "../provider-process.js";
import { type ListOptions, list, startPlugin } from "./plugin-requests.js";

/** Value in every object that has a secret. No list may show it. */
const secret = "sk_listed_0123456789abcdef";

interface Row {
  /** Makes an object in a project, or in the organization. Returns the id. */
  make(emulator: Emulator, name: string, projectId: string): { readonly id: string };
  /** Filter that finds the object with the name alone. Default: the name. */
  filter?(name: string): Readonly<Record<string, string>>;
  /** Name in the list of the object with the name. Default: this name. */
  shown?(name: string): string;
  readonly isOfOrganization?: true;
}

const apiKey: Row = {
  make: (emulator, name) => emulator.createApiKey({ name, key: `${secret}_${name}` }),
  isOfOrganization: true,
};
const project: Row = { make: (emulator, name) => emulator.createProject({ name }), isOfOrganization: true };

/** How to make an object of a kind; undefined for a kind without a list. */
const rows: Readonly<Record<ResourceKind, Row | undefined>> = {
  ApiKey: apiKey,
  ApiKeyName: apiKey,
  AppDeployment: {
    make: (emulator, appName, projectId) => emulator.deployments.createFrom({ appName }, projectId),
    filter: (appName) => ({ appName }),
    // A deployment has no name.
    shown: () => "",
  },
  AuthConnection: {
    make: (emulator, name, projectId) =>
      emulator.authConnections.create({ domain: `${name}.example`, profileName: "buyer", projectId }),
    filter: (name) => ({ domain: `${name}.example` }),
    shown: (name) => `${name}.example/buyer`,
  },
  BrowserPool: {
    make: (emulator, name, projectId) => emulator.browserPools.create({ name, size: 1, projectId }),
  },
  Credential: {
    make: (emulator, name, projectId) =>
      emulator.credentials.create({
        name,
        domain: `${name}.example`,
        fields: { password: secret },
        projectId,
      }),
    filter: (name) => ({ domain: `${name}.example` }),
  },
  CredentialProvider: {
    make: (emulator, name) => emulator.credentialProviders.create({ name, token: secret }),
    isOfOrganization: true,
  },
  Extension: {
    make: (emulator, name, projectId) =>
      emulator.extensions.createFrom({ name, archive: "", bytes: extensionZip(name) }, projectId),
  },
  LoginFlow: undefined,
  OrganizationLimits: undefined,
  Profile: { make: (emulator, name, projectId) => emulator.profiles.createFrom({ name }, projectId) },
  Project: project,
  ProjectLimits: project,
  Proxy: {
    make: (emulator, name, projectId) =>
      emulator.proxies.create({
        name,
        type: "custom",
        config: { host: "proxy.example", port: 3128, username: "u", password: secret },
        projectId,
      }),
  },
  TelemetryDestination: {
    make: (emulator, name) =>
      emulator.telemetryDestinations.create({
        name,
        endpoint: "https://otlp.example.com",
        headers: { authorization: secret },
      }),
    isOfOrganization: true,
  },
};

const listed = resourceKinds.flatMap((kind) => {
  const row = rows[kind];
  return row === undefined ? [] : [[kind, row] as const];
});

const emulator = shareEmulator();
let provider: ProviderProcess;
const start = () =>
  startPlugin({
    environment: { BROWSER_INFRA_BASE_URL: emulator.url, BROWSER_INFRA_API_KEY: emulator.apiKeys[0] },
  });

beforeAll(async () => {
  provider = await start();
});

afterAll(() => provider.stop());

describe.each(listed)("the list of the kind %s with 250 objects", (kind, row) => {
  const nameAt = (at: number) => `${kind.toLowerCase()}-${String(at).padStart(3, "0")}`;
  let projectId: string;
  /** Ids, newest first, as the service lists. */
  let made: string[];
  let existing: number;

  beforeAll(async () => {
    projectId = row.isOfOrganization ? "" : emulator.createProject({ name: `For ${kind}` }).id;
    existing = (await all()).length;
    made = Array.from({ length: 250 }, (_, at) => row.make(emulator, nameAt(at), projectId).id).reverse();
  });

  const query = (filter: Readonly<Record<string, string>> = {}) =>
    row.isOfOrganization ? filter : { ...filter, projectId };
  const idOf = (id: string | undefined) => (row.isOfOrganization ? id : `${projectId}/${id}`);

  /** Reads every page. Pulumi's command line counts a limit down; the protocol keeps the limit. */
  async function all(options: ListOptions = {}, countsDown = false) {
    const found: { id: string; name: string }[] = [];
    for (let token: string | undefined = ""; token !== undefined; ) {
      const { limit } = options;
      const left = limit === undefined || !countsDown ? limit : limit - found.length;
      const page = await list(provider, kind, { query: query(), ...options, limit: left, token });
      found.push(...page.results);
      token = page.token;
    }
    return found;
  }

  test("every object comes once, in the order of the service, in pages of at most 100, each row read once", async () => {
    const before = emulator.requests.length;
    const found = await all();
    expect(found).toHaveLength(250 + existing);
    expect(found.slice(0, 250).map(({ id }) => id)).toEqual(made.map(idOf));
    // A page has 100 rows, and begins with the last row of the page before.
    expect(emulator.requests.length - before).toBe(Math.ceil((249 + existing) / 99));
    expect(JSON.stringify(found)).not.toContain(secret);
    const { results } = await list(provider, kind, { query: query() });
    expect(results).toEqual(found.slice(0, 100));
  });

  test.each([
    ["the page size", { pageSize: 7 }, 250],
    ["a limit within a page", { limit: 30 }, 30],
    ["a limit over pages", { limit: 150 }, 150],
    ["a limit and a page size", { limit: 25, pageSize: 10 }, 25],
    ["a limit of a whole page", { limit: 100 }, 100],
  ])("%s is kept, whether or not the caller counts the limit down", async (_what, options, count) => {
    for (const countsDown of [false, true]) {
      const found = await all(options, countsDown);
      expect(found.slice(0, count).map(({ id }) => id)).toEqual(made.slice(0, count).map(idOf));
      expect(found).toHaveLength(count === 250 ? 250 + existing : count);
    }
  });

  test("a filter of the service finds one object, with its name, and pulumi import takes the id", async () => {
    const name = nameAt(107);
    const filter = row.filter?.(name) ?? { name };
    const { results, token } = await list(provider, kind, { query: query(filter) });
    expect(results).toEqual([{ id: idOf(made[250 - 108]), name: row.shown?.(name) ?? name }]);
    expect(token).toBeUndefined();
    const details = { type: `browser-infra:index:${kind}` };
    const imported = await provider.read(results[0]?.id as string, undefined, undefined, details);
    expect(imported.id).toBe(made[250 - 108]);
    // As `pulumi do … read` asks.
    const read = await provider.read(results[0]?.id as string, {}, {}, details);
    expect(read.id).toBe(made[250 - 108]);
  });

  test("a bad filter is refused before any request", async () => {
    const before = emulator.requests.length;
    for (const [filter, message] of [
      [{ nmae: "x" }, 'There is no argument "nmae"'],
      [{ query: "" }, '"query" must be a string of 1 to 255 characters'],
      [{ query: null }, '"query" must not be null'],
    ] as const) {
      await expect(list(provider, kind, { query: filter })).rejects.toThrow(message);
    }
    await expect(list(provider, kind, { token: "100;" })).rejects.toThrow(
      "The continuation token is not from this provider.",
    );
    expect(emulator.requests).toHaveLength(before);
  });

  test("a filter with an unknown value has an unknown list", async () => {
    expect(await list(provider, kind, { query: { query: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" } })).toEqual({
      results: [],
      token: undefined,
      isComputed: true,
    });
  });
});

describe("the lists of the plugin", () => {
  test("a kind has a list exactly if the schema says so", () => {
    const { resources } = jest.requireActual("../../../schema.json");
    for (const kind of Object.keys(kinds)) {
      const inputs = resources[`browser-infra:index:${kind}`].listInputs?.properties;
      expect([kind, inputs !== undefined]).toEqual([kind, rows[kind as ResourceKind] !== undefined]);
    }
  });

  test("another process of the plugin continues from the token of a page", async () => {
    const { id: projectId } = emulator.createProject({ name: "Continued" });
    const made = Array.from({ length: 120 }, () => emulator.profiles.createFrom({}, projectId).id);
    const first = await list(provider, "Profile", { query: { projectId } });
    const other = await start();
    try {
      const { results } = await list(other, "Profile", { query: { projectId }, token: first.token });
      expect(results.map(({ id }) => id)).toEqual(
        made
          .slice(0, 20)
          .reverse()
          .map((id) => `${projectId}/${id}`),
      );
    } finally {
      await other.stop();
    }
  });

  test.each(["LoginFlow", "OrganizationLimits", "Nothing"])(
    "a list of the kind %s is refused",
    async (kind) => {
      await expect(list(provider, kind)).rejects.toThrow(/has no (list of the|resource) type "/);
    },
  );

  test("without a project in the filter, the ids are those of the project of the settings", async () => {
    const { id } = emulator.profiles.createFrom({ name: "mine" }, emulator.defaultProject.id);
    expect((await list(provider, "Profile")).results).toEqual([{ id, name: "mine" }]);
  });

  test("a list of projects takes only a status that exists", async () => {
    await expect(list(provider, "Project", { query: { status: "deleted" } })).rejects.toThrow(
      '"status" must be one of active, archived.',
    );
  });

  test("a failure of the service is the error of the list", async () => {
    emulator.faults.add({
      at: "before-reading",
      path: "/profiles",
      action: { answer: { status: 403, body: { code: "forbidden", message: "No access." } } },
    });
    await expect(list(provider, "Profile")).rejects.toThrow("403");
    emulator.faults.clear();
  });
});
