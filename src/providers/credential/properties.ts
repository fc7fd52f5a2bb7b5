import { isDeepStrictEqual } from "node:util";
import { credentialProblems } from "../../client/credential-settings.js";
import type { Credential } from "../../client/index.js";
import { type CheckFailure, undeclaredInputs } from "../lifecycle.js";
import { type DeclaredOf, Properties, type PropertiesOf, type PropertyMap, t } from "../properties.js";

/** The inputs of a Credential. */
export const credentialInputs = new Properties({
  name: t.string,
  domain: { ...t.string, isRequired: true, replaces: true },
  projectId: { ...t.string, replaces: true },
  values: { ...t.mapOf(t.string), isRequired: true, isSecret: true },
  ssoProvider: t.string,
  totpSecret: { ...t.string, isSecret: true },
  totpAlgorithm: t.oneOf({ SHA1: "The service's default.", SHA256: "SHA-256.", SHA512: "SHA-512." }),
  totpDigits: t.integer,
  totpPeriod: t.integer,
});
export type CredentialInputs = PropertiesOf<typeof credentialInputs>;
type DeclaredCredential = DeclaredOf<typeof credentialInputs>;

/** What the state keeps of a Credential. Its values are those that a program has declared. */
export const credentialState = new Properties({ ...credentialInputs.types, createdAt: t.string });
export type CredentialState = PropertiesOf<typeof credentialState>;

/** What one-time codes are made of. The service takes it as a whole. */
export const totpSettings = ["totpSecret", "totpAlgorithm", "totpDigits", "totpPeriod"] as const;
const settingNames = ["name", "values", "ssoProvider", ...totpSettings] as const;

/**
 * What the service says of a credential, in the words of what is known. It shows no value: one that
 * is missing there is missing here, and one that a login has stored beside them is no drift.
 */
export function liveProperties(live: Credential, known: CredentialState): CredentialState {
  const { valueKeys } = live;
  const isThere = ([key]: [string, string]) => valueKeys === null || valueKeys.includes(key);
  return {
    name: live.name,
    domain: live.domain.toLowerCase() === known.domain?.toLowerCase() ? known.domain : live.domain,
    values: known.values && Object.fromEntries(Object.entries(known.values).filter(isThere)),
    ssoProvider: live.ssoProvider ?? undefined,
    totpSecret: live.hasTotpSecret === false ? undefined : known.totpSecret,
    totpAlgorithm: known.totpAlgorithm && ((live.totpAlgorithm ?? undefined) as typeof known.totpAlgorithm),
    totpDigits: known.totpDigits && (live.totpDigits ?? undefined),
    totpPeriod: known.totpPeriod && (live.totpPeriod ?? undefined),
    createdAt: live.createdAt ?? undefined,
  };
}

/** The settings in which a credential is not as declared. One that is unknown may be different. */
export function differingSettings(known: CredentialState, declared: DeclaredCredential): readonly string[] {
  return settingNames.filter((setting) => !isDeepStrictEqual(known[setting], declared[setting]));
}

/** What is wrong with the inputs of a Credential, all at once. Unknown values pass. No value is shown. */
export function credentialFailures(news: PropertyMap): CheckFailure[] {
  const failures = undeclaredInputs(news, credentialInputs, "A Credential");
  const declared = credentialInputs.readDeclared(news);
  // The engine prints the value of a property that a failure names.
  const fail = (property: string, problem: string) =>
    failures.push({
      property: property === "values" || property === "totpSecret" ? "" : property,
      reason: `The credential's "${property}" ${problem}.`,
    });
  const forms: Record<string, string> = {
    values: 'must be an object of strings by field, such as { username: "…" }',
    totpAlgorithm: "must be SHA1, SHA256 or SHA512",
    totpDigits: "must be a whole number",
    totpPeriod: "must be a whole number of seconds",
  };
  for (const input of Object.keys(credentialInputs.types)) {
    const isMissing = news[input] === undefined && (input === "domain" || input === "values");
    const isMalformed =
      news[input] !== undefined && declared[input as keyof DeclaredCredential] === undefined;
    if (isMissing || isMalformed) {
      fail(input, isMissing ? "is missing" : (forms[input] ?? "must be a string"));
    }
  }
  for (const { property, problem } of credentialProblems(credentialInputs.read(news))) {
    fail(property, problem);
  }
  return failures;
}
