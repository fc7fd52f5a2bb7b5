import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  kinds,
  outputsOf,
  programInputsOf,
  type ResourceKind,
  resourceKinds,
} from "../../src/bridges/kinds.js";
import * as plugin from "../../src/bridges/plugin/sdk/index.js";
import { providerInputs } from "../../src/config.js";
import { type ReadName, reads } from "../../src/functions/reads.js";
import * as dynamic from "../../src/index.js";
import type { LifecycleContext } from "../../src/providers/lifecycle.js";
import type { PropertyMap } from "../../src/providers/properties.js";
import { environmentKinds } from "../../src/resources/browser-environment.js";
import { resourceType } from "../../src/resources/type-token.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const root = resolve(__dirname, "../..");

interface TypeSpec {
  readonly type?: string;
  readonly $ref?: string;
  readonly items?: TypeSpec;
  readonly additionalProperties?: TypeSpec;
  readonly secret?: boolean;
}

interface PropertySpec extends TypeSpec {
  readonly description: string;
  readonly secret?: boolean;
  readonly willReplaceOnChanges?: boolean;
}

interface ObjectSpec {
  readonly description: string;
  readonly properties: Readonly<Record<string, PropertySpec>>;
  readonly required?: readonly string[];
}

interface ResourceSpec extends ObjectSpec {
  readonly inputProperties: Readonly<Record<string, PropertySpec>>;
  readonly requiredInputs: readonly string[];
  readonly stateInputs: ObjectSpec;
  readonly aliases: readonly { readonly type: string }[];
}

interface Schema {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly pluginDownloadURL: string;
  readonly config: { readonly variables: Readonly<Record<string, PropertySpec>> };
  readonly types: Readonly<
    Record<string, ObjectSpec & { readonly enum?: readonly { value: string; description: string }[] }>
  >;
  readonly provider: ResourceSpec;
  readonly resources: Readonly<Record<string, ResourceSpec>>;
  readonly functions: Readonly<
    Record<string, { description: string; inputs: ObjectSpec; outputs: ObjectSpec }>
  >;
}

const text = readFileSync(join(root, "schema.json"), "utf8");
const schema: Schema = JSON.parse(text);
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** Required inputs, and an instance in accordance with the declaration, by kind. */
const samples: Readonly<
  Record<ResourceKind, { readonly needs: readonly string[]; readonly olds: PropertyMap }>
> = {
  Extension: { needs: ["path"], olds: { path: "./a", name: "a", checksum: "ab" } },
  AppDeployment: {
    needs: ["path", "entrypoint"],
    olds: {
      path: "./a",
      entrypoint: "a.ts",
      version: "a",
      projectId: "a",
      appName: "a",
      envVars: { a: "b" },
    },
  },
  ApiKeyName: { needs: ["keyId", "name"], olds: { keyId: "a", name: "a", onDelete: "keep" } },
  ApiKey: { needs: [], olds: { name: "a", projectId: "a", daysToExpire: 9, triggers: [1] } },
  LoginFlow: { needs: ["connectionId"], olds: { connectionId: "a", timeout: "1m", triggers: [1] } },
  Project: { needs: [], olds: { name: "a", status: "active", onDelete: "keep" } },
  ProjectLimits: { needs: ["projectId"], olds: { projectId: "a", maxConcurrentSessions: 1 } },
  Credential: {
    needs: ["domain"],
    olds: { domain: "a.example", projectId: "a", name: "a", values: { a: "b" } },
  },
  CredentialProvider: { needs: [], olds: { name: "a", token: "ops_a", enabled: true } },
  AuthConnection: {
    needs: ["domain", "profileName"],
    olds: { domain: "a.example", profileName: "a", projectId: "a", name: "a.example/a" },
  },
  OrganizationLimits: { needs: [], olds: { defaultProjectMaxConcurrentSessions: 1 } },
  BrowserPool: { needs: ["size"], olds: { name: "a", projectId: "a", size: 1 } },
  Profile: { needs: [], olds: { name: "a", projectId: "a" } },
  Proxy: { needs: ["type"], olds: { name: "a", projectId: "a", type: "isp" } },
  TelemetryDestination: { needs: ["endpoint"], olds: { name: "a", endpoint: "https://a.example" } },
};

