import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { specialSecretSig, specialSigKey } from "@pulumi/pulumi/runtime/rpc.js";
import type { ProcessOptions, ProviderProcess } from "../provider-process.js";
import type { Properties } from "../wire-messages.js";
import { checkConfig, diffConfig, invoke, startPlugin } from "./plugin-requests.js";

const baseUrl = "http://127.0.0.1:9";
const apiKey = "sk_canary0123456789abcdef";

describe("the settings of the plugin's provider", () => {
  let provider: ProviderProcess;

  beforeAll(async () => {
    provider = await startPlugin();
  });

  afterAll(() => provider.stop());

  describe("in a check", () => {
    test.each(["baseURL", "apikey", "key", "project"])(
      "the check of the provider refuses the unknown setting %s",
      async (name) => {
        const { failures } = await checkConfig(provider, "eu", { baseUrl, [name]: apiKey });
        expect(failures).toEqual([
          {
            property: name,
            reason: `The provider has no setting "${name}". Its settings are apiKey, baseUrl, projectId, apiKeyFromEnv, apiKeyFromConfig.`,
          },
        ]);
      },
    );

    test("the check refuses a setting that is not a string, without repeating the value", async () => {
      const { failures } = await checkConfig(provider, "eu", { baseUrl, apiKey: [apiKey] });
      expect(failures).toEqual([{ property: "apiKey", reason: '"apiKey" of a provider must be a string.' }]);
    });

    test.each([
      [{ apiKey, apiKeyFromEnv: "THEIR_KEY" }],
      [{ apiKeyFromEnv: "THEIR_KEY", apiKeyFromConfig: "theirKey" }],
    ])("the check refuses two origins of the API key: %j", async (keys) => {
      const { failures } = await checkConfig(provider, "eu", { baseUrl, ...keys });
      const [first, second = ""] = Object.keys(keys);
      expect(failures).toEqual([
        { property: second, reason: `"${first}" and "${second}" are given. Give only one.` },
      ]);
    });

    test("the check accepts valid settings, and the version that Pulumi adds", async () => {
      const inputs = { baseUrl, projectId: "04da6b54-80e4-46f7-96ec-b56ff0331ba9", version: "0.1.0" };
      expect(await checkConfig(provider, "eu", inputs)).toEqual({ inputs, failures: [] });
    });

    test.each(["default", "default_0_1_0"])(
      "any setting of the stack configuration is accepted for the provider %s",
      async (name) => {
        const inputs = { baseUrl, colour: "red", count: 3 };
        expect(await checkConfig(provider, name, inputs)).toEqual({ inputs, failures: [] });
      },
    );

    test("the check returns the API key as a secret", async () => {
      const secret = { [specialSigKey]: specialSecretSig, value: apiKey };
      expect((await checkConfig(provider, "eu", { baseUrl, apiKey })).inputs).toEqual({
        baseUrl,
        apiKey: secret,
      });
    });
  });

  describe("in a comparison", () => {
    const unchanged = { changes: false, replaces: [] };
    const changed = { changes: true, replaces: [] };

    test("a different address replaces the resources", async () => {
      const other = { baseUrl: "http://127.0.0.1:10", apiKey };
      expect(await diffConfig(provider, { baseUrl, apiKey }, other)).toEqual({
        changes: true,
        replaces: ["baseUrl"],
      });
    });

    test("a different spelling of the same address replaces nothing", async () => {
      expect(await diffConfig(provider, { baseUrl }, { baseUrl: `${baseUrl}/` })).toEqual(changed);
    });

    test("a setting that moves into or out of the environment replaces nothing", async () => {
      expect(await diffConfig(provider, { baseUrl, apiKey }, {})).toEqual(changed);
      expect(await diffConfig(provider, {}, { baseUrl, apiKey })).toEqual(changed);
    });

    test("a different default project replaces nothing: existing resources stay in their project", async () => {
      const projects = [
        { baseUrl, projectId: "one" },
        { baseUrl, projectId: "two" },
      ] as const;
      expect(await diffConfig(provider, ...projects)).toEqual(changed);
    });

    test("a different version or an unknown setting is no change of the provider", async () => {
      const news = { baseUrl, version: "0.2.0", colour: "red" };
      expect(await diffConfig(provider, { baseUrl, version: "0.1.0" }, news)).toEqual(unchanged);
    });

    test.each([
      [
        "the default",
        { "browser-infra:baseUrl": baseUrl, "browser-infra:apiKey": apiKey, "shop:colour": "red" },
      ],
      [
        "an explicit",
        { "browser-infra:provider": "eu", "browser-infra:baseUrl": baseUrl, "browser-infra:apiKey": apiKey },
      ],
    ])(
      "the move from %s provider of dynamic resources with equal settings is no change",
      async (_what, olds) => {
        expect(await diffConfig(provider, olds, { baseUrl, apiKey })).toEqual(unchanged);
        const moved = { baseUrl: "http://127.0.0.1:10", apiKey };
        expect(await diffConfig(provider, olds, moved)).toMatchObject({ replaces: ["baseUrl"] });
      },
    );
  });

  describe("with a different key for the same address", () => {
    const service = shareService();
    const withKey = (key: string) => ({ baseUrl: service.url, apiKey: key });

    test("a key of a different organization replaces the resources", async () => {
      expect(await diffConfig(provider, withKey("sk_1_of_ours"), withKey("sk_2_of_theirs"))).toEqual({
        changes: true,
        replaces: ["apiKey"],
      });
    });

    test("a key of the same organization, or a revoked old key, replaces nothing", async () => {
      for (const old of ["sk_1_of_ours", "sk_revoked"]) {
        expect(await diffConfig(provider, withKey(old), withKey("sk_2_of_ours"))).toEqual({
          changes: true,
          replaces: [],
        });
      }
    });
  });
});

