import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { specialSecretSig, specialSigKey } from "@pulumi/pulumi/runtime/rpc.js";
import type { ProviderProcess } from "../provider-process.js";
import { checkConfig, diffConfig, startPlugin } from "./plugin-requests.js";

const baseUrl = "http://127.0.0.1:9";
const apiKey = "sk_canary0123456789abcdef";

describe("the settings of the plugin's provider", () => {
  let provider: ProviderProcess;

  beforeAll(async () => {
    provider = await startPlugin();
  });

  afterAll(() => provider.stop());

  describe("when they are checked", () => {
    test.each(["baseURL", "apikey", "key", "project"])("refuse %s, which there is not", async (name) => {
      const { failures } = await checkConfig(provider, "eu", { baseUrl, [name]: apiKey });
      expect(failures).toEqual([
        {
          property: name,
          reason: `The provider has no setting "${name}". Its settings are apiKey, baseUrl, projectId, apiKeyFromEnv, apiKeyFromConfig.`,
        },
      ]);
    });

    test("refuse a value that is not a string, without repeating it", async () => {
      const { failures } = await checkConfig(provider, "eu", { baseUrl, apiKey: [apiKey] });
      expect(failures).toEqual([{ property: "apiKey", reason: '"apiKey" of a provider must be a string.' }]);
    });

    test.each([
      [{ apiKey, apiKeyFromEnv: "THEIR_KEY" }],
      [{ apiKeyFromEnv: "THEIR_KEY", apiKeyFromConfig: "theirKey" }],
    ])("refuse two keys: %j", async (keys) => {
      const { failures } = await checkConfig(provider, "eu", { baseUrl, ...keys });
      const [first, second = ""] = Object.keys(keys);
      expect(failures).toEqual([
        { property: second, reason: `"${first}" and "${second}" are given. Give one of them.` },
      ]);
    });

    test("accept what they may be, what is unknown, and what Pulumi adds", async () => {
      const inputs = { baseUrl, projectId: "04da6b54-80e4-46f7-96ec-b56ff0331ba9", version: "0.1.0" };
      expect(await checkConfig(provider, "eu", inputs)).toEqual({ inputs, failures: [] });
    });

    test.each(["default", "default_0_1_0"])(
      "accept whatever the stack configuration has, of the provider %s",
      async (name) => {
        const inputs = { baseUrl, colour: "red", count: 3 };
        expect(await checkConfig(provider, name, inputs)).toEqual({ inputs, failures: [] });
      },
    );

    test("answer the key as a secret", async () => {
      const secret = { [specialSigKey]: specialSecretSig, value: apiKey };
      expect((await checkConfig(provider, "eu", { baseUrl, apiKey })).inputs).toEqual({
        baseUrl,
        apiKey: secret,
      });
    });
  });

  describe("when they are compared", () => {
    const unchanged = { changes: false, replaces: [] };
    const changed = { changes: true, replaces: [] };

    test("move the resources when the address is another one", async () => {
      const other = { baseUrl: "http://127.0.0.1:10", apiKey };
      expect(await diffConfig(provider, { baseUrl, apiKey }, other)).toEqual({
        changes: true,
        replaces: ["baseUrl"],
      });
    });

    test("move nothing when the address is only written in another way", async () => {
      expect(await diffConfig(provider, { baseUrl }, { baseUrl: `${baseUrl}/` })).toEqual(changed);
    });

    test("move nothing when one side takes a value from the environment", async () => {
      expect(await diffConfig(provider, { baseUrl, apiKey }, {})).toEqual(changed);
      expect(await diffConfig(provider, {}, { baseUrl, apiKey })).toEqual(changed);
    });

    test("move nothing when the project is another one: what exists stays in its own", async () => {
      const projects = [
        { baseUrl, projectId: "one" },
        { baseUrl, projectId: "two" },
      ] as const;
      expect(await diffConfig(provider, ...projects)).toEqual(changed);
    });

    test("do not change with the version or a setting of somebody else", async () => {
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
    ])("do not change when %s provider of dynamic resources had the same", async (_what, olds) => {
      expect(await diffConfig(provider, olds, { baseUrl, apiKey })).toEqual(unchanged);
      const moved = { baseUrl: "http://127.0.0.1:10", apiKey };
      expect(await diffConfig(provider, olds, moved)).toMatchObject({ replaces: ["baseUrl"] });
    });
  });

  describe("with another key for the same address", () => {
    let server: Server;
    let address: string;

    /** A service that several organizations share. The end of a key names its owner. */
    beforeAll(async () => {
      server = createServer(({ headers }, response) => {
        const [, owner] = /_of_(\w+)$/.exec(headers.authorization ?? "") ?? [];
        const status = owner === undefined ? 401 : 200;
        response.writeHead(status, { "content-type": "application/json" });
        response.end(JSON.stringify(owner === undefined ? { code: "unauthorized" } : ownedBy(owner)));
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });

    afterAll(() => {
      server.close();
    });

    const withKey = (key: string) => ({ baseUrl: address, apiKey: key });

    test("move the resources when the keys belong to two organizations", async () => {
      expect(await diffConfig(provider, withKey("sk_1_of_ours"), withKey("sk_2_of_theirs"))).toEqual({
        changes: true,
        replaces: ["apiKey"],
      });
    });

    test("move nothing when both keys belong to one, or when the old one is revoked", async () => {
      for (const old of ["sk_1_of_ours", "sk_revoked"]) {
        expect(await diffConfig(provider, withKey(old), withKey("sk_2_of_ours"))).toEqual({
          changes: true,
          replaces: [],
        });
      }
    });
  });
});

/** Who sends a request, in the form of `GET /auth/context`. */
function ownedBy(owner: string) {
  const scope = { project_id: null };
  return {
    authentication: { method: "api_key", source: "api_key", credential_id: "1".padEnd(24, "0") },
    authorization: { credential_scope: scope, effective_scope: scope },
    organization: { id: owner.padEnd(24, "0") },
    principal: { id: "1".padEnd(24, "0"), type: "api_key" },
  };
}