/** Components by token, with the classes of both entries. A component without a row fails. */
const components = {
  "browser-infra:index:BrowserEnvironment": [dynamic.BrowserEnvironment, plugin.BrowserEnvironment],
};

function resourceOf(kind: ResourceKind): ResourceSpec {
  return schema.resources[`browser-infra:index:${kind}`] as ResourceSpec;
}

/** Type of the schema that a reference names. */
function followed({ $ref = "" }: TypeSpec) {
  return schema.types[$ref.replace("#/types/", "")];
}

/** Objects with a description, by path. */
function described(value: unknown, path: string): { path: string; description: unknown }[] {
  if (typeof value !== "object" || value === null) {
    return [];
  }
  // A property may have the name, too.
  const isOwn = "description" in value && !/properties$/i.test(path);
  const own = isOwn ? [{ path, description: value.description }] : [];
  return [...own, ...Object.entries(value).flatMap(([name, each]) => described(each, `${path}/${name}`))];
}

describe("schema.json", () => {
  test("every input that names a variable says which variables are refused, or names the input that says so", () => {
    const inputs = [
      ...Object.values(schema.resources).map(({ inputProperties }) => inputProperties),
      ...Object.values(schema.types).map(({ properties }) => properties),
    ];
    const named = inputs.flatMap((properties) =>
      Object.entries(properties ?? {}).filter(([name]) => name.endsWith("FromEnv")),
    );
    expect(named.length).toBeGreaterThan(4);
    for (const [, { description }] of named) {
      expect(description).toMatch(/PULUMI_….* own key are refused|, as `\w+FromEnv`/);
    }
  });

  test("schema.json equals the output of npm run generate:schema, except for a given download address", () => {
    const out = join(temporaryFolder(), "schema.json");
    const script = join(root, "scripts/publish/generate-schema.mjs");
    const url = "http://127.0.0.1:4873/plugins";
    execFileSync(process.execPath, [script, "--out", out, "--download-url", url]);
    const fresh = readFileSync(out, "utf8");
    expect(JSON.parse(fresh).pluginDownloadURL).toBe(url);
    expect(fresh.replace(url, manifest.pluginDownloadURL)).toBe(text);
  });

  test("schema.json has the version, the address and the names of the package", () => {
    expect(schema.name).toBe("browser-infra");
    expect(schema.version).toBe(manifest.version);
    expect(schema.pluginDownloadURL).toBe(manifest.pluginDownloadURL);
    expect(schema).toMatchObject({
      description: manifest.description,
      homepage: manifest.homepage,
      license: manifest.license,
      repository: manifest.repository.url.replace(/^git\+|\.git$/g, ""),
      language: {
        nodejs: { packageName: "@pulumi/browser-infra" },
        python: { packageName: "pulumi_browser_infra" },
      },
    });
  });

  test("schema.json has the settings of the provider, with only the key marked as secret", () => {
    const namesOf = (settings: object) => Object.keys(settings).map((name) => `browser-infra:${name}`);
    const ofStack = ["apiKey", "baseUrl", "projectId"].map((name) => `browser-infra:${name}`);
    const { provider, config } = schema;
    expect(namesOf(config.variables)).toEqual(ofStack);
    for (const settings of [provider.inputProperties, provider.properties]) {
      expect(namesOf(settings)).toEqual([...ofStack, providerInputs.keyVariable, providerInputs.keySetting]);
    }
    for (const settings of [config.variables, provider.inputProperties, provider.properties]) {
      expect(Object.keys(settings).filter((name) => settings[name]?.secret)).toEqual(["apiKey"]);
    }
    // A default read from the program's environment would bring the key into the state.
    expect(text).not.toContain("defaultInfo");
  });

  test("schema.json describes every member, without words that only TypeScript has", () => {
    const all = described(schema, "");
    expect(all.length).toBeGreaterThan(100);
    const silent = all.filter(({ description }) => typeof description !== "string" || description === "");
    expect(silent).toEqual([]);
    const foreign =
      /\{@|\bundefined\b|\bnull\b|\bPromises?\b|\bOutputs?\b|\bRejects\b|\bTypeScript\b|\bnew [A-Z]/;
    const words = (description: unknown) =>
      String(description).replace(/\{\{% examples[\s\S]*examples %\}\}/, "");
    expect(all.filter(({ description }) => foreign.test(words(description)))).toEqual([]);
    const members = [
      ...Object.values(schema.types).flatMap(({ properties, enum: values = [] }) => [properties, values]),
      ...[...Object.values(schema.resources), schema.provider].flatMap(({ properties, inputProperties }) => [
        properties,
        inputProperties,
      ]),
      ...Object.values(schema.functions).flatMap(({ inputs, outputs }) => [
        inputs.properties,
        outputs.properties,
      ]),
    ].flatMap((each = {}) => Object.values(each));
    expect(members.filter((each) => !("description" in each))).toEqual([]);
  });

  test("schema.json refers to exactly the types that it defines", () => {
    const refs = new Set(Array.from(text.matchAll(/"\$ref": "#\/types\/([^"]+)"/g), ([, token]) => token));
    expect([...refs].sort()).toEqual(Object.keys(schema.types).sort());
  });
});

/** The schema of a declared type of property, followed through the names of the types. */
function plain(spec: TypeSpec | undefined): unknown {
  if (spec?.$ref === "pulumi.json#/Any") {
    return {};
  }
  const named = spec?.$ref === undefined ? undefined : followed(spec);
  if (named?.enum !== undefined) {
    const meanings = named.enum.map(({ value, description }) => [value, description]);
    return { type: "string", enum: Object.fromEntries(meanings) };
  }
  if (named !== undefined) {
    const members = Object.entries(named.properties).map(([name, member]) => [
      name,
      { ...(plain(member) as object), ...(member.secret && { secret: true }) },
    ]);
    return { type: "object", properties: Object.fromEntries(members) };
  }
  return {
    type: spec?.type,
    ...(spec?.items && { items: plain(spec.items) }),
    ...(spec?.additionalProperties && { additionalProperties: plain(spec.additionalProperties) }),
  };
}

describe("the resources of schema.json", () => {
  test.each(resourceKinds)(
    "the resource %s in schema.json has the inputs and outputs of its life cycle",
    (kind) => {
      const resource = resourceOf(kind);
      const given = (properties: Readonly<Record<string, PropertySpec>>) =>
        Object.fromEntries(Object.entries(properties).map(([name, spec]) => [name, plain(spec)]));
      const declared = (properties: ReturnType<typeof outputsOf>) =>
        Object.fromEntries(
          Object.entries(properties).map(([name, { schema }]) => {
            // Only for the message of a failure.
            const { addressRemedy: _remedy, ...published } = schema;
            // Any plain data, which `check` does not restrict. The class declares a list.
            return [name, name === "triggers" ? { type: "array", items: {} } : published];
          }),
        );
      expect(given(resource.inputProperties)).toEqual(declared(programInputsOf(kinds[kind])));
      expect(given(resource.properties)).toEqual(declared(outputsOf(kinds[kind])));
      expect(resource.requiredInputs).toEqual(samples[kind].needs);
      // An output that a lookup does not name is undefined in generated SDKs.
      expect(resource.stateInputs.properties).toEqual(resource.properties);
    },
  );

  test("schema.json has exactly the known resources, each with the dynamic resource as an alias", () => {
    const types = [...resourceKinds.map((kind) => `browser-infra:index:${kind}`), ...Object.keys(components)];
    expect(Object.keys(schema.resources)).toEqual(types);
    for (const kind of resourceKinds) {
      expect(resourceOf(kind).aliases).toEqual([{ type: resourceType(kind) }]);
    }
  });

  test("schema.json marks exactly keys, tokens, headers, credential values and login addresses as secret outputs", () => {
    const secret = resourceKinds.flatMap((kind) =>
      Object.entries(resourceOf(kind).properties).flatMap(([name, spec]) => (spec.secret ? [name] : [])),
    );
    expect(secret.sort()).toEqual([
      "envVars",
      "headers",
      "hostedUrl",
      "key",
      "liveViewUrl",
      "token",
      "totpSecret",
      "values",
    ]);
  });

  test("schema.json recommends deleteBeforeReplace for the resources that a forced replacement would hurt", () => {
    const warned = resourceKinds.filter((kind) =>
      resourceOf(kind).description.includes("`deleteBeforeReplace`"),
    );
    expect(warned).toEqual([
      "Extension",
      "ApiKeyName",
      "Project",
      "ProjectLimits",
      "OrganizationLimits",
      "BrowserPool",
      "AuthConnection",
      "Credential",
      "CredentialProvider",
      "Profile",
      "TelemetryDestination",
    ]);
  });

  test.each(resourceKinds)("schema.json marks the inputs of %s that replace the resource", (kind) => {
    const { olds } = samples[kind];
    const { inputProperties } = resourceOf(kind);
    const marked = Object.keys(inputProperties).filter((name) => inputProperties[name]?.willReplaceOnChanges);
    const context: LifecycleContext = {
      urn: `urn:pulumi:dev::shop::browser-infra:index:${kind}::one`,
      programFolder: temporaryFolder(),
      configuration: () => undefined,
      environment: { BROWSER_INFRA_BASE_URL: "https://service.invalid", BROWSER_INFRA_API_KEY: "sk_canary" },
      signal: new AbortController().signal,
      report: { progress: ignore, row: ignore, info: ignore, warning: ignore, debug: ignore },
    };
    const other: PropertyMap = {
      onDelete: "restore",
      onFailure: "continue",
      triggers: [2],
      daysToExpire: 8,
      policy: { statements: [] },
      ...{ envVars: { a: "c" }, envVarsFromEnv: { b: "B" }, envVarsFromConfig: { b: "c:b" } },
      ...{ protocol: "http", bypassHosts: ["b"], config: { country: "b" } },
    };
    const replacing = Object.keys(inputProperties).filter((name) => {
      const news: PropertyMap = { ...olds, [name]: other[name] ?? "b" };
      return kinds[kind].lifecycle().diff({ id: "a", olds, news }, context).replaces?.includes(name);
    });
    expect(replacing).toEqual(marked);
  });
});

function ignore(): void {}

describe("the components of schema.json", () => {
  test.each(Object.entries(components))(
    "%s is a component, with the type of the classes",
    (token, classes) => {
      expect(schema.resources[token]).toMatchObject({ isComponent: true });
      expect(classes.map(({ __pulumiType }) => __pulumiType)).toEqual([token, token]);
    },
  );

  test("a program in another language changes every argument of every child, and needs none for it", () => {
    const { properties } = schema.types["browser-infra:index:BrowserEnvironmentTransform"] as ObjectSpec;
    expect(Object.keys(properties)).toEqual(Object.keys(environmentKinds));
    for (const [child, kind] of Object.entries(environmentKinds)) {
      const change = followed(properties[child] as PropertySpec);
      expect(Object.keys(change?.properties ?? {})).toEqual(Object.keys(programInputsOf(kinds[kind])));
      expect(change?.required).toBeUndefined();
    }
  });

  test("schema.json marks exactly the key as a secret output of a component", () => {
    const { properties } = schema.resources["browser-infra:index:BrowserEnvironment"] as ResourceSpec;
    expect(Object.keys(properties).filter((name) => properties[name]?.secret)).toEqual(["apiKey"]);
  });
});

describe("the functions of schema.json", () => {
  test("schema.json has the reads as functions, and requires an argument only if no alternative exists", () => {
    const names = Object.keys(reads) as ReadName[];
    expect(Object.keys(schema.functions)).toEqual(names.map((name) => `browser-infra:index:${name}`));
    for (const name of names) {
      const { inputs } = schema.functions[`browser-infra:index:${name}`] as { inputs: ObjectSpec };
      const { rules } = reads[name];
      expect(Object.keys(inputs.properties).sort()).toEqual(Object.keys(rules).sort());
      const choices = Object.entries(rules).filter(([, rule]) => rule === "one");
      expect(inputs.required).toEqual(choices.length === 1 ? choices.map(([argument]) => argument) : []);
    }
  });
});
