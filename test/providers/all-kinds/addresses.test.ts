import { kinds, programInputsOf, type ResourceKind, resourceKinds } from "../../../src/bridges/kinds.js";
import type { LifecycleContext } from "../../../src/providers/lifecycle.js";
import type { PropertyMap } from "../../../src/providers/properties.js";
import { samples } from "../../contract/rows/samples.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { stringsOf, valueAt } from "./string-inputs.js";

const password = "Pa55word";
const texts = {
  "a user and a password": `https://user:${password}@host.example/x`,
  "a user alone": `https://${password}@host.example`,
  "a space in the password": `https://user:${password} 2@host.example`,
  "slashes of the other kind": `https:\\\\user:${password}@host.example`,
};

/** Names and words without an own form, where nobody expects an address. */
const anyText: readonly string[] = [
  ...resourceKinds
    .filter(
      (kind) => !["Extension", "AppDeployment"].includes(kind) && "adopt" in programInputsOf(kinds[kind]),
    )
    .map((kind) => `${kind}.adopt`),
  "ApiKey.name",
  "ApiKeyName.name",
  "AuthConnection.credential.name",
  "AuthConnection.profileName",
  "BrowserPool.profileName",
  "BrowserPool.telemetryExcludedMethods.0",
  "Credential.ssoProvider",
  "CredentialProvider.name",
  "Profile.name",
  "Proxy.name",
  "TelemetryDestination.description",
];

describe("an address with a password", () => {
  const programFolder = temporaryFolder();
  const ignore = () => undefined;

  /** Failures of the check of a sample of the kind, with `text` at the path of an input. */
  async function failuresOf(kind: ResourceKind, path: readonly string[], text: string) {
    const [input = "", ...rest] = path;
    const first = kind === "LoginFlow" ? { connectionId: "c" } : samples[kind].first;
    const sample = { ...(first as PropertyMap) };
    const context: LifecycleContext = {
      urn: `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/browser-infra:${kind}::main`,
      programFolder,
      configuration: ignore,
      environment: { BROWSER_INFRA_BASE_URL: "http://127.0.0.1:9", BROWSER_INFRA_API_KEY: "an-unusual-key" },
      signal: new AbortController().signal,
      report: { progress: ignore, row: ignore, info: ignore, warning: ignore, debug: ignore },
    };
    const news: PropertyMap = { ...sample, [input]: valueAt(rest, text) };
    const request = { olds: undefined, news, memo: undefined };
    return (await kinds[kind].lifecycle().check(request, context)).failures;
  }

  const all = resourceKinds.flatMap((kind) =>
    stringsOf(kind).map(([path, schema]) => ({ kind, path, schema, name: [kind, ...path].join(".") })),
  );
  const addresses = all.filter(({ schema }) => schema.addressRemedy !== undefined);

  test("every input whose name is that of an address has the type of addresses", () => {
    const named = all.filter(({ name }) => /url|uri|endpoint|address/i.test(name));
    expect(addresses.map(({ name }) => name)).toEqual(named.map(({ name }) => name));
    expect(addresses.length).toBeGreaterThan(2);
  });

  test.each(
    addresses.flatMap(({ name, kind, path, schema }) =>
      Object.entries(texts).map(([what, text]) => ({ name, kind, path, schema, what, text })),
    ),
  )("$name with $what is refused, and the failure names the input for secrets", async (row) => {
    const failures = await failuresOf(row.kind, row.path, row.text);
    expect(failures).toEqual([
      { property: "", reason: expect.stringContaining(`The "${row.path.join(".")}" has a user name`) },
    ]);
    expect(failures[0]?.reason).toContain(row.schema.addressRemedy);
    expect(failures[0]?.reason).not.toContain(password);
  });

  test("no other text input accepts an address with a password, except names, ids and words", async () => {
    const accepted: string[] = [];
    for (const { kind, path, name } of all) {
      const failures = await failuresOf(kind, path, texts["a user and a password"]);
      const isId = /Ids?(\.0)?$/.test(name);
      if (failures.length === 0 && !isId) {
        accepted.push(name);
      }
    }
    expect(accepted.sort()).toEqual([...anyText].sort());
  });

  test.each(["https://host.example/a@b", "https://host.example/?mail=a@b.example"])(
    "the address %s has no password, and is accepted",
    async (address) => {
      expect(await failuresOf("AuthConnection", ["loginUrl"], address)).toEqual([]);
    },
  );
});
