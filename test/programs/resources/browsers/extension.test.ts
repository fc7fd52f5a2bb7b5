import { pathToFileURL } from "node:url";
import * as pulumi from "@pulumi/pulumi";
import { Extension } from "../../../../src/index.js";
import { awaited, entries, MockedEngine } from "../mocked-engine.js";

let engine: MockedEngine;

beforeEach(async () => {
  engine = await MockedEngine.start("ext_1", { checksum: "c".repeat(64) });
});

describe.each(entries)("Extension of $entry", ({ classes, typeOf }) => {
  test("is registered under the type of its entry", async () => {
    await awaited(new classes.Extension("reader", { path: "./extension" }).urn);
    expect(engine.registered[0]?.type).toBe(typeOf("Extension"));
  });

  test("gives its outputs to the program", async () => {
    const extension = new classes.Extension("reader", { path: "./extension" });
    expect(await awaited(extension.id)).toBe("ext_1");
    expect(await awaited(extension.checksum)).toBe("c".repeat(64));
  });

  test("is looked up by id without a path", async () => {
    const id = "ckv9w8q2f000001l5r3j7k9m";
    const found = classes.Extension.get("theirs", id, { projectId: "proj_1", fileCount: 3 });
    expect(await awaited(found.id)).toBe(id);
    expect(engine.calls).toEqual([]);
    const [{ type, inputs } = { type: "", inputs: {} }] = engine.registered;
    expect(type).toBe(typeOf("Extension"));
    expect(inputs).toMatchObject({ projectId: "proj_1", fileCount: 3 });
    expect(inputs).not.toHaveProperty("path");
  });

  test("is looked up by its exact name, and has the id that it found", async () => {
    const provider = new classes.Provider("eu", {});
    const state = { projectId: "proj_1" };
    const found = classes.Extension.get("theirs", pulumi.output("reader"), state, { provider });
    expect(await awaited(found.id)).toBe("found");
    expect(engine.calls).toMatchObject([
      {
        token: "browser-infra:index:getExtension",
        inputs: { name: "reader", projectId: "proj_1" },
        provider: expect.stringContaining("::eu::"),
      },
    ]);
    expect(engine.registered.at(-1)).toMatchObject({ id: "found", inputs: state });
  });

  test("may have no value for what a lookup cannot know", async () => {
    const found = classes.Extension.get("theirs", "ckv9w8q2f000001l5r3j7k9m");
    // @ts-expect-error A program must check it first.
    const count: pulumi.Output<number> = found.fileCount;
    expect(await awaited(count)).toBeUndefined();
    const size: pulumi.Output<number> = found.sizeBytes;
    await awaited(size);
  });

  test("is deleted before it is replaced if it has a fixed name, and otherwise only if the program says so", async () => {
    await awaited(new classes.Extension("a", { path: "./extension", name: "reader" }).urn);
    await awaited(new classes.Extension("b", { path: "./extension" }).urn);
    await awaited(new classes.Extension("c", { path: "./extension" }, { deleteBeforeReplace: true }).urn);
    expect(engine.requests.map(({ deletebeforereplace }) => deletebeforereplace)).toEqual([
      true,
      false,
      true,
    ]);
  });

  test("is declared, to the engine, at the line of the program", async () => {
    await awaited(new classes.Extension("reader", { path: "./extension" }).urn);
    const [{ sourceposition } = {}] = engine.requests;
    expect(sourceposition?.uri).toBe(pathToFileURL(__filename).toString());
  });

  test("has its type token on the class, and is told apart from other resources, whatever manages it", async () => {
    expect(classes.Extension.__pulumiType).toBe(typeOf("Extension"));
    const extension = new classes.Extension("reader", { path: "./extension" });
    const others = entries.filter((each) => each.classes !== classes);
    const [ofOtherEntry] = others.map((each) => new each.classes.Extension("other", { path: "./extension" }));
    const component = new pulumi.ComponentResource("shop:Browsers", "other");
    const all = [extension, ofOtherEntry, component, undefined, {}];
    expect(all.map(classes.Extension.isInstance)).toEqual([true, true, false, false, false]);
    await awaited(pulumi.all([extension, ofOtherEntry, component].map((each) => each?.urn)));
  });
});

describe("Extension, as a dynamic resource", () => {
  test("hands over its arguments, its URN and the constant text, and nothing else", async () => {
    await awaited(new Extension("reader", { path: "./extension", exclude: ["tests/**"] }).urn);
    const { __provider, ...inputs } = (engine.registered[0] ?? { inputs: {} }).inputs;
    expect(inputs).toEqual({
      path: "./extension",
      exclude: ["tests/**"],
      __browserInfra: {
        urn: "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/browser-infra:Extension::reader",
        isUpdate: true,
      },
    });
    expect(__provider).toContain("pulumi-browser-infra/dynamic/v1");
    expect(engine.requests).toMatchObject([{ version: "", plugindownloadurl: "", aliasesList: [] }]);
  });

  test("knows its URN under a component too", async () => {
    const parent = new pulumi.ComponentResource("shop:Browsers", "browsers");
    await awaited(new Extension("reader", { path: "./extension" }, { parent }).urn);
    const extension = engine.registered.find(({ type }) => type.endsWith(":Extension"));
    expect(extension?.inputs.__browserInfra.urn).toBe(
      "urn:pulumi:dev::shop::shop:Browsers$pulumi-nodejs:dynamic/browser-infra:Extension::reader",
    );
  });
});
