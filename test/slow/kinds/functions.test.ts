import type { Emulator } from "../../../src/emulator/index.js";
import { newEmulator } from "../../support/emulator.js";
import { manifest, startEach, startService } from "../../support/stacks/service.js";
import { Stack } from "../../support/stacks/stack.js";
import { reference } from "../../support/stacks/yaml-program.js";

describe("functions, with the real engine", () => {
  let emulator: Emulator;
  let environment: NodeJS.ProcessEnv;
  let stack: Stack;

  beforeEach(async () => {
    ({ emulator, environment } = await startService());
  });

  afterEach(() => stack?.remove());

  async function program(text: string, shell: NodeJS.ProcessEnv = environment): Promise<void> {
    stack = await Stack.create(shell);
    stack.write("extension/manifest.json", manifest());
    rewrite(text);
  }

  function rewrite(text: string): void {
    stack.write(
      "index.js",
      `const pulumi = require("@pulumi/pulumi");
       const infra = require("pulumi-browser-infra");
       ${text}`,
    );
  }

  const reads = () => emulator.requests.filter(({ method }) => method === "GET").map(({ path }) => path);

  test("functions return results in a preview and in an update, in the plain form and the output form", async () => {
    const project = emulator.createProject({ name: "Staging", limits: { maxConcurrentSessions: 5 } });
    const { id: keyId } = emulator.createApiKey({ name: "ci", projectId: project.id });
    const { id: poolId } = emulator.browserPools.create({
      name: "agents",
      size: 3,
      chromePolicy: { HomepageLocation: "https://example.com" },
    });
    await program(`
      module.exports = async () => {
        const project = await infra.getProject({ name: "Staging" });
        const staging = infra.getProjectOutput({ name: "Staging" });
        const ci = infra.getApiKeysOutput({ name: "ci" }).apiKeys[0];
        return {
          project,
          limits: infra.getProjectLimitsOutput({ projectId: staging.id }),
          names: (await infra.getProjects({ query: "sta" })).projects.map(({ name }) => name),
          key: infra.getApiKeyOutput({ id: ci.id }),
          pool: infra.getBrowserPoolOutput({ name: "agents" }),
          pools: (await infra.getBrowserPools({ query: "age" })).browserPools.map(({ id }) => id),
        };
      };`);
    expect(await stack.succeed("preview")).toContain("Staging");
    await stack.up();
    const { limits: _limits, ...record } = project;
    expect(await stack.outputs()).toEqual({
      project: record,
      limits: {
        projectId: project.id,
        projectName: "Staging",
        maxConcurrentSessions: 5,
      },
      names: ["Staging"],
      key: expect.objectContaining({ id: keyId, projectName: "Staging" }),
      pool: expect.objectContaining({
        id: poolId,
        size: 3,
        chromePolicy: { HomepageLocation: "https://example.com" },
      }),
      pools: [poolId],
    });
  });

  test("an error of a function is printed once, with the name of the function and without a stack trace", async () => {
    await program("");
    for (const text of [
      // A module without a wait, a module that awaits the result, and a module that exports an
      // output.
      'infra.getProject({ name: "staging" });',
      'module.exports = async () => ({ project: await infra.getProject({ name: "staging" }) });',
      'exports.project = infra.getProjectOutput({ name: "staging" });',
    ]) {
      rewrite(text);
      const { exitCode, output } = await stack.preview();
      expect(exitCode).not.toBe(0);
      const message =
        'LookupError: getProject: There is no project with the name "staging". Check the name, and that this API key has access to it.';
      expect(output.split(message)).toHaveLength(2);
      expect(output).not.toContain("node_modules");
    }
  });

  test("X2: functions use the stack settings, print no key, and return a secret for a secret argument", async () => {
    await program('exports.project = infra.getProjectOutput({ name: pulumi.secret("Default") }).id;', {
      BROWSER_INFRA_BASE_URL: "https://unreachable.invalid",
    });
    const [key = ""] = emulator.apiKeys;
    await stack.succeed("config", "set", "browser-infra:baseUrl", emulator.url);
    await stack.succeedWithInput(key, "config", "set", "--secret", "browser-infra:apiKey");
    const shown = await stack.up();
    expect(await stack.outputs()).toEqual({ project: "[secret]" });
    expect(await stack.outputs("--show-secrets")).toEqual({ project: emulator.defaultProject.id });
    expect(shown + JSON.stringify(stack.resources())).not.toContain(key);
  });

  test("functions use the settings of an explicit provider or of the parent's provider, even if known only later", async () => {
    const eu = await newEmulator({ apiKeys: ["sk_eu_0123456789abcdef"] });
    eu.createProject({ name: "of eu" });
    const { id: projectId } = eu.createProject({ name: "browsers" });
    await program(`
      const eu = new infra.Provider("eu", { apiKey: pulumi.secret("sk_eu_0123456789abcdef"), baseUrl: "${eu.url}", projectId: "${projectId}" });
      const component = new pulumi.ComponentResource("shop:Browsers", "browsers", {}, { providers: [eu] });
      const reader = new infra.Extension("reader", { path: "./extension", name: "reader" }, { parent: component });
      const late = new infra.Provider("late", { apiKey: "sk_eu_0123456789abcdef", baseUrl: reader.id.apply(() => "${eu.url}") });
      module.exports = async () => ({
        plain: (await infra.getProject({ name: "of eu" }, { provider: eu })).name,
        ofParent: infra.getProjectOutput({ name: "of eu" }, { parent: component }).name,
        extension: infra.getExtensionOutput({ name: reader.name }, { parent: component }).id,
        late: infra.getProjectOutput({ name: "of eu" }, { provider: late }).name,
        own: infra.getProjectOutput({ name: "Default" }).id,
      });`);
    await stack.succeed("preview");
    await stack.up();
    expect(await stack.outputs()).toEqual({
      plain: "of eu",
      ofParent: "of eu",
      extension: eu.extensions.list(projectId)[0]?.id,
      late: "of eu",
      own: emulator.defaultProject.id,
    });
    expect(JSON.stringify(stack.resources())).not.toContain("sk_eu_0123456789abcdef");
  });

  test("the plain form of a function with an unknown provider fails in a preview, and names the output form", async () => {
    await program(`
      const reader = new infra.Extension("reader", { path: "./extension" });
      const late = new infra.Provider("late", { apiKey: reader.id.apply(() => "sk_late") });
      infra.getProject({ name: "Default" }, { provider: late });`);
    const { exitCode, output } = await stack.preview();
    expect(exitCode).not.toBe(0);
    expect(output).toContain("Use getProjectOutput");
  });

  test("functions send no request about objects to be created in a preview, and run after the creation in an update", async () => {
    await program(`
      const reader = new infra.Extension("reader", { path: "./extension", name: "reader" });
      exports.byId = infra.getExtensionOutput({ id: reader.id }).name;
      exports.byName = infra.getExtensionOutput({ name: reader.name }).id;
      exports.after = infra.getProjectsOutput({}, { dependsOn: [reader] }).projects.length;`);
    expect((await stack.preview()).exitCode).toBe(0);
    // The preview of the extension itself looks up the name, on a different path, and the plan.
    expect(reads().filter((path) => /^\/org\/(?!entitlements)|\/metadata$/.test(path))).toEqual([]);
    const before = emulator.requests.length;
    await stack.up();
    const [extension] = emulator.extensions.list();
    expect(await stack.outputs()).toEqual({ byId: "reader", byName: extension?.id, after: 1 });
    const paths = emulator.requests.slice(before).map(({ method, path }) => `${method} ${path}`);
    const upload = paths.indexOf("POST /extensions");
    expect(upload).toBeGreaterThan(-1);
    expect(paths.indexOf("GET /org/projects")).toBeGreaterThan(upload);
    expect(paths.indexOf(`GET /extensions/${extension?.id}/metadata`)).toBeGreaterThan(upload);
  });

  test("a program can declare a resource from a function result without awaiting the result", async () => {
    await program(`
      infra.getProject({ name: "Default" }).then(({ id }) => {
        new infra.Extension("reader", { path: "./extension", projectId: id });
      });`);
    await stack.up();
    expect(emulator.extensions.list()).toHaveLength(1);
  });
});

