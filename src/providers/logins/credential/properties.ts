import { isDeepStrictEqual } from "node:util";
import type { Credential } from "../../../client/index.js";
import { credentialProblems } from "../../../client/logins/credential-settings.js";
import { adoptInput, marks } from "../../core/marks.js";
import {
  namedSecretFailures,
  namedSecrets,
  secretDigests,
  secretOf,
  valueInWords,
} from "../../inputs/named-secrets.js";
import type { CheckFailure, LifecycleContext } from "../../lifecycle.js";
import { formFailures } from "../../messages/input-failures.js";
import { type DeclaredOf, Properties, type PropertiesOf, type PropertyMap, t } from "../../properties.js";

export const credentialInputs = new Properties({
  name: t.string,
  ...adoptInput,
  domain: { ...t.string, isRequired: true, replaces: true },
  projectId: { ...t.string, replaces: true },
  values: { ...t.mapOf(t.string), isSecret: true },
  valuesFromEnv: t.mapOf(t.string),
  valuesFromConfig: t.mapOf(t.string),
  ssoProvider: t.string,
  totpSecret: { ...t.string, isSecret: true },
  totpSecretFromEnv: t.string,
  totpSecretFromConfig: t.string,
  totpAlgorithm: t.oneOf({ SHA1: "The service's default.", SHA256: "SHA-256.", SHA512: "SHA-512." }),
  totpDigits: t.integer,
  totpPeriod: t.integer,
  secretDigests,
});
export type CredentialInputs = PropertiesOf<typeof credentialInputs>;
type DeclaredCredential = DeclaredOf<typeof credentialInputs>;

/** State of a Credential. The values are the declared values. */
export const credentialState = new Properties({ ...credentialInputs.types, ...marks, createdAt: t.string });
export type CredentialState = PropertiesOf<typeof credentialState>;

/** Inputs with the values, and with the secret of one-time codes: given, or named. */
export const valueInputs = ["values", "valuesFromEnv", "valuesFromConfig"] as const;
export const totpInputs = ["totpSecret", "totpSecretFromEnv", "totpSecretFromConfig"] as const;

/** Settings of one-time codes besides the secret. The service accepts the settings only as a whole. */
export const totpSettings = ["totpAlgorithm", "totpDigits", "totpPeriod"] as const;
const settingNames = [
  ...valueInputs,
  "ssoProvider",
  ...totpInputs,
  ...totpSettings,
  "secretDigests",
] as const;

/** Inputs whose values a program may name instead of giving. */
export const namedMembers = ["values", "totpSecret"] as const;

/**
 * State of a live credential. The service shows only the names of values, so the values come from
 * `known`, without values whose names are gone. A value added by a login is no drift.
 */
export function liveProperties(live: Credential, known: CredentialState): CredentialState {
  const { valueKeys } = live;
  const isPresent = ([key]: [string, string]) => valueKeys === null || valueKeys.includes(key);
  const present = (values: CredentialState["values"]) =>
    values && Object.fromEntries(Object.entries(values).filter(isPresent));
  const hasTotp = live.hasTotpSecret !== false;
  return {
    name: live.name,
    domain: live.domain.toLowerCase() === known.domain?.toLowerCase() ? known.domain : live.domain,
    values: present(known.values),
    valuesFromEnv: present(known.valuesFromEnv),
    valuesFromConfig: present(known.valuesFromConfig),
    ssoProvider: live.ssoProvider ?? undefined,
    totpSecret: hasTotp ? known.totpSecret : undefined,
    totpSecretFromEnv: hasTotp ? known.totpSecretFromEnv : undefined,
    totpSecretFromConfig: hasTotp ? known.totpSecretFromConfig : undefined,
    totpAlgorithm: known.totpAlgorithm && ((live.totpAlgorithm ?? undefined) as typeof known.totpAlgorithm),
    totpDigits: known.totpDigits && (live.totpDigits ?? undefined),
    totpPeriod: known.totpPeriod && (live.totpPeriod ?? undefined),
    createdAt: live.createdAt ?? undefined,
  };
}

/** Settings, except the name, that differ from the declaration. Unknown counts as different. */
export function differingSettings(known: CredentialState, declared: DeclaredCredential): readonly string[] {
  return settingNames.filter((setting) => !isDeepStrictEqual(known[setting], declared[setting]));
}

/** Reports all invalid inputs of a Credential at once, without values. Unknown values pass. */
export function credentialFailures(news: PropertyMap, context: LifecycleContext): CheckFailure[] {
  const forms = { values: 'must be an object of strings by field, such as { username: "…" }' };
  const named = namedSecrets(news, namedMembers);
  const missing = valueInputs.every((input) => news[input] === undefined)
    ? [{ property: "values", reason: 'A Credential needs "values", "valuesFromEnv" or "valuesFromConfig".' }]
    : [];
  const failures = namedSecretFailures(news, namedMembers, context);
  const totp = named.find(({ secret }) => secret === "totpSecret");
  const isReadable = totp !== undefined && failures.every(({ property }) => property !== totp.property);
  // An unknown or unreadable secret is not judged, nor are settings that need a secret.
  const isGiven = totpInputs.some((input) => news[input] !== undefined);
  const assumed = isReadable ? secretOf(totp, context) : isGiven ? wellFormedTotpSecret : undefined;
  return [
    ...missing,
    ...formFailures(news, credentialInputs, "A Credential", forms, (formed) =>
      credentialProblems({ ...formed, totpSecret: formed.totpSecret ?? assumed }).map(
        ({ property, problem }) => {
          const place = property === "totpSecret" ? totp : undefined;
          const subject = place && valueInWords(place);
          return { property: place?.property ?? property, problem, subject };
        },
      ),
    ),
    ...failures,
  ];
}

const wellFormedTotpSecret = "A".repeat(16);
