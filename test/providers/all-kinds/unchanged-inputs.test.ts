import { kinds, type ResourceKind, resourceKinds } from "../../../src/bridges/kinds.js";
import type { CheckFailure, LifecycleContext } from "../../../src/providers/lifecycle.js";
import type { PropertyMap } from "../../../src/providers/properties.js";
import { manifestText } from "../../archive/fixtures.js";
import { folderOf } from "../../archive/folders.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

/** An input with two values that a rule of the provider refuses, and the other inputs. */
interface Refused {
  readonly input: string;
  readonly values: readonly [string, string] | readonly [number, number];
  readonly rest: PropertyMap;
}

const key = "an-unusual-key-of-length";

const long = (letter: string) => letter.repeat(256);
const folder = () => folderOf([["manifest.json", manifestText()]]);

/** A rule of each kind. */
const refused: Readonly<Record<ResourceKind, Refused>> = {
  Extension: { input: "name", values: ["My Reader", "My Writer"], rest: { path: folder() } },
  AppDeployment: {
    input: "version",
    values: [long("a"), long("b")],
    rest: {
      path: folderOf([
        ["pyproject.toml", ""],
        ["app.py", ""],
      ]),
      entrypoint: "app.py",
    },
  },
  ApiKeyName: { input: "name", values: [long("a"), long("b")], rest: { keyId: "k1" } },
  ApiKey: { input: "name", values: [long("a"), long("b")], rest: {} },
  LoginFlow: { input: "timeout", values: ["soon", "later"], rest: { connectionId: "c1" } },
  Project: { input: "name", values: ["a/b", "a/c"], rest: {} },
  ProjectLimits: { input: "maxConcurrentSessions", values: [-1, -2], rest: { projectId: "p1" } },
  OrganizationLimits: { input: "defaultProjectMaxConcurrentSessions", values: [-1, -2], rest: {} },
  BrowserPool: { input: "name", values: ["My Pool", "Our Pool"], rest: { size: 1 } },
  AuthConnection: { input: "domain", values: ["a b", "a c"], rest: { profileName: "buyer" } },
  Credential: {
    input: "totpSecret",
    values: ["no base 32!", "none either!"],
    rest: { name: "shop", domain: "shop.example", values: { username: "ada" } },
  },
  CredentialProvider: {
    input: "name",
    values: [" a", " b"],
    rest: { token: "token-of-a-provider" },
  },
  Profile: { input: "name", values: [long("a"), long("b")], rest: {} },
  Proxy: { input: "name", values: [" a", " b"], rest: { type: "isp" } },
  TelemetryDestination: {
    input: "name",
    values: ["My Logs", "Our Logs"],
    rest: { endpoint: "https://logs.example.com/otlp" },
  },
};

async function failuresOf(
  kind: ResourceKind,
  news: PropertyMap,
  olds: PropertyMap | undefined,
  environment: Readonly<Record<string, string>> = {},
): Promise<readonly CheckFailure[]> {
  const ignore = () => undefined;
  const context: LifecycleContext = {
    urn: `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/browser-infra:${kind}::main`,
    programFolder: temporaryFolder(),
    configuration: ignore,
    // No server: a check outside of a preview sends no request.
    environment: {
      BROWSER_INFRA_BASE_URL: "http://127.0.0.1:9",
      BROWSER_INFRA_API_KEY: key,
      ...environment,
    },
    signal: new AbortController().signal,
    report: { progress: ignore, row: ignore, info: ignore, warning: ignore, debug: ignore },
  };
  const { failures } = await kinds[kind].lifecycle().check({ olds, news, memo: undefined }, context);
  return failures;
}

describe("an input with the value of the state", () => {
  test.each(resourceKinds)(
    "%s: a value that a rule of the provider refuses passes if the state has the same value, and fails if new or changed",
    async (kind) => {
      const { input, values, rest } = refused[kind];
      const [value, other] = values;
      const news = { ...rest, [input]: value };
      expect(await failuresOf(kind, news, undefined)).toHaveLength(1);
      expect(await failuresOf(kind, news, { ...rest, [input]: other })).toHaveLength(1);
      expect(await failuresOf(kind, news, news)).toEqual([]);
    },
  );

  test("a setting that no longer fits to a removed setting fails, although the setting itself is unchanged", async () => {
    const pool = { size: 1, refreshOnProfileUpdate: true };
    expect(await failuresOf("BrowserPool", pool, { ...pool, profileName: "buyer" })).toEqual([
      expect.objectContaining({ property: "refreshOnProfileUpdate" }),
    ]);
  });

  test("a secret named by an unchanged input fails if the environment has no usable value", async () => {
    const proxy = { type: "custom", config: { host: "p.example.com", port: 80, username: "a" } };
    const named = { ...proxy, config: { ...proxy.config, passwordFromEnv: "PROXY_PASSWORD" } };
    expect(await failuresOf("Proxy", named, named)).toHaveLength(1);
    expect(await failuresOf("Proxy", named, named, { PROXY_PASSWORD: "abc" })).toHaveLength(1);
    expect(await failuresOf("Proxy", named, named, { PROXY_PASSWORD: "abcdef" })).toEqual([]);
  });

  test("a required input that the state does not have either fails", async () => {
    const credential = { name: "shop", domain: "shop.example" };
    expect(await failuresOf("Credential", credential, credential)).toHaveLength(1);
  });

  test("the key itself in an input fails, although the state has the same value", async () => {
    const profile = { name: key };
    expect(await failuresOf("Profile", profile, profile)).toEqual([
      expect.objectContaining({ property: "" }),
    ]);
  });

  test("a profile may have any name of 1 to 255 characters, as the service allows", async () => {
    expect(await failuresOf("Profile", { name: "My Profile" }, undefined)).toEqual([]);
    const connection = { domain: "shop.example", profileName: "My Profile" };
    expect(await failuresOf("AuthConnection", connection, undefined)).toEqual([]);
  });
});
