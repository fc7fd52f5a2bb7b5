import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import type { ResourceKind } from "../../../../src/bridges/kinds.js";
import {
  ApiKey,
  ApiKeyName,
  AppDeployment,
  AuthConnection,
  BrowserPool,
  Credential,
  CredentialProvider,
  Extension,
  LoginFlow,
  OrganizationLimits,
  Profile,
  Project,
  ProjectLimits,
  Proxy,
  TelemetryDestination,
} from "../../../../src/bridges/plugin/sdk/index.js";
import { secretOnWire } from "../../../../src/bridges/wire-values.js";
import { awaited, MockedEngine } from "../../../programs/resources/mocked-engine.js";

const manifest = JSON.parse(readFileSync(join(__dirname, "../../../../package.json"), "utf8"));

/** Version and download address, by which the engine finds the plugin. */
const ofThisVersion = { version: manifest.version, plugindownloadurl: manifest.pluginDownloadURL };

let engine: MockedEngine;

beforeEach(async () => {
  engine = await MockedEngine.start("id_1");
});

const triggers = [1];

/** Registered inputs and constructors of a resource, by kind. */
const declared: Readonly<
  Record<ResourceKind, [inputs: unknown, (options?: pulumi.CustomResourceOptions) => pulumi.Resource]>
> = {
  Extension: resource(Extension, "reader", { path: "./extension", exclude: ["tests/**"] }),
  AppDeployment: resource(AppDeployment, "agent", { path: "./agent", entrypoint: "app.ts" }),
  ApiKeyName: resource(ApiKeyName, "ci", { keyId: "key_1", name: "CI", onDelete: "keep" }),
  LoginFlow: resource(LoginFlow, "shop", { connectionId: "conn_1", triggers }),
  ApiKey: resource(ApiKey, "agents", { daysToExpire: 30, triggers }),
  Project: resource(Project, "web", { onDelete: "archive" }),
  ProjectLimits: resource(ProjectLimits, "web", { projectId: "proj_1", maxConcurrentSessions: 5 }),
  AuthConnection: resource(AuthConnection, "shop", { domain: "shop.example", profileName: "buyer" }),
  Credential: resource(Credential, "shop", { domain: "shop.example", values: { password: "secret" } }),
  CredentialProvider: resource(CredentialProvider, "vault", { tokenFromEnv: "VAULT_TOKEN" }),
  Profile: resource(Profile, "shopper", { name: "shopper" }),
  Proxy: resource(Proxy, "exit", { type: "isp", config: { country: "DE" } }),
  OrganizationLimits: resource(OrganizationLimits, "caps", { defaultProjectMaxConcurrentSessions: 5 }),
  TelemetryDestination: resource(TelemetryDestination, "logs", { endpoint: "https://otlp.example.com" }),
  BrowserPool: resource(BrowserPool, "agents", { size: 2, viewport: { width: 800, height: 600 } }),
};

function resource<Args>(
  kind: new (name: string, args: Args, options?: pulumi.CustomResourceOptions) => pulumi.Resource,
  name: string,
  args: NoInfer<Args>,
): (typeof declared)[ResourceKind] {
  return [args, (options) => new kind(name, args, options)];
}

/** Declares a resource of every kind, with the same options. */
async function declareAll(options?: pulumi.CustomResourceOptions): Promise<void> {
  for (const [, declare] of Object.values(declared)) {
    await awaited(declare(options).urn);
  }
}

describe("a resource of the plugin", () => {
  test("a resource of the plugin registers its arguments and no hidden input", async () => {
    await declareAll();
    expect(engine.registered.map(({ type, inputs }) => ({ type, inputs }))).toEqual(
      Object.entries(declared).map(([kind, [inputs]]) => ({
        type: `browser-infra:index:${kind}`,
        inputs: kind === "Credential" ? { domain: "shop.example", values: expect.anything() } : inputs,
      })),
    );
  });

  test("an input that is always a secret is registered as a secret", async () => {
    await awaited(new Credential("shop", { domain: "shop.example", values: { password: "one" } }).urn);
    expect(engine.registered.map(({ inputs }) => inputs)).toEqual([
      { domain: "shop.example", values: secretOnWire({ password: "one" }) },
    ]);
  });

  test("a resource requests the plugin of this version, hides no difference, and takes over the dynamic resource", async () => {
    await declareAll();
    expect(engine.requests).toHaveLength(Object.keys(declared).length);
    for (const [index, kind] of Object.keys(declared).entries()) {
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

  test("a resource below a component takes over the dynamic resource below the component", async () => {
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

  test("a resource keeps the declared aliases, version and options", async () => {
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

  test("the option import imports an extension, an API key's name and a project", async () => {
    await awaited(new Extension("reader", { path: "./extension" }, { import: "ext_1" }).urn);
    await awaited(new ApiKeyName("ci", { keyId: "key_1", name: "CI" }, { import: "key_1" }).urn);
    await awaited(new Project("web", {}, { import: "proj_1" }).urn);
    expect(engine.requests.map(({ importid }) => importid)).toEqual(["ext_1", "key_1", "proj_1"]);
  });
});
