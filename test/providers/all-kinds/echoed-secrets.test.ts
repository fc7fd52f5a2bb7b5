import { kinds, type ResourceKind, resourceKinds } from "../../../src/bridges/kinds.js";
import type { Properties as Declared, TypeSchema } from "../../../src/providers/properties.js";
import { shows, spellings } from "../../base/text/spellings.js";
import type { Properties } from "../../bridges/wire-messages.js";
import { authorityCertificate } from "../../support/certificates.js";
import { PlayedProgram } from "../played-program.js";

/** Word in the secrets below, except the certificate, and in no other text. */
const canary = "CANARY";

const password = `p+ss ${canary} <w>&"r'd/é\\1`;
const header = `p+ss ${canary} <w>&"r'd/\\1`;
const totpSecret = `${canary}ABCDEFGHIJKLMNOP22`;
const certificate = authorityCertificate.replaceAll("\n", "\r\n");
/** A part of the certificate. */
const certified = "HUucerlQDRLAZqIYIzUQ";

const login = { name: "shop", domain: "shop.example", values: { username: "ann" } };
const own = { host: "proxy.example", port: 3128, username: "web" };

/** Secret input: a value, and a resource with the value. */
interface Example {
  readonly secret: string;
  /** Part of the secret that occurs in no other text. Default: the canary. */
  readonly word?: string;
  /** Second secret. Default: letters. */
  readonly other?: string;
  readonly inputs: (secret: string) => Properties;
}

/** Every secret input of every kind. */
const examples: Readonly<Record<string, Example>> = {
  "Credential.values": {
    secret: password,
    inputs: (field) => ({ ...login, values: { username: "ann", password: field } }),
  },
  "Credential.totpSecret": { secret: totpSecret, inputs: (secret) => ({ ...login, totpSecret: secret }) },
  "TelemetryDestination.headers": {
    secret: header,
    inputs: (value) => ({ endpoint: "https://otlp.example.com", headers: { "X-Key": value } }),
  },
  "CredentialProvider.token": { secret: password, inputs: (token) => ({ name: "vault", token }) },
  "Proxy.config.password": {
    secret: password,
    inputs: (secret) => ({ name: "exit", type: "custom", config: { ...own, password: secret } }),
  },
  "Proxy.config.caBundle": {
    secret: certificate,
    word: certified,
    other: authorityCertificate.repeat(2),
    inputs: (caBundle) => ({ name: "exit", type: "custom", config: { ...own, password: "other", caBundle } }),
  },
};

/** Secret inputs of a kind, by path: `config.password`. */
function secretInputsOf({ types }: Pick<Declared, "types">): readonly string[] {
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

describe("a secret input that the service repeats in an error", () => {
  test("X2: every secret input of every kind has an example in the tests of repeated secrets", () => {
    const declared = resourceKinds.flatMap((kind) =>
      secretInputsOf(kinds[kind].inputs).map((input) => `${kind}.${input}`),
    );
    expect(Object.keys(examples).sort()).toEqual([...declared].sort());
  });

  describe.each(Object.entries(examples))("%s", (input, example) => {
    const { secret, word = canary, other = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", inputs } = example;
    const kind = input.split(".")[0] as Extract<
      ResourceKind,
      "Credential" | "CredentialProvider" | "Proxy" | "TelemetryDestination"
    >;

    /** Messages of the deployment of a resource with the secret, after a refusal of the request. */
    async function saidWhenRefused(program: PlayedProgram, method: string, spelled: string): Promise<string> {
      const message = `The value ${spelled} cannot be used.`;
      const body = { code: "bad_request", message, details: [{ code: "x", message: `see ${spelled}` }] };
      const answer = { status: 400, body, headers: { "x-request-id": encodeURIComponent(spelled) } };
      program.emulator.faults.add({ method, at: "before-commit", times: 1, action: { answer } });
      const failed = await program.up(inputs(secret)).catch((error: Error) => error.message);
      program.emulator.faults.clear();
      return [failed, ...program.messages].join("\n");
    }

    test.each(Object.entries(spellings))(
      "X2: no message contains a secret that the service repeats in an error, %s",
      async (_how, spell) => {
        const spelled = spell(secret);
        const program = await PlayedProgram.start(kind);
        const created = await saidWhenRefused(program, "POST", spelled);
        expect(created).toContain("The value ");
        expect(created).toContain("[redacted]");
        expect(shows(created, word)).toBe(false);

        // Only a proxy is created anew, and then renamed.
        const another = await PlayedProgram.start(kind);
        await another.up(inputs(other));
        const changed = await saidWhenRefused(another, "PATCH", spelled);
        expect(changed).toContain("[redacted]");
        expect(shows(changed, word)).toBe(false);
      },
    );
  });
});