describe("functions of a program in YAML, with the real engine", () => {
  let emulator: Emulator;
  let stack: Stack;

  startEach(Stack.createYaml, (started) => ({ emulator, stack } = started));

  test("functions of a YAML program pass results to outputs and to a resource", async () => {
    const { id } = emulator.createProject({ name: "Staging" });
    const chromePolicy = { HomepageLocation: "https://example.com", ShowHomeButton: true };
    const pool = emulator.browserPools.create({ name: "agents", size: 2, chromePolicy });
    const invoke = (name: string, args = {}) => ({
      "fn::invoke": { function: `browser-infra:index:${name}`, arguments: args },
    });
    const projectId = reference("staging.id");
    stack.declare(
      { reader: { type: "Extension", properties: { path: "./extension", projectId } } },
      {
        variables: {
          staging: invoke("getProject", { name: "Staging" }),
          agents: invoke("getBrowserPool", { name: "agents" }),
          pools: invoke("getBrowserPools"),
        },
        outputs: { policy: reference("agents.chromePolicy"), poolId: reference("pools.browserPools[0].id") },
      },
    );
    await stack.up();
    expect(await stack.outputs()).toEqual({ policy: chromePolicy, poolId: pool.id });
    expect(emulator.extensions.list(id)).toMatchObject([{ id: stack.extension().id }]);
    await stack.expectNoChanges();
  });
});
