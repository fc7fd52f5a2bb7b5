import { kinds, programInputsOf, type ResourceKind } from "../../../src/bridges/kinds.js";
import type { TypeSchema } from "../../../src/providers/properties.js";
import type { Properties } from "../wire-messages.js";

/** Input of a kind that names the place of a secret, such as `config.passwordFromEnv` of Proxy. */
export interface NamedPlace {
  readonly kind: ResourceKind;
  /** Path of the input. */
  readonly path: string;
  readonly place: "Env" | "Config";
  /** Whether the input has a name for each field. */
  readonly isMap: boolean;
}

/** Every input of the schema whose name ends with `FromEnv` or `FromConfig`. */
export const namedPlaces: readonly NamedPlace[] = Object.entries(kinds).flatMap(([kind, declaration]) =>
  Object.entries(programInputsOf(declaration)).flatMap(([name, { schema }]) =>
    placesIn(kind as ResourceKind, name, schema),
  ),
);

function placesIn(kind: ResourceKind, path: string, schema: TypeSchema = {}): readonly NamedPlace[] {
  const [, place] = /From(Env|Config)$/.exec(path) ?? [];
  return place === undefined
    ? Object.entries(schema.properties ?? {}).flatMap(([name, member]) =>
        placesIn(kind, `${path}.${name}`, member),
      )
    : [{ kind, path, place: place as NamedPlace["place"], isMap: schema.type === "object" }];
}

/** Further inputs for a valid resource, by kind. A kind with a named place and no entry fails. */
const others: Partial<Record<ResourceKind, Properties>> = {
  Credential: { domain: "shop.example", values: { username: "ada" } },
  AppDeployment: { path: "./app", entrypoint: "src/app.ts", checksum: "0".repeat(64) },
  CredentialProvider: { name: "vault" },
  Proxy: { type: "custom", config: { host: "proxy.example", port: 3128, username: "ada" } },
  TelemetryDestination: { endpoint: "https://otlp.example.com" },
};

/** Field that an input with a name for each field gets. */
export const field = "pin";

/** Inputs of a resource whose secret is in the place `name`. */
export function inputsWith({ kind, path, isMap }: NamedPlace, name: string): Properties {
  const rest = others[kind];
  if (rest === undefined) {
    throw new Error(`Add the other inputs of ${kind} to test/bridges/requests/named-places.ts.`);
  }
  const value = isMap ? { [field]: name } : name;
  const [input = "", member] = path.split(".");
  return {
    ...rest,
    [input]: member === undefined ? value : { ...(rest[input] as Properties), [member]: value },
  };
}

/** A value that the provider refuses, and the words of the refusal. */
interface RefusedValue {
  readonly value: string;
  /** Words for the secret in a message. */
  readonly noun: string;
  readonly problem: string;
}

/**
 * A refused value by the path of the secret. Null: the provider judges no value, only the service
 * does. A named place without an entry fails.
 */
const refusedValues: Readonly<Record<string, RefusedValue | null>> = {
  "AppDeployment.envVars": null,
  "Credential.values": null,
  "Credential.totpSecret": {
    value: "no base32",
    noun: '"totpSecret"',
    problem:
      "must be base32 of 16 to 128 characters, or an otpauth URI for totp (the value is not shown here).",
  },
  "CredentialProvider.token": null,
  "Proxy.config.password": { value: "1234", noun: "password", problem: "must have at least 5 characters." },
  "Proxy.config.caBundle": {
    value: "no certificate",
    noun: '"config.caBundle"',
    problem: "must be certificates of certificate authorities in PEM.",
  },
  "TelemetryDestination.headers": {
    value: "one\ntwo",
    noun: field,
    problem: "has a line break or a control character.",
  },
};

/** Value that the provider refuses in a named place; null if there is none. */
export function refusedValueFor({ kind, path }: NamedPlace): RefusedValue | null {
  const entry = refusedValues[`${kind}.${path.replace(/From(Env|Config)$/, "")}`];
  if (entry === undefined) {
    throw new Error(`Add a refused value of ${kind} ${path} to test/bridges/requests/named-places.ts.`);
  }
  return entry;
}
