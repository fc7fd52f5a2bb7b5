import * as pulumi from "@pulumi/pulumi";
import { Extension } from "../../src/index.js";

/** What the program asked the engine for, as Pulumi's mocks show it. */
const registered: pulumi.runtime.MockResourceArgs[] = [];

beforeAll(async () => {
  await pulumi.runtime.setMocks(
    {
      newResource: (args) => {
        registered.push(args);
        return { id: args.id || "ext_1", state: { ...args.inputs, checksum: "c".repeat(64) } };
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

describe("Extension", () => {
  test("is a dynamic resource whose type names the package", async () => {
    await awaited(new Extension("reader", { path: "./extension" }).urn);
    expect(registered[0]?.type).toBe("pulumi-nodejs:dynamic/browser-infra:Extension");
  });

  test("hands over its arguments, its URN and the constant text, and nothing else", async () => {
    await awaited(new Extension("reader", { path: "./extension", exclude: ["tests/**"] }).urn);
    const { __provider, ...inputs } = (registered[0] ?? { inputs: {} }).inputs;
    expect(inputs).toEqual({
      path: "./extension",
      exclude: ["tests/**"],
      __browserInfra: {
        urn: "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/browser-infra:Extension::reader",
        isUpdate: true,
      },
    });
    expect(__provider).toContain("pulumi-browser-infra/dynamic/v1");
  });

  test("knows its URN under a component too", async () => {
    const parent = new pulumi.ComponentResource("shop:Browsers", "browsers");
    await awaited(new Extension("reader", { path: "./extension" }, { parent }).urn);
    const extension = registered.find(({ type }) => type.endsWith(":Extension"));
    expect(extension?.inputs.__browserInfra.urn).toBe(
      "urn:pulumi:dev::shop::shop:Browsers$pulumi-nodejs:dynamic/browser-infra:Extension::reader",
    );
  });

  test("gives its outputs to the program", async () => {
    const extension = new Extension("reader", { path: "./extension" });
    expect(await awaited(extension.id)).toBe("ext_1");
    expect(await awaited(extension.checksum)).toBe("c".repeat(64));
  });

  test("is looked up by id without a path", async () => {
    const found = Extension.get("theirs", "ext_9", { projectId: "proj_1", fileCount: 3 });
    expect(await awaited(found.id)).toBe("ext_9");
    expect(registered[0]?.inputs).toMatchObject({ projectId: "proj_1", fileCount: 3 });
    expect(registered[0]?.inputs).not.toHaveProperty("path");
  });

  test("has its type token on the class, and is told apart from other resources", () => {
    expect(Extension.__pulumiType).toBe("pulumi-nodejs:dynamic/browser-infra:Extension");
    const extension = new Extension("reader", { path: "./extension" });
    const component = new pulumi.ComponentResource("shop:Browsers", "other");
    expect([extension, component, undefined, {}].map(Extension.isInstance)).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});
