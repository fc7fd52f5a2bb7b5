import * as pulumi from "@pulumi/pulumi";
import * as plugin from "../../../src/bridges/plugin/sdk/index.js";
import { type InputError, Provider, type ProviderArgs } from "../../../src/index.js";
import { awaited, entries, MockedEngine } from "./mocked-engine.js";

const key = "sk_canary0123456789abcdef";
let engine: MockedEngine;

beforeEach(async () => {
  engine = await MockedEngine.start("provider_1");
});

/** Inputs that the engine got for the last provider. */
function inputs(): Record<string, unknown> {
  return engine.registered.at(-1)?.inputs ?? {};
}

describe.each(entries)("a Provider of $entry", ({ classes, entry }) => {
  const namespace = entry === "pulumi-browser-infra" ? "pulumi-nodejs" : "browser-infra";

  /** Error of a Provider with arguments that only a JavaScript program can pass. */
  function refusal(args: unknown): InputError {
    try {
      new classes.Provider("eu", args as ProviderArgs);
    } catch (error) {
      return error as InputError;
    }
    throw new Error("The Provider was accepted.");
  }

  test("X6: a Provider refuses a misspelt argument, so that no other account's key goes to the Provider's address", () => {
    for (const name of ["baseURL", "apikey", "APIKey", "key", "project"]) {
      const error = refusal({ baseUrl: "https://eu.example.com", [name]: key });
      expect(error).toMatchObject({ name: "InputError", code: "argument_unknown", property: name });
      expect(error.message).toBe(
        `A Provider has no argument "${name}". Use "apiKey", "apiKeyFrom", "baseUrl", "projectId".`,
      );
    }
  });

  test.each(["apiKey", "apiKeyFrom", "baseUrl", "projectId"])("a Provider refuses null as %s", (name) => {
    expect(refusal({ [name]: null })).toMatchObject({ code: "argument_invalid", property: name });
  });

  test.each([
    ["a string", key],
    ["null", null],
    ["an array", [key]],
    ["a Promise", Promise.resolve({})],
  ])("a Provider refuses %s in place of the arguments, without repeating the value", (_what, args) => {
    const error = refusal(args);
    expect(error.code).toBe("argument_invalid");
    expect(error.message).not.toContain(key);
  });

  test("a Provider refuses a key together with the place of a key", () => {
    expect(refusal({ apiKey: key, apiKeyFrom: { env: "EU_API_KEY" } }).code).toBe("arguments_conflicting");
  });

  test.each([
    ["nothing", {}],
    ["both places", { env: "EU_API_KEY", config: `${namespace}:euApiKey` }],
    ["an unknown place", { file: "/run/secrets/key" }],
    ["a string", "EU_API_KEY"],
    ["the key as a variable", { env: key }],
    ["the key as a setting", { config: key }],
    ["a variable that no shell can set", { env: "EU-API-KEY" }],
    ["a variable of Pulumi", { env: "PULUMI_ACCESS_TOKEN" }],
    ["an empty name", { env: "" }],
    ["an Output", { env: pulumi.output("EU_API_KEY") }],
    ["a setting without a namespace", { config: "euApiKey" }],
    ["a setting that Pulumi does not pass on", { config: "shop:euApiKey" }],
    ["a setting without a name", { config: `${namespace}:` }],
    ["a setting in a longer namespace", { config: `${namespace}s:euApiKey` }],
  ])("a Provider refuses %s as the place of the key, without repeating the value", (_what, apiKeyFrom) => {
    const error = refusal({ apiKeyFrom });
    expect(error).toMatchObject({ code: "argument_invalid", property: "apiKeyFrom" });
    expect(error.message).not.toContain("sk_canary");
  });
});

describe("a Provider of dynamic resources", () => {
  test("X3: a dynamic Provider registers the name of the place of the key, and nothing else about the key", async () => {
    await awaited(
      new Provider("eu", { apiKeyFrom: { env: "EU_API_KEY" }, baseUrl: "https://eu.example.com" }).urn,
    );
    expect(inputs()).toMatchObject({
      "browser-infra:provider": "eu",
      "browser-infra:apiKeyFromEnv": "EU_API_KEY",
      "browser-infra:baseUrl": "https://eu.example.com",
    });
    expect(inputs()).not.toHaveProperty("browser-infra:apiKey");
    const apiKeyFrom = { config: "pulumi-nodejs:usApiKey", env: undefined };
    await awaited(new Provider("us", { apiKeyFrom }).urn);
    expect(inputs()).toMatchObject({ "browser-infra:apiKeyFromConfig": "pulumi-nodejs:usApiKey" });
  });
});

describe("a Provider of the plugin", () => {
  test("X3: a Provider of the plugin registers the name of the place of the key, and nothing else about the key", async () => {
    const baseUrl = "https://eu.example.com";
    await awaited(new plugin.Provider("eu", { apiKeyFrom: { env: "EU_API_KEY" }, baseUrl }).urn);
    expect(inputs()).toEqual({ apiKeyFromEnv: "EU_API_KEY", baseUrl });
    const apiKeyFrom = { config: "browser-infra:usApiKey", env: undefined };
    await awaited(new plugin.Provider("us", { apiKeyFrom, projectId: "proj_1" }).urn);
    expect(inputs()).toEqual({ apiKeyFromConfig: "browser-infra:usApiKey", projectId: "proj_1" });
  });

  test("X3: a Provider of the plugin sends a key as a secret, even if the program does not mark the key as secret", async () => {
    await awaited(new plugin.Provider("eu", { apiKey: "sk_eu", baseUrl: "https://eu.example.com" }).urn);
    const [{ object } = {}] = engine.requests;
    const fields = new Map(object?.fieldsMap);
    // The value carries the mark of a secret.
    expect(Object.keys(fields.get("apiKey") ?? {})).toContain("structValue");
    expect(fields.get("apiKey")?.structValue?.fieldsMap).toHaveLength(2);
    expect(fields.get("baseUrl")).toMatchObject({ stringValue: "https://eu.example.com" });
  });

  test("a Provider of the plugin has the plugin's package and version", async () => {
    const provider = new plugin.Provider("eu", {});
    await awaited(provider.urn);
    expect(engine.requests).toMatchObject([
      {
        type: "pulumi:providers:browser-infra",
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
        plugindownloadurl: expect.stringMatching(/./),
      },
    ]);
  });
});
