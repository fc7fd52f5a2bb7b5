import type { Properties as Declared, TypeSchema } from "../../../src/providers/properties.js";
import type { Properties } from "../../bridges/wire-messages.js";
import { authorityCertificate } from "../../support/certificates.js";

/** Word in the secrets below, except the certificate, and in no other text. */
export const canary = "CANARY";

const password = `p+ss ${canary} <w>&"r'd/é\\1`;
const header = `p+ss ${canary} <w>&"r'd/\\1`;
const totpSecret = `${canary}ABCDEFGHIJKLMNOP22`;
const certificate = authorityCertificate.replaceAll("\n", "\r\n");
/** A part of the certificate. */
const certified = "HUucerlQDRLAZqIYIzUQ";

const login = { name: "shop", domain: "shop.example" };
const own = { host: "proxy.example", port: 3128, username: "web" };

/** Secret input: a value, and a resource with the value or with the name of a place. */
export interface SecretExample {
  readonly secret: string;
  /** Part of the secret that occurs in no other text. Default: the canary. */
  readonly word?: string;
  /** Second secret. Default: letters. */
  readonly other?: string;
  /** `from`: end of the name of the input that names a place; empty for the value itself. */
  readonly inputs: (secret: string, from: "" | "FromEnv" | "FromConfig") => Properties;
  /** Change of inputs that are not secret. */
  readonly change: Properties;
}

const exit = { name: "exit", type: "custom" };

/** Every secret input of every kind. */
export const secretExamples: Readonly<Record<string, SecretExample>> = {
  "AppDeployment.envVars": {
    secret: password,
    inputs: (value, from) => ({
      path: "./app",
      entrypoint: "src/app.ts",
      // A deployment serves a version alone.
      version: `v${from}`,
      [`envVars${from}`]: { TOKEN: value },
    }),
    change: { version: "next" },
  },
  "Credential.values": {
    secret: password,
    inputs: (field, from) => ({ ...login, [`values${from}`]: { password: field } }),
    change: { name: "store" },
  },
  "Credential.totpSecret": {
    secret: totpSecret,
    inputs: (secret, from) => ({ ...login, values: { username: "ann" }, [`totpSecret${from}`]: secret }),
    change: { name: "store" },
  },
  "TelemetryDestination.headers": {
    secret: header,
    inputs: (value, from) => ({
      endpoint: "https://otlp.example.com",
      [`headers${from}`]: { "X-Key": value },
    }),
    change: { description: "All" },
  },
  "CredentialProvider.token": {
    secret: password,
    inputs: (token, from) => ({ name: "vault", [`token${from}`]: token }),
    change: { priority: 7 },
  },
  "Proxy.config.password": {
    secret: password,
    inputs: (secret, from) => ({ ...exit, config: { ...own, [`password${from}`]: secret } }),
    change: { name: "way-out" },
  },
  "Proxy.config.caBundle": {
    secret: certificate,
    word: certified,
    other: authorityCertificate.repeat(2),
    inputs: (caBundle, from) => ({
      ...exit,
      config: { ...own, password: "other", [`caBundle${from}`]: caBundle },
    }),
    change: { name: "way-out" },
  },
};

/** Secret properties of a kind, by path: `config.password`. */
export function secretsOf({ types }: Pick<Declared, "types">): readonly string[] {
  return Object.entries(types).flatMap(([name, { isSecret, isFilledIn, schema }]) =>
    // No program declares, and no request carries, an input that a check fills in.
    isFilledIn ? [] : isSecret ? [name] : secretMembers(schema, name),
  );
}

function secretMembers(schema: TypeSchema, place: string): readonly string[] {
  const { secret, items, additionalProperties, properties = {} } = schema;
  return [
    ...(secret ? [place] : []),
    ...[items, additionalProperties].flatMap((each) => (each ? secretMembers(each, place) : [])),
    ...Object.entries(properties).flatMap(([name, member]) => secretMembers(member, `${place}.${name}`)),
  ];
}
