import * as pulumi from "@pulumi/pulumi";
import { ApiKeyName, Extension } from "../../src/index.js";

/** What the program asked the engine for, as Pulumi's mocks show it. */
const registered: pulumi.runtime.MockResourceArgs[] = [];

beforeAll(async () => {
  await pulumi.runtime.setMocks(
    {
      newResource: (args) => {
        registered.push(args);
        return { id: args.id || args.inputs.keyId, state: { ...args.inputs, previousName: "before" } };
      },
      call: () => ({}),
    },
    "shop",
    "dev",
  );
});

beforeEach(() => {
  registered.length = 0;
});

function awaited<T>(output: pulumi.Output<T>): Promise<T> {
  return new Promise((resolve) => {
    output.apply(resolve);
  });
}

describe("ApiKeyName", () => {
  test("hands over its arguments, its URN and the constant text, and nothing else", async () => {
    await awaited(new ApiKeyName("ci", { keyId: "key_1", name: "CI", onDelete: "keep" }).urn);
    const [{ type, inputs } = { type: "", inputs: {} }] = registered;
    const { __provider, ...others } = inputs;
    expect(type).toBe("pulumi-nodejs:dynamic/browser-infra:ApiKeyName");
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

  test("gives its outputs to the program", async () => {
    const apiKeyName = new ApiKeyName("ci", { keyId: "key_1", name: "CI" });
    const { id, name, previousName } = apiKeyName;
    expect(await awaited(pulumi.all([id, name, previousName]))).toEqual(["key_1", "CI", "before"]);
  });

  test("is looked up by id alone", async () => {
    const found = ApiKeyName.get("theirs", "key_9");
    expect(await awaited(found.id)).toBe("key_9");
    expect(Object.keys(registered[0]?.inputs ?? {}).sort()).toEqual(["__browserInfra", "__provider"]);
  });

  test("has its type token on the class, and is told apart from other resources", () => {
    expect(ApiKeyName.__pulumiType).toBe("pulumi-nodejs:dynamic/browser-infra:ApiKeyName");
    const apiKeyName = new ApiKeyName("ci", { keyId: "key_1", name: "CI" });
    const extension = new Extension("reader", { path: "./extension" });
    expect([apiKeyName, extension, undefined].map(ApiKeyName.isInstance)).toEqual([true, false, false]);
    expect(Extension.isInstance(apiKeyName)).toBe(false);
  });
});
