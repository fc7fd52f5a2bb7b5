import { type ResourceKind, resourceKinds } from "../../../src/bridges/kinds.js";
import type { Emulator } from "../../../src/emulator/index.js";
import { type ReadName, reads } from "../../../src/functions/reads.js";
import { manifest, startService, writesIn } from "../../support/stacks/service.js";
import { Stack } from "../../support/stacks/stack.js";
import { pluginFolder } from "../../support/stacks/yaml-program.js";
import { extensionZip } from "../../support/stored-zip.js";

const secret = "do_secret_0123456789";

interface Row {
  /** Inputs of a creation. */
  inputs(emulator: Emulator): Readonly<Record<string, unknown>>;
  /** Changed inputs, which the outputs then have. */
  readonly patch?: Readonly<Record<string, unknown>>;
  /** Further input of the patch, because no read shows the value. */
  readonly patchNeeds?: Readonly<Record<string, unknown>>;
  /** Part of the refusal of a patch to other inputs, which would replace the object. */
  readonly replacing?: Readonly<Record<string, unknown>>;
  /** Secrets of the object in the service. A patch of others leaves them. */
  secrets?(emulator: Emulator, id: string): unknown;
  /** Whether the kind has a list. Default: true. */
  readonly isListed?: false;
  /** Whether a deletion leaves the object, which belongs to others. */
  readonly staysAfterDelete?: true;
}

const rows: Readonly<Record<ResourceKind, Row>> = {
  ApiKey: { inputs: () => ({ name: "agents", daysToExpire: 30 }), patch: { name: "agents-2" } },
  ApiKeyName: {
    inputs: (emulator) => ({ keyId: emulator.createApiKey({ name: "old" }).id, name: "ci" }),
    patch: { name: "ci-2" },
    staysAfterDelete: true,
  },
  AppDeployment: {
    inputs: () => ({ path: "./app", entrypoint: "app.ts", envVars: { TOKEN: secret } }),
    replacing: { path: "./app", entrypoint: "app.ts", version: "next" },
  },
  AuthConnection: {
    inputs: () => ({ domain: "shop.example", profileName: "buyer" }),
    patch: { autoReauth: false },
    replacing: { domain: "other.example" },
  },
  BrowserPool: { inputs: () => ({ name: "pool", size: 1 }), patch: { size: 2 } },
  Credential: {
    inputs: () => ({ name: "shop", domain: "shop.example", values: { password: secret } }),
    patch: { name: "shop-2" },
    secrets: (emulator, id) => emulator.credentials.list().find((each) => each.id === id)?.fields.password,
  },
  CredentialProvider: {
    inputs: () => ({ name: "vault", token: secret }),
    patch: { name: "vault-2" },
    patchNeeds: { token: secret },
    secrets: (emulator, id) => emulator.credentialProviders.list().find((each) => each.id === id)?.token,
  },
  Extension: {
    inputs: () => ({ name: "reader", path: "./extension" }),
    replacing: { path: "./other-extension", name: "reader-2" },
  },
  LoginFlow: {
    inputs: (emulator) => {
      const profile = emulator.profiles.createFrom({ name: "seller" }, emulator.defaultProject.id);
      const connection = {
        domain: "login.example",
        profileName: profile.name ?? "",
        status: "AUTHENTICATED",
      };
      return { connectionId: emulator.authConnections.create(connection as never).id };
    },
    isListed: false,
    staysAfterDelete: true,
  },
  OrganizationLimits: {
    inputs: () => ({ defaultProjectMaxConcurrentSessions: 5 }),
    patch: { defaultProjectMaxConcurrentSessions: 6 },
    isListed: false,
    staysAfterDelete: true,
  },
  Profile: { inputs: () => ({ name: "guest" }), patch: { name: "guest-2" } },
  Project: { inputs: () => ({ name: "Shop" }), patch: { name: "Shop 2" } },
  ProjectLimits: {
    inputs: (emulator) => ({
      projectId: emulator.createProject({ name: "Limited" }).id,
      maxConcurrentSessions: 5,
    }),
    patch: { maxConcurrentSessions: 6 },
    staysAfterDelete: true,
  },
  Proxy: {
    inputs: () => ({
      name: "exit",
      type: "custom",
      config: { host: "proxy.example", port: 3128, username: "u", password: secret },
    }),
    patch: { name: "exit-2" },
    secrets: (emulator, id) => emulator.proxies.list().find((each) => each.id === id)?.config?.password,
  },
  TelemetryDestination: {
    inputs: () => ({
      name: "logs",
      endpoint: "https://otlp.example.com",
      headers: { authorization: secret },
    }),
    patch: { description: "For audits" },
    secrets: (emulator, id) =>
      emulator.telemetryDestinations.list().find((each) => each.id === id)?.headers.authorization,
  },
};

