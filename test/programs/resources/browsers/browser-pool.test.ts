import * as pulumi from "@pulumi/pulumi";
import { BrowserPool } from "../../../../src/index.js";
import { awaited, entries, MockedEngine } from "../mocked-engine.js";

let engine: MockedEngine;

beforeEach(async () => {
  engine = await MockedEngine.start("pool_1", { timeoutSeconds: 600 });
});

describe.each(entries)("BrowserPool of $entry", ({ classes, typeOf }) => {
  test("is registered under the type of its entry, and deleted before it is replaced", async () => {
    await awaited(new classes.BrowserPool("agents", { size: 2 }).urn);
    expect(engine.requests).toMatchObject([{ type: typeOf("BrowserPool"), deletebeforereplace: true }]);
  });

  test("gives its outputs to the program", async () => {
    const { id, size, timeoutSeconds } = new classes.BrowserPool("agents", { size: 2 });
    expect(await awaited(pulumi.all([id, size, timeoutSeconds]))).toEqual(["pool_1", 2, 600]);
  });

  test("is looked up by its exact name, and has the id that it found", async () => {
    const found = classes.BrowserPool.get("theirs", "agents");
    expect(await awaited(found.id)).toBe("found");
    expect(engine.calls).toMatchObject([
      { token: "browser-infra:index:getBrowserPool", inputs: { name: "agents" } },
    ]);
  });

  test("is looked up by id alone", async () => {
    const id = "ckv9w8q2f000001l5r3j7k9m";
    expect(await awaited(classes.BrowserPool.get("theirs", id).id)).toBe(id);
    expect(engine.calls).toEqual([]);
    const inputs = Object.keys(engine.registered[0]?.inputs ?? {});
    expect(inputs.filter((name) => !name.startsWith("__"))).toEqual([]);
  });

  test("has its type token on the class, and is told apart from other resources", async () => {
    expect(classes.BrowserPool.__pulumiType).toBe(typeOf("BrowserPool"));
    const pool = new classes.BrowserPool("agents", { size: 2 });
    const extension = new classes.Extension("reader", { path: "./extension" });
    expect([pool, extension, undefined].map(classes.BrowserPool.isInstance)).toEqual([true, false, false]);
    await awaited(pulumi.all([pool.urn, extension.urn]));
  });
});

describe("BrowserPool, as a dynamic resource", () => {
  test("hands over its arguments, its URN and the constant text, and nothing else", async () => {
    const args = { size: 2, extensionIds: ["ext_1"], chromePolicy: { a: { b: [1] } }, telemetry: {} };
    await awaited(new BrowserPool("agents", args).urn);
    const { __provider, ...others } = engine.registered[0]?.inputs ?? {};
    expect(others).toEqual({
      ...args,
      __browserInfra: {
        urn: "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/browser-infra:BrowserPool::agents",
        isUpdate: true,
        deletesFirst: true,
      },
    });
    expect(__provider).toContain('.open("BrowserPool")');
  });
});
