import { readFileSync } from "node:fs";
import { shareEmulator } from "../../support/emulator.js";
import { manifest, writesIn } from "../../support/stacks/service.js";
import { javaScriptProject, Stack, type StateResource } from "../../support/stacks/stack.js";
import { pluginFolder, reference, type YamlResource } from "../../support/stacks/yaml-program.js";

const projectWithPlugin = `${javaScriptProject}
plugins:
  providers:
    - name: browser-infra
      path: ${pluginFolder}
`;

const nameIn = ({ urn }: StateResource) => urn.split("::").at(-1) ?? "";

describe("a stack of dynamic resources that moves to the plugin, with the real engine", () => {
  const here = shareEmulator({ apiKeys: ["sk_here"] });
  const eu = shareEmulator({ apiKeys: ["sk_eu"] });
  let stack: Stack;
  let connectionId: string;
  let keyId: string;
  /** State of the dynamic resources, as printed by "pulumi stack export". */
  let exported: string;
  let before: readonly StateResource[];
  let writesBefore: readonly string[];

  beforeAll(async () => {
    keyId = here.createApiKey({ name: "before" }).id;
    connectionId = here.authConnections.create({ domain: "shop.example", profileName: "shop" }).id;
    here.authConnections.startLogin(connectionId);
    here.authConnections.endLogin(connectionId, { status: "SUCCESS" });
    stack = await Stack.create({}, projectWithPlugin);
    await stack.succeed("config", "set", "browser-infra:baseUrl", here.url);
    await stack.succeedWithInput("sk_here", "config", "set", "--secret", "browser-infra:apiKey");
    writeExtension(stack);
    stack.write("index.js", programWith("pulumi-browser-infra"));
    await stack.up();
    exported = await stack.succeed("stack", "export");
    before = ours(stack);
    writesBefore = writes();
  });

  afterAll(() => stack.remove());

  function writeExtension(into: Stack): void {
    into.write("extension/manifest.json", manifest());
    into.write("extension/tests/reader.test.js", "test('nothing', () => {});\n");
  }

  /** Every kind of resource with the default provider, and a resource with an explicit provider. */
  function programWith(entry: string): string {
    return `const { ApiKeyName, Extension, getProjectOutput, LoginFlow, Provider } = require("${entry}");
      const login = new LoginFlow("login", { connectionId: "${connectionId}", triggers: ["1"] },
        { customTimeouts: { create: "1m" } });
      new Extension("reader", { path: "./extension", exclude: ["tests"] }, { dependsOn: login });
      new Extension("blocker", { path: "./extension", name: "blocker" });
      new ApiKeyName("ci", { keyId: "${keyId}", name: "CI" });
      const provider = new Provider("eu", { apiKey: "sk_eu", baseUrl: "${eu.url}" });
      new Extension("viewer", { path: "./extension" }, { provider });
      const project = { name: "Default" };
      exports.projects = [getProjectOutput(project).id, getProjectOutput(project, { provider }).id];`;
  }

  /** Same program in YAML. The TypeScript class derives the timeout from customTimeouts. */
  function yamlProgram(): Readonly<Record<string, YamlResource>> {
    const path = "./extension";
    return {
      login: { type: "LoginFlow", properties: { connectionId, triggers: ["1"], timeout: "1m" } },
      reader: {
        type: "Extension",
        properties: { path, exclude: ["tests"] },
        options: { dependsOn: [reference("login")] },
      },
      blocker: { type: "Extension", properties: { path, name: "blocker" } },
      ci: { type: "ApiKeyName", properties: { keyId, name: "CI" }, options: { deleteBeforeReplace: true } },
      eu: {
        type: "pulumi:providers:browser-infra",
        properties: { apiKey: { "fn::secret": "sk_eu" }, baseUrl: eu.url },
      },
      viewer: { type: "Extension", properties: { path }, options: { provider: reference("eu") } },
    };
  }

  function writes(): string[] {
    return [...writesIn(here), ...writesIn(eu)];
  }

  /** Resources of a stack that are in the service, ordered by logical name. */
  function ours(of: Stack): StateResource[] {
    const found = of.resources().filter(({ type }) => type.includes("browser-infra:"));
    return found.sort((one, other) => nameIn(one).localeCompare(nameIn(other)));
  }

  /** Planned operations of a preview, without unchanged resources. */
  async function planned(of: Stack): Promise<string[]> {
    const { steps } = JSON.parse(await of.succeed("preview", "--json"));
    return steps
      .filter(({ op }: { op: string }) => op !== "same")
      .map(({ op, urn }: { op: string; urn: string }) => `${op} ${urn.split("::").slice(2).join(" ")}`)
      .sort();
  }

  /** Expects that a deployment changes only the type tokens and the provider. */
  async function expectToMove(to: Stack): Promise<void> {
    expect(await planned(to)).toEqual([
      "create pulumi:providers:browser-infra eu",
      "delete pulumi:providers:pulumi-nodejs eu",
    ]);
    await to.up();
    expect(ours(to).map((each) => [nameIn(each), each.id])).toEqual(
      before.map((each) => [nameIn(each), each.id]),
    );
    expect(ours(to).map(({ type }) => type)).toEqual(
      before.map(({ type }) => type.replace("pulumi-nodejs:dynamic/browser-infra:", "browser-infra:index:")),
    );
    await to.expectNoChanges();
    await to.refresh("--expect-no-changes");
    expect(writes()).toEqual(writesBefore);
  }

  test("a JavaScript program that imports the plugin entry instead of the dynamic entry changes no object", async () => {
    expect(before.map(nameIn)).toEqual(["blocker", "ci", "login", "reader", "viewer"]);
    expect(before.every(({ type }) => type.startsWith("pulumi-nodejs:dynamic/"))).toBe(true);
    stack.write("index.js", programWith("pulumi-browser-infra/plugin"));
    await expectToMove(stack);
    const { outputs } = stack.resources().find(({ type }) => type === "pulumi:pulumi:Stack") ?? {};
    // Results of a function for both accounts, called through the engine.
    expect(outputs?.projects).toEqual([here.defaultProject.id, eu.defaultProject.id]);
  });

  test("a YAML program that takes over dynamic resources changes no object, and destroy restores the name of the key", async () => {
    const yaml = await Stack.createYaml();
    try {
      writeExtension(yaml);
      yaml.declare(yamlProgram());
      // Settings of the stack, and the data that encrypts the secrets.
      yaml.write("Pulumi.dev.yaml", readFileSync(stack.path("Pulumi.dev.yaml")));
      yaml.write("before.json", exported);
      await yaml.succeed("stack", "import", "--file", "before.json");
      await expectToMove(yaml);
      await yaml.destroy();
      expect([...here.extensions.list(), ...eu.extensions.list()]).toEqual([]);
      expect(here.apiKeyRecords.list().find(({ id }) => id === keyId)?.name).toBe("before");
    } finally {
      yaml.remove();
    }
  });
});
