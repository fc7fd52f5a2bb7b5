import { isDeepStrictEqual } from "node:util";
import { credentialProblems } from "../../client/credential-settings.js";
import type { Credential } from "../../client/index.js";
import { marks } from "../core/marks.js";
import { formFailures } from "../input-failures.js";
import type { CheckFailure } from "../lifecycle.js";
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
export const credentialState = new Properties({ ...credentialInputs.types, ...marks, createdAt: t.string });
export type CredentialState = PropertiesOf<typeof credentialState>;

/** What one-time codes are made of. The service takes it as a whole. */
export const totpSettings = ["totpSecret", "totpAlgorithm", "totpDigits", "totpPeriod"] as const;
const settingNames = ["values", "ssoProvider", ...totpSettings] as const;

/**
 * The state of a live credential. The service shows the names of the values alone, so the values
 * come from `known`, without those whose names are gone. One that a login has added is no drift.
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

/** The settings, besides the name, that are not as declared. One that is unknown may be different. */
export function differingSettings(known: CredentialState, declared: DeclaredCredential): readonly string[] {
  return settingNames.filter((setting) => !isDeepStrictEqual(known[setting], declared[setting]));
}

/** What is wrong with the inputs of a Credential, all at once. Unknown values pass. No value is shown. */
export function credentialFailures(news: PropertyMap): CheckFailure[] {
  const forms = { values: 'must be an object of strings by field, such as { username: "…" }' };
  return formFailures(news, credentialInputs, "A Credential", forms, credentialProblems);
}
