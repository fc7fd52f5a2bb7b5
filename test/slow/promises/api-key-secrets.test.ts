import { readFileSync } from "node:fs";
import type { Emulator } from "../../../src/emulator/index.js";
import { newEmulator } from "../../support/emulator.js";
import { filesBelow } from "../../support/files-below.js";
import { processArguments, sightings } from "../../support/stacks/canary.js";
import { manifest } from "../../support/stacks/service.js";
import { Stack } from "../../support/stacks/stack.js";
import { reference } from "../../support/stacks/yaml-program.js";

// Recognizable, and with characters that URL-encoding changes.
const key = "sk_canary+7f3a/9d2c=51e8";
/** Key of a second account. */
const euKey = "sk_canary+b06d/4e81=c2f9";

describe("the API key, with the real engine", () => {
  let emulator: Emulator;
  let eu: Emulator;
  let stack: Stack;

  afterEach(() => stack.remove());

  /**
   * Runs the whole life of the program's extensions, with faults, and returns all output and
   * everything visible meanwhile.
   */
  async function wholeLife(logLevel: number): Promise<string> {
    stack.write("extension/manifest.json", manifest());
    const seen: string[] = [];
    const run = async (...args: string[]) => {
      const running = stack.start(...args);
      const watch = setInterval(() => seen.push(processArguments()), 100);
      seen.push((await running.ended).output);
      clearInterval(watch);
    };
    for (const [account, secret] of [
      [emulator, key],
      [eu, euKey],
    ] as const) {
      account.faults.add({
        method: "POST",
        path: "/extensions",
        at: "before-commit",
        action: {
          answer: { status: 400, body: { code: "bad_request", message: `rejected for Bearer ${secret}` } },
        },
      });
    }
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
    for (const { requests } of [emulator, eu]) {
      seen.push(JSON.stringify(requests));
      expect(requests.filter(({ status }) => status === 201)).toHaveLength(1);
    }
    return seen.join("\n");
  }

  async function expectNowhere(logLevel: number): Promise<void> {
    const seen = await wholeLife(logLevel);
    expect([...sightings(key, seen), ...sightings(euKey, seen)]).toEqual([]);
  }

  async function start(create: (environment: NodeJS.ProcessEnv) => Promise<Stack>, environment = {}) {
    emulator = await newEmulator({ apiKeys: [key] });
    eu = await newEmulator({ apiKeys: [euKey] });
    stack = await create({ BROWSER_INFRA_BASE_URL: emulator.url, ...environment });
  }

  /** Program with a second account besides the stack's, also for functions. */
  function declare(account: string): void {
    stack.write(
      "index.js",
      `const { Extension, getExtensionOutput, Provider } = require("pulumi-browser-infra");
       exports.own = new Extension("own", { path: "./extension" }).id;
       const provider = new Provider("eu", { ${account}, baseUrl: "${eu.url}" });
       const { id } = new Extension("reader", { path: "./extension" }, { provider });
       exports.id = id;
       exports.name = getExtensionOutput({ id }, { provider }).name;`,
    );
  }

  test("X1: an API key from the environment, or from a variable that a Provider names, is found nowhere", async () => {
    await start(Stack.create, { BROWSER_INFRA_API_KEY: key, EU_API_KEY: euKey });
    declare('apiKeyFrom: { env: "EU_API_KEY" }');
    await expectNowhere(9);
  });

  test("X1: an API key from secret configuration, or from a setting that a Provider names, is found nowhere", async () => {
    await start(Stack.create);
    await stack.succeedWithInput(key, "config", "set", "--secret", "browser-infra:apiKey");
    await stack.succeedWithInput(euKey, "config", "set", "--secret", "pulumi-nodejs:euApiKey");
    declare('apiKeyFrom: { config: "pulumi-nodejs:euApiKey" }');
    // At the most verbose level, 9, Pulumi's engine itself logs in plain text the configuration
    // passed to any provider.
    await expectNowhere(8);
  });

  test("X1: through the plugin, an API key from secret configuration or a named setting is found nowhere", async () => {
    await start(Stack.createYaml);
    await stack.succeedWithInput(key, "config", "set", "--secret", "browser-infra:apiKey");
    await stack.succeedWithInput(euKey, "config", "set", "--secret", "browser-infra:euApiKey");
    const properties = { apiKeyFromConfig: "browser-infra:euApiKey", baseUrl: eu.url };
    const reader = { type: "Extension", properties: { path: "./extension" } };
    stack.declare(
      {
        eu: { type: "pulumi:providers:browser-infra", properties },
        own: reader,
        reader: { ...reader, options: { provider: reference("eu") } },
      },
      { outputs: { id: reference("reader.id") } },
    );
    await expectNowhere(8);
  });

  test("an API key given to a Provider as a value is in the debug output of Pulumi's SDK, as documented", async () => {
    await start(Stack.create, { BROWSER_INFRA_API_KEY: key });
    stack.write("extension/manifest.json", manifest());
    declare(`apiKey: "${euKey}"`);
    expect(
      sightings(euKey, await stack.succeed("up", "--yes", "--skip-preview", "--json", "--debug")),
    ).not.toEqual([]);
    expect(sightings(euKey, JSON.stringify(stack.resources()))).toEqual([]);
  });

  test("the search for an API key finds the key in plain text, URL-encoded and in base64", () => {
    expect(sightings(key, `Authorization: Bearer ${key}`)).toHaveLength(1);
    expect(sightings(key, `?key=${encodeURIComponent(key)}`)).toHaveLength(1);
    for (const before of ["", "a", "ab", "Bearer "]) {
      expect(sightings(key, Buffer.from(`${before}${key} and more`).toString("base64"))).toHaveLength(1);
    }
  });
});
