import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import {
  ApiKey,
  ApiKeyName,
  BrowserPool,
  Extension,
  LoginFlow,
  Project,
  ProjectLimits,
} from "../../../../src/bridges/plugin/sdk/index.js";
import { awaited, MockedEngine } from "../../../resources/mocked-engine.js";

const manifest = JSON.parse(readFileSync(join(__dirname, "../../../../package.json"), "utf8"));

/** How the engine finds the plugin: this version, and where it may be downloaded. */
const ofThisVersion = { version: manifest.version, plugindownloadurl: manifest.pluginDownloadURL };

let engine: MockedEngine;

beforeEach(async () => {
  engine = await MockedEngine.start("id_1");
});

/** One resource of each kind, with the same options. */
async function declareAll(options?: pulumi.CustomResourceOptions): Promise<void> {
  const exclude = ["tests/**"];
  await awaited(new Extension("reader", { path: "./extension", exclude }, options).urn);
  await awaited(new ApiKeyName("ci", { keyId: "key_1", name: "CI", onDelete: "keep" }, options).urn);
  const triggers = [1];
  const viewport = { width: 800, height: 600 };
  await awaited(new LoginFlow("shop", { connectionId: "conn_1", triggers }, options).urn);
  await awaited(new ApiKey("agents", { daysToExpire: 30, triggers }, options).urn);
  await awaited(new Project("web", { onDelete: "archive" }, options).urn);
  const projectId = "proj_1";
  await awaited(new ProjectLimits("web", { projectId, maxConcurrentSessions: 5 }, options).urn);
  await awaited(new BrowserPool("agents", { size: 2, viewport }, options).urn);
}

describe("a resource of the plugin", () => {
  test("registers its arguments and no hidden input", async () => {
    await declareAll();
    expect(engine.registered.map(({ type, inputs }) => ({ type, inputs }))).toEqual([
      { type: "browser-infra:index:Extension", inputs: { path: "./extension", exclude: ["tests/**"] } },
      {
        type: "browser-infra:index:ApiKeyName",
        inputs: { keyId: "key_1", name: "CI", onDelete: "keep" },
      },
      { type: "browser-infra:index:LoginFlow", inputs: { connectionId: "conn_1", triggers: [1] } },
      { type: "browser-infra:index:ApiKey", inputs: { daysToExpire: 30, triggers: [1] } },
      { type: "browser-infra:index:Project", inputs: { onDelete: "archive" } },
      {
        type: "browser-infra:index:ProjectLimits",
        inputs: { projectId: "proj_1", maxConcurrentSessions: 5 },
      },
      {
        type: "browser-infra:index:BrowserPool",
        inputs: { size: 2, viewport: { width: 800, height: 600 } },
      },
    ]);
  });

  test("asks for the plugin of this version, hides nothing, and takes over the dynamic resource", async () => {
    await declareAll();
    expect(engine.requests).toHaveLength(7);
    const kinds = [
      "Extension",
      "ApiKeyName",
      "LoginFlow",
      "ApiKey",
      "Project",
      "ProjectLimits",
      "BrowserPool",
    ];
    for (const [index, kind] of kinds.entries()) {
      const type = `pulumi-nodejs:dynamic/browser-infra:${kind}`;
      expect(engine.requests[index]).toMatchObject({
        ...ofThisVersion,
        hidediffsList: [],
        aliasesList: [
          { urn: undefined, spec: { type, name: "", parenturn: undefined, noparent: undefined } },
        ],
      });
    }
  });

  test("takes over the dynamic resource below a component", async () => {
    const parent = new pulumi.ComponentResource("shop:Browsers", "browsers");
    await awaited(new Extension("reader", { path: "./extension" }, { parent }).urn);
    const extension = engine.requests.find(({ type }) => type.endsWith(":Extension"));
    expect(extension?.aliasesList).toMatchObject([
      {
        spec: {
          type: "pulumi-nodejs:dynamic/browser-infra:Extension",
          parenturn: "urn:pulumi:dev::shop::shop:Browsers::browsers",
        },
      },
    ]);
  });

  test("keeps the aliases, the version and the options that the program gives", async () => {
    const customTimeouts = { update: "1m" };
    await declareAll({ aliases: [{ name: "earlier" }], version: "9.9.9", protect: true, customTimeouts });
    for (const { aliasesList, ...others } of engine.requests) {
      expect(aliasesList).toMatchObject([
        { spec: { name: "earlier" } },
        { spec: { type: expect.stringMatching(/^pulumi-nodejs:dynamic/) } },
      ]);
      expect(others).toMatchObject({
        version: "9.9.9",
        plugindownloadurl: ofThisVersion.plugindownloadurl,
        protect: true,
        customtimeouts: { update: "1m" },
      });
    }
  });

  test("is imported with the option import, where there is something to import", async () => {
    await awaited(new Extension("reader", { path: "./extension" }, { import: "ext_1" }).urn);
    await awaited(new ApiKeyName("ci", { keyId: "key_1", name: "CI" }, { import: "key_1" }).urn);
    await awaited(new Project("web", {}, { import: "proj_1" }).urn);
    expect(engine.requests.map(({ importid }) => importid)).toEqual(["ext_1", "key_1", "proj_1"]);
  });
});