describe("the key of the state and today's key of the stack, for the same address", () => {
  const service = shareService();

  test.each([
    ["today's key if the organization is the same", "sk_1_of_ours", "sk_2_of_ours", "sk_2_of_ours"],
    ["today's key if the key of the state is revoked", "sk_revoked", "sk_2_of_ours", "sk_2_of_ours"],
    [
      "the key of the state if today's key is of a different organization",
      "sk_1_of_ours",
      "sk_2_of_theirs",
      "sk_1_of_ours",
    ],
  ])("a refresh or destroy uses %s", async (_what, ofState, ofToday, used) => {
    const { url: baseUrl } = service;
    const PULUMI_CONFIG = JSON.stringify({ baseUrl, apiKey: ofToday });
    const configuration = { baseUrl, apiKey: ofState };
    const provider = await startPlugin({ configuration, environment: { PULUMI_CONFIG } });
    try {
      // The service of this test answers no list.
      await expect(invoke(provider, "getProject", { name: "Default" })).rejects.toThrow();
      expect(service.keys.at(-1)).toBe(used);
    } finally {
      await provider.stop();
    }
  });
});

describe("a key in the environment of the plugin", () => {
  const service = shareService();
  const theirs = shareService();
  const keys = { OLD_KEY: "sk_1_of_ours", NEW_KEY: "sk_2_of_theirs", BROWSER_INFRA_API_KEY: "sk_3_of_ours" };
  const stack = { apiKey: "sk_4_of_ours", theirKey: "sk_5_of_ours" };
  let provider: ProviderProcess | undefined;

  afterEach(async () => {
    await provider?.stop();
    provider = undefined;
  });

  function start(options: ProcessOptions): Promise<ProviderProcess> {
    const PULUMI_CONFIG = JSON.stringify(stack);
    return startPlugin({ ...options, environment: { ...keys, PULUMI_CONFIG, ...options.environment } });
  }

  /**
   * Settings that would send a key of the environment to `baseUrl`, by any name, after any olds.
   */
  function callsFor(baseUrl: string): [name: string, olds: Properties, news: Properties][] {
    const named = [
      {},
      { apiKeyFromEnv: "OLD_KEY" },
      { apiKeyFromEnv: "NEW_KEY" },
      { apiKeyFromEnv: "BROWSER_INFRA_API_KEY" },
      { apiKeyFromConfig: "browser-infra:theirKey" },
      { apiKeyFromConfig: "browser-infra:apiKey" },
    ].map((key) => ({ baseUrl, ...key }));
    const given = { baseUrl, apiKey: "sk_of_theirs" };
    return ["default", "eu"].flatMap((name) =>
      [{}, given, { baseUrl, apiKeyFromEnv: "NEW_KEY" }].flatMap((olds) =>
        named.map((news): [string, Properties, Properties] => [name, olds, news]),
      ),
    );
  }

  /** Calls every method with settings, as anyone on the machine can. */
  async function strangerCalls(at: ProviderProcess): Promise<void> {
    for (const [name, olds, news] of callsFor(theirs.url)) {
      await checkConfig(at, name, news);
      await diffConfig(at, olds, news, name);
      await diffConfig(at, news, olds, name);
    }
  }

  test.each([
    ["the default provider", "default", () => ({ baseUrl: service.url })],
    ["an explicit provider", "eu", () => ({ baseUrl: service.url, apiKeyFromEnv: "OLD_KEY" })],
  ])(
    "X6: a key in the environment goes only to the configured address, before and after Configure of %s",
    async (_what, name, configuration) => {
      const options = { name, configuration: configuration(), isConfigured: false };
      provider = await start(options);
      await strangerCalls(provider);
      await provider.configure(options);
      await strangerCalls(provider);
      // The stranger's own key is in the call.
      expect([...new Set(theirs.keys)].filter((key) => key !== "sk_of_theirs")).toEqual([]);
    },
  );

  test("before Configure, keys are compared at the address in the environment", async () => {
    const environment = { BROWSER_INFRA_BASE_URL: service.url };
    provider = await start({ isConfigured: false, environment });
    const [olds, news] = [{ apiKeyFromEnv: "OLD_KEY" }, { apiKeyFromEnv: "NEW_KEY" }];
    expect(await diffConfig(provider, olds, news, "eu")).toMatchObject({ replaces: ["apiKeyFromEnv"] });
  });

  test("after Configure, keys are compared at the address of the run", async () => {
    const { url: baseUrl } = service;
    const [olds, news] = ["OLD_KEY", "NEW_KEY"].map((apiKeyFromEnv) => ({ baseUrl, apiKeyFromEnv }));
    provider = await start({ name: "eu", configuration: olds ?? {} });
    expect(await diffConfig(provider, olds ?? {}, news ?? {}, "eu")).toMatchObject({
      replaces: ["apiKeyFromEnv"],
    });
  });

  test("without a known address, keys are not compared, and a warning says so", async () => {
    const { url: baseUrl } = service;
    provider = await start({ isConfigured: false });
    const [olds, news] = ["OLD_KEY", "NEW_KEY"].map((apiKeyFromEnv) => ({ baseUrl, apiKeyFromEnv }));
    expect(await diffConfig(provider, olds ?? {}, news ?? {}, "eu")).toEqual({ changes: true, replaces: [] });
    expect(provider.logged.map(({ message }) => message)).toEqual([
      expect.stringContaining("sent only to the configured address"),
    ]);
  });
});

/** Starts a service shared by several organizations. The end of a key is the name of the owner. */
function shareService(): { readonly url: string; readonly keys: readonly string[] } {
  const keys: string[] = [];
  const shared = { url: "", keys };
  let server: Server;
  beforeAll(async () => {
    server = createServer(({ headers }, response) => {
      const [, key = ""] = /^Bearer (.*)$/.exec(headers.authorization ?? "") ?? [];
      keys.push(key);
      const [, owner] = /_of_(\w+)$/.exec(key) ?? [];
      const status = owner === undefined ? 401 : 200;
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(owner === undefined ? { code: "unauthorized" } : ownedBy(owner)));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    shared.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    keys.length = 0;
  });
  afterAll(() => {
    server.close();
  });
  return shared;
}

/** Owner of a key, in the form of `GET /auth/context`. */
function ownedBy(owner: string) {
  const scope = { project_id: null };
  return {
    authentication: { method: "api_key", source: "api_key", credential_id: "1".padEnd(24, "0") },
    authorization: { credential_scope: scope, effective_scope: scope },
    organization: { id: owner.padEnd(24, "0") },
    principal: { id: "1".padEnd(24, "0"), type: "api_key" },
  };
}
