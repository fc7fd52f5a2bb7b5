import * as pulumi from "@pulumi/pulumi";
import { kinds, outputsOf, type ResourceKind, resourceKinds } from "../../../src/bridges/kinds.js";
import { errorOf } from "../../support/error-of.js";
import { awaited, entries, MockedEngine } from "./mocked-engine.js";

/** Expectations of the class of a kind. */
interface Row {
  readonly args: Readonly<Record<string, unknown>>;
  /** Whether the engine deletes the old object of a replacement first. */
  readonly deletesFirst?: true;
  /** Outputs that are always secret. */
  readonly secret?: readonly string[];
  /** Whether a lookup takes an exact name in place of an id. */
  readonly isFoundByName?: true;
  /** Advice in place of the option `import` of a dynamic resource. */
  readonly insteadOfImport: string;
}

const rows: Readonly<Record<ResourceKind, Row>> = {
  ApiKey: {
    args: { name: "agents", daysToExpire: 30, rotateBeforeDays: 10, keepOldKeyDays: 3, triggers: ["1"] },
    secret: ["key"],
    insteadOfImport:
      "Only the provider plugin can import a key, without the secret, which the service never shows again.",
  },
  ApiKeyName: {
    args: { keyId: "key_1", name: "CI", onDelete: "keep" },
    deletesFirst: true,
    insteadOfImport: "Leave the option out",
  },
  AppDeployment: {
    args: { path: "./agent", entrypoint: "app.ts", exclude: ["tests/**"] },
    secret: ["envVars"],
    insteadOfImport: "browser-infra import apps",
  },
  AuthConnection: {
    args: { domain: "shop.example", profileName: "buyer" },
    deletesFirst: true,
    insteadOfImport: "browser-infra import auth-connections",
  },
  BrowserPool: {
    args: { size: 2, extensionIds: ["ext_1"], chromePolicy: { a: { b: [1] } }, telemetry: {} },
    deletesFirst: true,
    isFoundByName: true,
    insteadOfImport: "browser-infra import pools",
  },
  Credential: {
    args: { domain: "shop.example" },
    deletesFirst: true,
    secret: ["values", "totpSecret"],
    isFoundByName: true,
    insteadOfImport: "browser-infra import credentials",
  },
  CredentialProvider: {
    args: { name: "vault", tokenFromEnv: "VAULT_TOKEN" },
    deletesFirst: true,
    secret: ["token"],
    isFoundByName: true,
    insteadOfImport: "browser-infra import credential-providers",
  },
  Extension: {
    args: { path: "./extension", exclude: ["tests/**"] },
    isFoundByName: true,
    insteadOfImport: 'the argument "adopt"',
  },
  LoginFlow: {
    args: { connectionId: "con_1" },
    secret: ["hostedUrl", "liveViewUrl"],
    insteadOfImport: "Leave the option out: a LoginFlow has nothing to import.",
  },
  OrganizationLimits: {
    args: { defaultProjectMaxConcurrentSessions: 5 },
    deletesFirst: true,
    insteadOfImport: "Leave the option out",
  },
  Profile: {
    args: {},
    deletesFirst: true,
    isFoundByName: true,
    insteadOfImport: "browser-infra import profiles",
  },
  Project: { args: {}, deletesFirst: true, insteadOfImport: "browser-infra import projects" },
  ProjectLimits: {
    args: { projectId: "proj_1", maxConcurrentSessions: 5 },
    deletesFirst: true,
    insteadOfImport: "Leave the option out",
  },
  Proxy: {
    args: { name: "exit", type: "isp" },
    isFoundByName: true,
    insteadOfImport: "browser-infra import proxies",
  },
  TelemetryDestination: {
    args: { endpoint: "https://otlp.example.com" },
    deletesFirst: true,
    secret: ["headers"],
    insteadOfImport: "browser-infra import telemetry-destinations",
  },
};

/** Class of a kind, as all kinds have it. */
interface Class {
  readonly __pulumiType: string;
  new (name: string, args: object, opts?: pulumi.CustomResourceOptions): pulumi.CustomResource;
  get(name: string, id: string): pulumi.CustomResource;
  isInstance(value: unknown): boolean;
}

const table = resourceKinds.map((kind) => [kind, rows[kind]] as const);
const classOf = (classes: object, kind: ResourceKind) => (classes as Record<ResourceKind, Class>)[kind];

/** Inputs of the first declared resource, without the two of a bridge, and without empty inputs. */
function inputs({ registered: [first] }: MockedEngine): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(first?.inputs ?? {}).filter(([name, value]) => !name.startsWith("__") && value != null),
  );
}

