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
});
