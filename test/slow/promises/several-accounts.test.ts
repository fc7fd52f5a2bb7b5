import { readFileSync } from "node:fs";
import { join } from "node:path";
import { newEmulator, useEmulator } from "../../support/emulator.js";
import { filesBelow } from "../../support/files-below.js";
import { manifest, startEach } from "../../support/stacks/service.js";
import { Stack } from "../../support/stacks/stack.js";
import { reference } from "../../support/stacks/yaml-program.js";

describe("several accounts in one program, with the real engine", () => {
  const eu = useEmulator({ apiKeys: ["sk_eu_one", "sk_eu_two"] });
  const us = useEmulator({ apiKeys: ["sk_us"] });
  let stack: Stack;

  beforeEach(async () => {
    stack = await Stack.create();
    stack.write("extension/manifest.json", manifest());
    declare("sk_eu_one");
  });

  afterEach(() => stack.remove());

  function declare(euKey: string): void {
    stack.write(
      "index.js",
      `const pulumi = require("@pulumi/pulumi");
       const { Extension, Provider } = require("pulumi-browser-infra");
       const eu = new Provider("eu", { apiKey: "${euKey}", baseUrl: "${eu.url}" });
       const us = new Provider("us", { apiKey: pulumi.secret("sk_us"), baseUrl: "${us.url}" });
       new Extension("reader", { path: "./extension" }, { provider: eu });
       const component = new pulumi.ComponentResource("shop:Browsers", "browsers", {}, { providers: [us] });
       new Extension("viewer", { path: "./extension" }, { parent: component });`,
    );
  }

  test("X3: each account gets its own resources, the keys stay secret, and a new key replaces nothing", async () => {
    await stack.up();
    expect(eu.extensions.list()).toMatchObject([{ name: expect.stringMatching(/^reader-/) }]);
    expect(us.extensions.list()).toMatchObject([{ name: expect.stringMatching(/^viewer-/) }]);
    const state = readFileSync(join(stack.folder, "state", ".pulumi", "stacks", "shop", "dev.json"), "utf8");
    expect(state).not.toMatch(/sk_eu|sk_us/);

    const before = eu.extensions.list();
    declare("sk_eu_two");
    await stack.up();
    expect(eu.extensions.list()).toEqual(before);
    await stack.destroy();
    expect([...eu.extensions.list(), ...us.extensions.list()]).toEqual([]);
  });

  /** Two accounts whose keys the stack names and does not hold. */
  function declareByName(): void {
    stack.write(
      "index.js",
      `const { Extension, getProject, Provider } = require("pulumi-browser-infra");
       const eu = new Provider("eu", { apiKeyFrom: { env: "EU_API_KEY" }, baseUrl: "${eu.url}" });
       const us = new Provider("us", { apiKeyFrom: { config: "pulumi-nodejs:usApiKey" }, baseUrl: "${us.url}" });
       new Extension("reader", { path: "./extension" }, { provider: eu });
       new Extension("viewer", { path: "./extension" }, { provider: us });
       module.exports = async () => ({
         eu: (await getProject({ name: "Default" }, { provider: eu })).id,
         us: (await getProject({ name: "Default" }, { provider: us })).id,
       });`,
    );
  }

  test("X3: providers that only name their keys work in every command, and the state contains only the names", async () => {
    stack.export({ EU_API_KEY: "sk_eu_one" });
    await stack.succeedWithInput("sk_us", "config", "set", "--secret", "pulumi-nodejs:usApiKey");
    declareByName();
    await stack.succeed("preview");
    await stack.up();
    expect(eu.extensions.list()).toMatchObject([{ name: expect.stringMatching(/^reader-/) }]);
    expect(us.extensions.list()).toMatchObject([{ name: expect.stringMatching(/^viewer-/) }]);
    const state = JSON.stringify(stack.resources());
    expect(state).not.toMatch(/sk_eu|sk_us/);
    expect(state).toContain('"browser-infra:apiKeyFromEnv":"EU_API_KEY"');
    expect(state).toContain('"browser-infra:apiKeyFromConfig":"pulumi-nodejs:usApiKey"');
    await stack.refresh("--expect-no-changes");
    // A key that has changed since the last up is used without an up.
    stack.export({ EU_API_KEY: "sk_eu_two" });
    await stack.destroy();
    expect([...eu.extensions.list(), ...us.extensions.list()]).toEqual([]);
  });

  test("X3: a preview fails if a provider names a missing key, and uses no other key", async () => {
    stack.export({ BROWSER_INFRA_API_KEY: "sk_us" });
    await stack.succeedWithInput("sk_us", "config", "set", "--secret", "browser-infra:apiKey");
    for (const [apiKeyFrom, why] of [
      ['{ env: "US_API_KEY" }', "The environment variable US_API_KEY is not set."],
      [
        '{ config: "pulumi-nodejs:usApiKey" }',
        'This stack does not have the setting pulumi-nodejs:usApiKey. Run "pulumi config set --secret pulumi-nodejs:usApiKey".',
      ],
    ] as const) {
      stack.write(
        "index.js",
        `const { Extension, Provider } = require("pulumi-browser-infra");
         const provider = new Provider("us", { apiKeyFrom: ${apiKeyFrom}, baseUrl: "${us.url}" });
         new Extension("viewer", { path: "./extension" }, { provider });`,
      );
      const { exitCode, output } = await stack.preview();
      expect(exitCode).not.toBe(0);
      expect(output).toContain(`No API key for Provider "us". ${why}`);
    }
    expect(us.requests).toEqual([]);
  });

  test("X6: a preview fails for a misspelt provider argument or an insecure base URL, and sends no key", async () => {
    stack.export({ BROWSER_INFRA_API_KEY: "sk_eu_one", BROWSER_INFRA_BASE_URL: us.url });
    const previewWith = (args: string) => {
      stack.write(
        "index.js",
        `const { Extension, Provider } = require("pulumi-browser-infra");
         const provider = new Provider("eu", ${args});
         new Extension("reader", { path: "./extension" }, { provider });`,
      );
      return stack.preview();
    };
    const misspelt = await previewWith(`{ apikey: "sk_eu_two", baseUrl: "${eu.url}" }`);
    expect(misspelt.exitCode).not.toBe(0);
    expect(misspelt.output).toContain('A Provider has no argument "apikey".');
    const insecure = await previewWith(
      '{ apiKeyFrom: { env: "BROWSER_INFRA_API_KEY" }, baseUrl: "http://10.0.0.7" }',
    );
    expect(insecure.exitCode).not.toBe(0);
    expect(insecure.output).toContain(
      'The base URL from argument baseUrl of Provider "eu" uses http for 10.0.0.7',
    );
    expect(insecure.output).not.toContain("stack configuration");
    expect([...eu.requests, ...us.requests]).toEqual([]);
  });

  test("a refresh repairs a resource that moved with --replace between two providers of one account", async () => {
    const declareWith = (provider: string) =>
      stack.write(
        "index.js",
        `const { Extension, Provider } = require("pulumi-browser-infra");
         const one = new Provider("one", { apiKey: "sk_eu_one", baseUrl: "${eu.url}" });
         const two = new Provider("two", { apiKey: "sk_eu_two", baseUrl: "${eu.url}" });
         new Extension("reader", { path: "./extension" }, { provider: ${provider} });`,
      );
    declareWith("one");
    await stack.up();
    const { id, urn } = stack.extension();
    declareWith("two");
    expect(await stack.up("--replace", urn)).toContain("already exists, exactly as declared; reusing it");
    // The process of the former provider has deleted the extension that the new process has reused.
    expect(stack.extension().id).toBe(id);
    await stack.up("--refresh");
    expect(eu.extensions.list()).toMatchObject([{ id: stack.extension().id }]);
    await stack.up("--expect-no-changes");
    await stack.destroy();
    expect(eu.extensions.list()).toEqual([]);
  });
});

describe("an explicit provider of a program in YAML, with the real engine", () => {
  let stack: Stack;

  startEach(Stack.createYaml, (started) => ({ stack } = started));

  test("the key of an explicit provider is encrypted in the state, and resources move to a new base URL", async () => {
    const key = "sk_canary0123456789abcdef";
    const theirs = await newEmulator({ apiKeys: [key] });
    const other = await newEmulator();
    const declare = (baseUrl: string, apiKey: string | undefined) =>
      stack.declare({
        eu: { type: "pulumi:providers:browser-infra", properties: { baseUrl, apiKey } },
        reader: {
          type: "Extension",
          properties: { path: "./extension", name: "reader" },
          options: { provider: reference("eu") },
        },
      });
    declare(theirs.url, key);
    await stack.up();
    expect(theirs.extensions.list()).toHaveLength(1);
    const states = filesBelow(`${stack.folder}/state`).map((file) => readFileSync(file, "utf8"));
    expect(states.join("")).not.toContain(key);

    declare(other.url, other.apiKeys[0]);
    await stack.up();
    expect(theirs.extensions.list()).toEqual([]);
    expect(other.extensions.list()).toMatchObject([{ name: "reader" }]);
    await stack.expectNoChanges();
  });
});