describe.each(entries)("the class of a kind in $entry", ({ classes, typeOf }) => {
  test.each(table)("%s is registered with type token, arguments and options", async (kind, row) => {
    const { args, deletesFirst = false, secret = [] } = row;
    const engine = await MockedEngine.start("id_1");
    const declarable = classOf(classes, kind);
    await awaited(new declarable("one", args, { additionalSecretOutputs: ["own"] }).urn);
    expect(declarable.__pulumiType).toBe(typeOf(kind));
    expect(engine.requests).toMatchObject([
      {
        type: typeOf(kind),
        deletebeforereplace: deletesFirst,
        additionalsecretoutputsList: ["own", ...secret],
      },
    ]);
    expect(inputs(engine)).toEqual(args);
  });

  test.each(table)("%s gives a program the outputs, and undefined for null", async (kind, { args }) => {
    const names = Object.keys(outputsOf(kinds[kind]));
    const declared = async (valueOf: (name: string) => unknown) => {
      await MockedEngine.start("id_1", Object.fromEntries(names.map((name) => [name, valueOf(name)])));
      const resource = new (classOf(classes, kind))("one", args);
      const outputs = resource as unknown as Record<string, pulumi.Output<unknown>>;
      const values = names.map(async (name) => [name, await awaited(pulumi.output(outputs[name]))]);
      return { id: await awaited(resource.id), ...Object.fromEntries(await Promise.all(values)) };
    };
    const each = (valueOf: (name: string) => unknown) =>
      Object.fromEntries(names.map((name) => [name, valueOf(name)]));
    expect(await declared((name) => `${name} of the state`)).toEqual({
      id: "id_1",
      ...each((name) => `${name} of the state`),
    });
    expect(await declared(() => null)).toStrictEqual({ id: "id_1", ...each(() => undefined) });
  });

  test.each(table)("%s is looked up by id alone", async (kind) => {
    const engine = await MockedEngine.start("id_1");
    const id = "ckv9w8q2f000001l5r3j7k9m";
    expect(await awaited(classOf(classes, kind).get("theirs", id).id)).toBe(id);
    expect(engine.calls).toEqual([]);
    expect(engine.registered).toMatchObject([{ id, type: typeOf(kind) }]);
    expect(inputs(engine)).toEqual({});
  });

  test.each(table.filter(([, row]) => row.isFoundByName))(
    "%s is looked up by exact name, and has the id of the object found",
    async (kind) => {
      const engine = await MockedEngine.start("id_1");
      expect(await awaited(classOf(classes, kind).get("theirs", "agents").id)).toBe("found");
      expect(engine.calls).toMatchObject([
        { token: `browser-infra:index:get${kind}`, inputs: { name: "agents" } },
      ]);
    },
  );

  test.each(table)(
    "%s.isInstance accepts resources of the kind from every entry, and no other values",
    async (kind) => {
      await MockedEngine.start("id_1");
      const { isInstance } = classOf(classes, kind);
      const component = new pulumi.ComponentResource("shop:Browsers", "other");
      expect([component, undefined, {}].map(isInstance)).toEqual([false, false, false]);
      const made = entries.flatMap((each) =>
        table.map(([kind, { args }]) => ({ kind, resource: new (classOf(each.classes, kind))("one", args) })),
      );
      expect(made.filter(({ resource }) => isInstance(resource)).map((each) => each.kind)).toEqual([
        kind,
        kind,
      ]);
      await Promise.all(made.map(({ resource }) => awaited(resource.urn)));
    },
  );
});

describe.each(entries.slice(0, 1))("the class of a dynamic resource in $entry", ({ classes, typeOf }) => {
  test.each(table)(
    "%s as a dynamic resource sends its URN and the loader text",
    async (kind, { args, deletesFirst }) => {
      const engine = await MockedEngine.start("id_1");
      await awaited(new (classOf(classes, kind))("one", args).urn);
      const { __provider, __browserInfraProgram } = engine.registered[0]?.inputs ?? {};
      expect(JSON.parse(__browserInfraProgram)).toEqual({
        urn: `urn:pulumi:dev::shop::${typeOf(kind)}::one`,
        isUpdate: true,
        ...(deletesFirst && { deletesFirst }),
      });
      expect(__provider).toContain("pulumi-browser-infra/dynamic/v1");
      expect(__provider).toContain(`.open("${kind}")`);
      expect(engine.requests).toMatchObject([{ version: "", plugindownloadurl: "", aliasesList: [] }]);
    },
  );

  test.each(table)(
    "%s as a dynamic resource refuses the option import with advice, which Pulumi prints without a stack trace",
    async (kind, row) => {
      const engine = await MockedEngine.start("id_1");
      const declare = async () => new (classOf(classes, kind))("one", row.args, { import: "id_1" });
      const refused = await errorOf(declare());
      expect(pulumi.RunError.isInstance(refused)).toBe(true);
      expect(refused.message).toMatch(new RegExp(`^${kind} "one": Pulumi cannot import`));
      expect(refused.message).toContain(row.insteadOfImport);
      expect(engine.registered).toEqual([]);
    },
  );
});
