import * as pulumi from "@pulumi/pulumi";
import { ApiKeyName } from "../../../../src/index.js";
import { awaited, entries, MockedEngine } from "../mocked-engine.js";

let engine: MockedEngine;

beforeEach(async () => {
  engine = await MockedEngine.start("key_1", { previousName: "before" });
});

describe.each(entries)("ApiKeyName of $entry", ({ classes, typeOf }) => {
  test("is registered under the type of its entry, and deleted before it is replaced", async () => {
    await awaited(new classes.ApiKeyName("ci", { keyId: "key_1", name: "CI" }).urn);
    expect(engine.requests).toMatchObject([{ type: typeOf("ApiKeyName"), deletebeforereplace: true }]);
  });

  test("gives its outputs to the program", async () => {
    const apiKeyName = new classes.ApiKeyName("ci", { keyId: "key_1", name: "CI" });
    const { id, name, previousName } = apiKeyName;
    expect(await awaited(pulumi.all([id, name, previousName]))).toEqual(["key_1", "CI", "before"]);
  });

  test("is looked up by id alone", async () => {
    const found = classes.ApiKeyName.get("theirs", "key_9");
    expect(await awaited(found.id)).toBe("key_9");
    const inputs = Object.keys(engine.registered[0]?.inputs ?? {});
    expect(inputs.filter((name) => !name.startsWith("__"))).toEqual([]);
  });

  test("has its type token on the class, and is told apart from other resources", async () => {
    expect(classes.ApiKeyName.__pulumiType).toBe(typeOf("ApiKeyName"));
    const apiKeyName = new classes.ApiKeyName("ci", { keyId: "key_1", name: "CI" });
    const extension = new classes.Extension("reader", { path: "./extension" });
    expect([apiKeyName, extension, undefined].map(classes.ApiKeyName.isInstance)).toEqual([
      true,
      false,
      false,
    ]);
    expect(classes.Extension.isInstance(apiKeyName)).toBe(false);
    await awaited(pulumi.all([apiKeyName.urn, extension.urn]));
  });
});

describe("ApiKeyName, as a dynamic resource", () => {
  test("hands over its arguments, its URN and the constant text, and nothing else", async () => {
    await awaited(new ApiKeyName("ci", { keyId: "key_1", name: "CI", onDelete: "keep" }).urn);
    const { __provider, ...others } = engine.registered[0]?.inputs ?? {};
    expect(others).toEqual({
      keyId: "key_1",
      name: "CI",
      onDelete: "keep",
      __browserInfra: {
        urn: "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/browser-infra:ApiKeyName::ci",
        isUpdate: true,
        deletesFirst: true,
      },
    });
    expect(__provider).toContain('.open("ApiKeyName")');
  });
});
