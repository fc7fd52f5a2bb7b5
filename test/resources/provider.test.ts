import * as pulumi from "@pulumi/pulumi";
import { type InputError, Provider, type ProviderArgs } from "../../src/index.js";

const key = "sk_canary0123456789abcdef";
let inputs: Record<string, unknown>;

beforeEach(async () => {
  await pulumi.runtime.setMocks({
    newResource: (args) => {
      inputs = args.inputs;
      return { id: args.name, state: args.inputs };
    },
    call: () => ({}),
  });
});

/** The error of a Provider with these arguments, which a program in JavaScript may pass. */
function refusal(args: unknown): InputError {
  try {
    new Provider("eu", args as ProviderArgs);
  } catch (error) {
    return error as InputError;
  }
  throw new Error("The Provider was accepted.");
}

/** Waits until what was declared is registered. */
function registered(provider: Provider): Promise<string> {
  return new Promise((resolve) => {
    provider.urn.apply(resolve);
  });
}

describe("a Provider", () => {
  test("X6: refuses a misspelt argument, so that no other account's key goes to its address", () => {
    for (const name of ["baseURL", "apikey", "APIKey", "key", "project"]) {
      const error = refusal({ baseUrl: "https://eu.example.com", [name]: key });
      expect(error).toMatchObject({ name: "InputError", code: "argument_unknown", property: name });
      expect(error.message).toBe(
        `A Provider has no argument "${name}". Use "apiKey", "apiKeyFrom", "baseUrl", "projectId".`,
      );
    }
  });

  test.each(["apiKey", "apiKeyFrom", "baseUrl", "projectId"])("refuses null as %s", (name) => {
    expect(refusal({ [name]: null })).toMatchObject({ code: "argument_invalid", property: name });
  });

  test.each([
    ["a string", key],
    ["null", null],
    ["an array", [key]],
    ["a Promise", Promise.resolve({})],
  ])("refuses %s in place of its arguments, without repeating it", (_what, args) => {
    const error = refusal(args);
    expect(error.code).toBe("argument_invalid");
    expect(error.message).not.toContain(key);
  });

  test("refuses a key and the place of a key together", () => {
    expect(refusal({ apiKey: key, apiKeyFrom: { env: "EU_API_KEY" } }).code).toBe("arguments_conflicting");
  });

  test.each([
    ["nothing", {}],
    ["both places", { env: "EU_API_KEY", config: "pulumi-nodejs:euApiKey" }],
    ["an unknown place", { file: "/run/secrets/key" }],
    ["a string", "EU_API_KEY"],
    ["the key as a variable", { env: key }],
    ["the key as a setting", { config: key }],
    ["a variable that no shell can set", { env: "EU-API-KEY" }],
    ["an empty name", { env: "" }],
    ["an Output", { env: pulumi.output("EU_API_KEY") }],
    ["a setting without a namespace", { config: "euApiKey" }],
    ["a setting that Pulumi does not pass on", { config: "browser-infra:euApiKey" }],
  ])("refuses %s as the place of its key, without repeating it", (_what, apiKeyFrom) => {
    const error = refusal({ apiKeyFrom });
    expect(error).toMatchObject({ code: "argument_invalid", property: "apiKeyFrom" });
    expect(error.message).not.toContain("sk_canary");
  });

  test("X3: registers the name of the place of its key, and nothing else about the key", async () => {
    await registered(
      new Provider("eu", { apiKeyFrom: { env: "EU_API_KEY" }, baseUrl: "https://eu.example.com" }),
    );
    expect(inputs).toMatchObject({
      "browser-infra:provider": "eu",
      "browser-infra:apiKeyFromEnv": "EU_API_KEY",
      "browser-infra:baseUrl": "https://eu.example.com",
    });
    expect(inputs).not.toHaveProperty("browser-infra:apiKey");
    await registered(
      new Provider("us", { apiKeyFrom: { config: "pulumi-nodejs:usApiKey", env: undefined } }),
    );
    expect(inputs).toMatchObject({ "browser-infra:apiKeyFromConfig": "pulumi-nodejs:usApiKey" });
  });
});
