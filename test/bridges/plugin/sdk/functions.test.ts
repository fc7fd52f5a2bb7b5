import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import * as sdk from "../../../../src/bridges/plugin/sdk/index.js";
import { type ReadName, reads } from "../../../../src/functions/reads.js";
import { awaited, MockedEngine } from "../../../programs/resources/mocked-engine.js";

const manifest = JSON.parse(readFileSync(join(__dirname, "../../../../package.json"), "utf8"));

let engine: MockedEngine;

beforeEach(async () => {
  engine = await MockedEngine.start("id_1", { name: "Staging" });
});

type Ask = (args: Record<string, unknown>) => Promise<unknown> & pulumi.Output<unknown>;
const functions = new Map(Object.entries(sdk)) as Map<string, unknown> as Map<string, Ask>;

describe.each(Object.keys(reads) as ReadName[])("%s of pulumi-browser-infra/plugin", (name) => {
  const plain = functions.get(name) as Ask;
  const withOutputs = functions.get(`${name}Output`) as Ask;
  const args = Object.fromEntries(Object.keys(reads[name].rules).map((each) => [each, "a"]));
  const token = `browser-infra:index:${name}`;

  test("the function calls the engine by its token, and returns the engine's answer", async () => {
    const found = await plain(args);
    expect(engine.calls).toMatchObject([{ token, inputs: args }]);
    expect(found).toMatchObject({ id: "found" });
  });

  test("the Output form of the function resolves its arguments before the call", async () => {
    const given = Object.fromEntries(
      Object.entries(args).map(([key, value]) => [key, pulumi.output(Promise.resolve(value))]),
    );
    const found = withOutputs(given);
    expect(await awaited(found)).toMatchObject({ id: "found" });
    expect(engine.calls).toMatchObject([{ token, inputs: args }]);
  });
});

describe("a function of pulumi-browser-infra/plugin", () => {
  test("a function whose arguments are all optional needs no arguments", async () => {
    await sdk.getProjects();
    await sdk.getBrowserPools();
    await awaited(sdk.getApiKeysOutput());
    await awaited(sdk.getBrowserPoolsOutput());
    expect(engine.calls.map(({ inputs }) => inputs)).toEqual([{}, {}, {}, {}]);
  });

  test("a function requests the plugin of this version, unless the program declares a version", async () => {
    await sdk.getProject({ name: "a" });
    await awaited(sdk.getProjectOutput({ name: "a" }));
    await sdk.getProject({ name: "a" }, { version: "9.9.9" });
    const { version, pluginDownloadURL: plugindownloadurl } = manifest;
    expect(engine.invokes).toMatchObject([
      { version, plugindownloadurl },
      { version, plugindownloadurl },
      { version: "9.9.9", plugindownloadurl },
    ]);
  });

  test("a function uses the declared provider, or the provider of its parent", async () => {
    const eu = new sdk.Provider("eu", {});
    const parent = new pulumi.ComponentResource("shop:Browsers", "browsers", {}, { providers: [eu] });
    await sdk.getProject({ name: "a" }, { provider: eu });
    await sdk.getProject({ name: "a" }, { parent });
    await awaited(sdk.getProjectOutput({ name: "a" }, { parent }));
    await sdk.getProject({ name: "a" });
    const providers = engine.calls.map(({ provider }) => provider?.split("::").slice(2, 4).join(" "));
    const ofEu = "pulumi:providers:browser-infra eu";
    expect(providers).toEqual([ofEu, ofEu, ofEu, ""]);
  });

  test("the Output form of a function waits for the resources in dependsOn", async () => {
    const reader = new sdk.Extension("reader", { path: "./extension" });
    await awaited(sdk.getExtensionOutput({ name: "reader" }, { dependsOn: [reader] }));
    expect(engine.registered.map(({ name }) => name)).toEqual(["reader"]);
    expect(engine.calls).toHaveLength(1);
  });

  test("the result of a function is secret if an argument is secret", async () => {
    const found = sdk.getProjectOutput({ name: pulumi.secret("Staging") });
    expect(await pulumi.isSecret(found)).toBe(true);
  });
});
