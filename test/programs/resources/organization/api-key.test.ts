import * as pulumi from "@pulumi/pulumi";
import { ApiKey } from "../../../../src/index.js";
import { awaited, entries, MockedEngine } from "../mocked-engine.js";

let engine: MockedEngine;

beforeEach(async () => {
  // As in the state: a missing value is null.
  const outputs = { name: "agents-1234567", keyId: "key_2", key: "sk_x", expiresAt: null, previousKeys: [] };
  engine = await MockedEngine.start("key_1", outputs);
});

describe.each(entries)("ApiKey of $entry", ({ classes, typeOf }) => {
  test("needs no argument, and gives its outputs to the program, with undefined for no value", async () => {
    const { id, name, keyId, expiresAt, projectId, previousKeys } = new classes.ApiKey("agents");
    const known = pulumi.all([id, name, keyId, previousKeys]);
    expect(await awaited(known)).toEqual(["key_1", "agents-1234567", "key_2", []]);
    expect(await awaited(expiresAt)).toBeUndefined();
    expect(await awaited(projectId)).toBeUndefined();
    expect(engine.registered[0]?.type).toBe(typeOf("ApiKey"));
  });

  test("keeps the key secret, and what the program wants to be secret", async () => {
    await awaited(new classes.ApiKey("agents", {}, { additionalSecretOutputs: ["maskedKey"] }).urn);
    expect(engine.requests[0]?.additionalsecretoutputsList).toEqual(["maskedKey", "key"]);
  });

  test("is looked up by id alone", async () => {
    const found = classes.ApiKey.get("theirs", "key_9");
    expect(await awaited(found.id)).toBe("key_9");
    const inputs = Object.keys(engine.registered[0]?.inputs ?? {});
    expect(inputs.filter((name) => !name.startsWith("__"))).toEqual([]);
  });

  test("has its type token on the class, and is told apart from other resources", async () => {
    expect(classes.ApiKey.__pulumiType).toBe(typeOf("ApiKey"));
    const apiKey = new classes.ApiKey("agents");
    const named = new classes.ApiKeyName("ci", { keyId: "key_1", name: "CI" });
    expect([apiKey, named, undefined].map(classes.ApiKey.isInstance)).toEqual([true, false, false]);
    await awaited(pulumi.all([apiKey.urn, named.urn]));
  });
});

describe("ApiKey, as a dynamic resource", () => {
  test("hands over its arguments, and its URN", async () => {
    const args = {
      name: "agents",
      daysToExpire: 30,
      rotateBeforeDays: 10,
      keepOldKeyDays: 3,
      triggers: ["1"],
    };
    await awaited(new ApiKey("agents", args).urn);
    const { __provider, ...others } = engine.registered[0]?.inputs ?? {};
    expect(others).toEqual({
      ...args,
      __browserInfra: {
        urn: "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/browser-infra:ApiKey::agents",
        isUpdate: true,
      },
    });
    expect(__provider).toContain('.open("ApiKey")');
  });

  test("cannot be imported, and says what to do instead", () => {
    expect(() => new ApiKey("agents", {}, { import: "key_1" })).toThrow(
      "An existing key cannot be imported: the service never shows the secret again.",
    );
  });
});
