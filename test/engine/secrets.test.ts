import { readFileSync } from "node:fs";
import { type Emulator, startEmulator } from "../../src/emulator/index.js";
import { filesBelow } from "../support/files-below.js";
import { processArguments, sightings } from "./canary.js";
import { Stack } from "./stack.js";
import { reference, type YamlResource } from "./yaml-program.js";

// Recognizable, and with characters that URL-encoding changes.
const key = "sk_canary+7f3a/9d2c=51e8";

describe("the API key, with the real engine", () => {
  let emulator: Emulator;
  let stack: Stack;

  afterEach(async () => {
    stack.remove();
    await emulator.close();
  });

  /**
   * Runs the whole life of an extension, with faults, and returns everything that was printed or
   * visible meanwhile.
   */
  async function wholeLife(
    logLevel: number,
    program = `const { Extension } = require("pulumi-browser-infra");
       exports.id = new Extension("reader", { path: "./extension" }).id;`,
  ): Promise<string> {
    stack.write("index.js", program);
    return lifeOfProgram(logLevel);
  }

  /** The same for the program that the stack has. */
  async function lifeOfProgram(logLevel: number): Promise<string> {
    stack.write("extension/manifest.json", '{ "manifest_version": 3, "name": "Reader", "version": "1.0.0" }');
    const seen: string[] = [];
    const run = async (...args: string[]) => {
      const running = stack.start(...args);
      const watch = setInterval(() => seen.push(processArguments()), 100);
      seen.push((await running.ended).output);
      clearInterval(watch);
    };
    emulator.faults.add({
      method: "POST",
      path: "/extensions",
      times: 1,
      at: "before-commit",
      action: {
        answer: { status: 400, body: { code: "bad_request", message: `rejected for Bearer ${key}` } },
      },
    });
    await run("up", "--yes", "--logtostderr", `-v=${logLevel}`);
    // Only here, because the commands below would preview the same again.
    await run("preview", "--json");
    await run("up", "--yes", "--skip-preview", "--json", "--debug");
    await run("up", "--yes", "--skip-preview", "--diff");
    await run("refresh", "--yes", "--skip-preview", "--run-program");
    await run("stack", "export");
    await run("stack", "output", "--json");
    seen.push(...filesBelow(stack.folder).map((file) => readFileSync(file, "latin1")));
    await run("destroy", "--yes", "--skip-preview");
    seen.push(...filesBelow(stack.folder).map((file) => readFileSync(file, "latin1")));
    seen.push(JSON.stringify(emulator.requests));
    expect(emulator.requests.filter(({ status }) => status === 201)).toHaveLength(1);
    return seen.join("\n");
  }

  test("X1: given in the environment is found nowhere", async () => {
    emulator = await startEmulator({ apiKeys: [key] });
    stack = await Stack.create({ BROWSER_INFRA_BASE_URL: emulator.url, BROWSER_INFRA_API_KEY: key });
    expect(sightings(key, await wholeLife(9))).toEqual([]);
  });

  test("X1: given as secret configuration is found nowhere", async () => {
    emulator = await startEmulator({ apiKeys: [key] });
    stack = await Stack.create();
    await stack.succeedWithInput(key, "config", "set", "--secret", "browser-infra:apiKey");
    await stack.succeed("config", "set", "browser-infra:baseUrl", emulator.url);
    // At its most verbose level, 9, Pulumi's engine itself logs in plain text the configuration it
    // passes to any provider.
    expect(sightings(key, await wholeLife(8))).toEqual([]);
  });

  /** A program whose only account is a Provider with these arguments, also for its functions. */
  const withProvider = (args: string) =>
    `const { Extension, getExtensionOutput, Provider } = require("pulumi-browser-infra");
     const provider = new Provider("eu", { ${args}, baseUrl: "${emulator.url}" });
     const { id } = new Extension("reader", { path: "./extension" }, { provider });
     exports.id = id;
     exports.name = getExtensionOutput({ id }, { provider }).name;`;

  test("X1: named by a Provider as a variable is found nowhere, not even in JSON and debug output", async () => {
    emulator = await startEmulator({ apiKeys: [key] });
    stack = await Stack.create({ EU_API_KEY: key });
    expect(sightings(key, await wholeLife(9, withProvider('apiKeyFrom: { env: "EU_API_KEY" }')))).toEqual([]);
  });

  test("X1: named by a Provider as a setting is found nowhere, not even in JSON and debug output", async () => {
    emulator = await startEmulator({ apiKeys: [key] });
    stack = await Stack.create();
    await stack.succeedWithInput(key, "config", "set", "--secret", "pulumi-nodejs:euApiKey");
    const program = withProvider('apiKeyFrom: { config: "pulumi-nodejs:euApiKey" }');
    expect(sightings(key, await wholeLife(8, program))).toEqual([]);
  });

  /** Declares an extension of a YAML program, which the provider plugin manages. */
  function declareThroughPlugin(others: Record<string, YamlResource> = {}, options = {}): void {
    const reader = { type: "Extension", properties: { path: "./extension" }, options };
    stack.declare({ ...others, reader }, { outputs: { id: reference("reader.id") } });
  }

  test("X1: given as secret configuration is found nowhere, through the plugin", async () => {
    emulator = await startEmulator({ apiKeys: [key] });
    stack = await Stack.createYaml();
    await stack.succeedWithInput(key, "config", "set", "--secret", "browser-infra:apiKey");
    await stack.succeed("config", "set", "browser-infra:baseUrl", emulator.url);
    declareThroughPlugin();
    expect(sightings(key, await lifeOfProgram(8))).toEqual([]);
  });

  test("X1: named by a provider as a setting is found nowhere, through the plugin", async () => {
    emulator = await startEmulator({ apiKeys: [key] });
    stack = await Stack.createYaml();
    await stack.succeedWithInput(key, "config", "set", "--secret", "browser-infra:euApiKey");
    const properties = { apiKeyFromConfig: "browser-infra:euApiKey", baseUrl: emulator.url };
    declareThroughPlugin(
      { eu: { type: "pulumi:providers:browser-infra", properties } },
      { provider: reference("eu") },
    );
    expect(sightings(key, await lifeOfProgram(8))).toEqual([]);
  });

  test("given to a Provider as a value is in the debug output of Pulumi's SDK, as the documents say", async () => {
    emulator = await startEmulator({ apiKeys: [key] });
    stack = await Stack.create();
    stack.write("extension/manifest.json", '{ "manifest_version": 3, "name": "Reader", "version": "1.0.0" }');
    stack.write("index.js", withProvider(`apiKey: "${key}"`));
    expect(
      sightings(key, await stack.succeed("up", "--yes", "--skip-preview", "--json", "--debug")),
    ).not.toEqual([]);
    expect(sightings(key, JSON.stringify(stack.resources()))).toEqual([]);
  });

  test("would be noticed in each of its forms", () => {
    expect(sightings(key, `Authorization: Bearer ${key}`)).toHaveLength(1);
    expect(sightings(key, `?key=${encodeURIComponent(key)}`)).toHaveLength(1);
    for (const before of ["", "a", "ab", "Bearer "]) {
      expect(sightings(key, Buffer.from(`${before}${key} and more`).toString("base64"))).toHaveLength(1);
    }
  });
});
