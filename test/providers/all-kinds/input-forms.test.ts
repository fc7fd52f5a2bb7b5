import { PlayedProgram } from "../played-program.js";

type Kind = Parameters<typeof PlayedProgram.start>[0];

describe("the inputs of a resource", () => {
  test.each<[Kind, string, Record<string, unknown>, RegExp]>([
    ["Profile", "a project that is no string", { projectId: 5 }, /^projectId: .+ must be a string\.$/],
    ["Profile", "an empty project", { projectId: " " }, /^projectId: .+non-empty/],
    ["Proxy", "an empty project", { type: "isp", projectId: "" }, /^projectId: .+non-empty/],
    [
      "AuthConnection",
      "a misspelt member",
      { domain: "shop.example", profileName: "buyer", credential: { name: "shop", nmae: "shop" } },
      /^credential\.nmae: .+ does not exist; the members are name, provider, path, auto\.$/,
    ],
    [
      "BrowserPool",
      "a misspelt member of a list",
      { size: 1, network: { proxyRoutes: [{ hosts: ["a.example"], proxyId: "p", proxy: "p" }] } },
      /^network\.proxyRoutes\[0\]\.proxy: .+ does not exist; the members are hosts, proxyId\.$/,
    ],
  ])(
    "the check of %s with %s fails, and the failure names the input",
    async (kind, _what, inputs, message) => {
      const program = await PlayedProgram.start(kind);
      expect(await program.failures(inputs as never)).toEqual([expect.stringMatching(message)]);
    },
  );

  test.each<[Kind, string, Record<string, unknown>]>([
    ["Extension", "name", { path: "./extension" }],
    ["Project", "name", {}],
    ["Profile", "name", {}],
    ["BrowserPool", "name", { size: 1 }],
    ["Credential", "name", { domain: "shop.example" }],
    ["AuthConnection", "domain", { profileName: "buyer" }],
    ["ApiKeyName", "keyId", { name: "ci" }],
    ["ProjectLimits", "projectId", { maxConcurrentSessions: 1 }],
  ])(
    "X1: no failure contains the API key if two resources have the key as an input: %s %s",
    async (kind, input, rest) => {
      const program = await PlayedProgram.start(kind);
      const key = "an-unusual-key-of-length";
      program.environment.BROWSER_INFRA_API_KEY = key;
      const inputs = { ...rest, [input]: key };
      const { failures } = await program.preview(inputs as never, { others: { second: inputs as never } });
      expect(failures).toHaveLength(2);
      expect(failures.join()).not.toContain(key);
    },
  );
});