/** Arguments of a function that finds the object "known", as flags. */
const functionArguments: Readonly<Record<ReadName, Readonly<Record<string, string>>>> = {
  getApiKey: { name: "known" },
  getApp: { name: "known" },
  getAppDeployment: { id: "known" },
  getApiKeys: { name: "known" },
  getAuthConnection: { id: "known" },
  getBrowserPool: { name: "known" },
  getBrowserPools: { name: "known" },
  getEntitlements: {},
  getExtension: { name: "known" },
  getOrganizationLimits: {},
  getCredential: { name: "known" },
  getCredentialProvider: { name: "known" },
  getProfile: { name: "known" },
  getProject: { name: "known" },
  getProjectLimits: { "project-name": "known" },
  getProjects: { name: "known" },
  getProxy: { name: "known" },
  getTelemetryDestination: { name: "known" },
};

/** Parts of answers that are about no named object. */
const answers: { readonly [Name in ReadName]?: RegExp } = {
  getEntitlements: /"plan/,
  getOrganizationLimits: /"maxConcurrentSessions"/,
};

describe("pulumi do, without a program and without a state", () => {
  let emulator: Emulator;
  let stack: Stack;

  beforeAll(async () => {
    const service = await startService();
    emulator = service.emulator;
    const packages = { "browser-infra": pluginFolder };
    stack = await Stack.create(
      service.environment,
      JSON.stringify({ name: "shop", runtime: "yaml", packages }),
    );
    stack.write("extension/manifest.json", manifest());
    stack.write("other-extension/manifest.json", manifest("2.0.0"));
    stack.write("app/package.json", JSON.stringify({ type: "module" }));
    stack.write("app/app.ts", 'const app = kernel.app("agent");\n');
    const { id: projectId } = emulator.defaultProject;
    emulator.createApiKey({ name: "known" });
    emulator.deployments.createFrom({ id: "known", appName: "known" }, projectId);
    // Makes the profile as well.
    emulator.authConnections.create({ id: "known", domain: "known", profileName: "known" });
    emulator.browserPools.create({ name: "known", size: 1 });
    emulator.createProject({ name: "known" });
    emulator.credentials.create({ name: "known", domain: "known.example", fields: {} });
    emulator.credentialProviders.create({ name: "known", token: secret });
    emulator.extensions.createFrom({ name: "known", archive: "", bytes: extensionZip() }, projectId);
    emulator.proxies.create({ name: "known", type: "isp" });
    emulator.telemetryDestinations.create({ name: "known", endpoint: "https://otlp.example.com" });
  });

  afterAll(() => stack.remove());

  async function run(name: string, ...args: string[]) {
    const stateless = ["--stateless", "--output", "json"];
    const output = await stack.succeed("do", `browser-infra:index:${name}`, ...args, ...stateless);
    expect(output).not.toContain(secret);
    const [json = "null"] = /^(\[\]|[[{]\n[\s\S]*^[\]}])/m.exec(output) ?? [];
    return JSON.parse(json);
  }

  function patch(kind: string, id: string, inputs: object) {
    stack.write("patch.yaml", JSON.stringify(inputs));
    return run(kind, "patch", id, "--input-file", "patch.yaml", "--yes");
  }

  const listed = async (kind: string) =>
    (await run(kind, "list", "--all")).map(({ id }: { id: string }) => id);

  test.each(resourceKinds)(
    "an object of the kind %s is created, listed, read, patched and deleted",
    async (kind) => {
      const row = rows[kind];
      stack.write("inputs.yaml", JSON.stringify(row.inputs(emulator)));
      const created = await run(kind, "create", "--input-file", "inputs.yaml", "--yes");
      const { id } = created;
      if (row.isListed !== false) {
        expect(await listed(kind)).toContain(id);
      }
      const read = await run(kind, "read", id);
      expect(read.id).toBe(id);
      expect(row.secrets?.(emulator, id) ?? secret).toBe(secret);
      if (row.patch !== undefined) {
        expect(await patch(kind, id, { ...row.patch, ...row.patchNeeds })).toMatchObject({
          id,
          ...row.patch,
        });
        expect(row.secrets?.(emulator, id) ?? secret).toBe(secret);
      }
      if (row.replacing !== undefined) {
        const before = writesIn(emulator);
        await expect(patch(kind, id, row.replacing)).rejects.toThrow(
          "Create a new object, and delete this one.",
        );
        expect(writesIn(emulator)).toEqual(before);
      }
      await run(kind, "delete", id, "--yes");
      if (row.isListed !== false) {
        expect((await listed(kind)).includes(id)).toBe(row.staysAfterDelete === true);
      }
    },
  );

  test.each(Object.keys(reads) as ReadName[])("the function %s answers", async (name) => {
    const args = Object.entries(functionArguments[name]).flatMap(([argument, value]) => [
      `--${argument}`,
      value,
    ]);
    expect(JSON.stringify(await run(name, ...args))).toMatch(answers[name] ?? /"known"/);
  });
});
