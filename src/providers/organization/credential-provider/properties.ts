import { isDeepStrictEqual } from "node:util";
import type { CredentialProvider, CredentialProviderChanges } from "../../../client/index.js";
import { credentialProviderProblems } from "../../../client/organization/credential-provider.js";
import { adoptInput, marks, sentNames } from "../../core/marks.js";
import { namedSecretFailures, namedSecrets, secretDigests, secretOf } from "../../inputs/named-secrets.js";
import type { CheckFailure, LifecycleContext } from "../../lifecycle.js";
import { formFailures } from "../../messages/input-failures.js";
import { type DeclaredOf, Properties, type PropertiesOf, type PropertyMap, t } from "../../properties.js";

export const providerInputs = new Properties({
  name: t.string,
  ...adoptInput,
  token: { ...t.string, isSecret: true },
  tokenFromEnv: t.string,
  tokenFromConfig: t.string,
  cacheTtlSeconds: t.integer,
  enabled: t.boolean,
  priority: t.integer,
  secretDigests,
});
export type ProviderInputs = PropertiesOf<typeof providerInputs>;

/** State of a CredentialProvider. The token and the cache time are the declared values. */
export const providerState = new Properties({ ...providerInputs.types, ...marks, createdAt: t.string });
export type ProviderState = PropertiesOf<typeof providerState>;

/** Inputs with the token: a value, or the name of a place. */
const tokenInputs = ["token", "tokenFromEnv", "tokenFromConfig"] as const;

/** Inputs that determine the token, with the digest of a named token. */
const tokenMembers = [...tokenInputs, "secretDigests"] as const;
export const shownSettings = ["enabled", "priority"] as const;

/** Values after an input is removed. Without a published default, the setting stays. */
const defaults: CredentialProviderChanges = { enabled: true, cacheTtlSeconds: 300 };

/** The token that a program names instead of giving. */
export function namedToken(inputs: object) {
  return namedSecrets(inputs, ["token"]);
}

/** The token of a request, given by value or named in the program. */
export function tokenOf(inputs: ProviderInputs, context: LifecycleContext): string | undefined {
  const [named] = namedToken(inputs);
  return named === undefined ? inputs.token : secretOf(named, context);
}

/**
 * State of a live provider. Without inputs, for a read: the token and the cache time of `known`,
 * because the service shows neither. An undeclared setting is no drift.
 */
export function stateOf(
  live: CredentialProvider,
  inputs: ProviderInputs | undefined,
  known: ProviderState = {},
) {
  const declared = inputs ?? known;
  const isNew = declared.name === undefined;
  const read = shownSettings.map((each) => [
    each,
    isNew || known[each] !== undefined ? live[each] : undefined,
  ]);
  return {
    ...declared,
    ...(inputs === undefined && Object.fromEntries(read)),
    name: live.name,
    createdAt: live.createdAt ?? undefined,
  };
}

/** Inputs, except the name, that differ from the declaration. Unknown counts as different. */
export function differingInputs(
  known: ProviderState,
  declared: DeclaredOf<typeof providerInputs>,
): readonly string[] {
  const names = [...tokenMembers, ...shownSettings, "cacheTtlSeconds"] as const;
  return names.filter((each) => !isDeepStrictEqual(known[each], declared[each]));
}

/**
 * Request that makes a live provider as declared; undefined if nothing differs. `isInDoubt`: the
 * token and the cache time of the service are unknown, and are sent again.
 */
export function changesOf(
  live: CredentialProvider,
  inputs: ProviderInputs,
  known: ProviderState,
  isInDoubt: boolean,
  context: LifecycleContext,
): CredentialProviderChanges | undefined {
  const differing = differingInputs(known, inputs);
  const isSent = (name: string) => isInDoubt || differing.includes(name);
  const sentBefore = sentNames(known);
  const wanted = (name: "cacheTtlSeconds" | (typeof shownSettings)[number]) =>
    inputs[name] ?? (known[name] !== undefined || sentBefore.includes(name) ? defaults[name] : undefined);
  const shown = shownSettings.map((each) => [each, wanted(each) === live[each] ? undefined : wanted(each)]);
  const changes = Object.entries({
    name: live.name === inputs.name ? undefined : inputs.name,
    token: tokenMembers.some(isSent) ? tokenOf(inputs, context) : undefined,
    cacheTtlSeconds: isSent("cacheTtlSeconds") ? wanted("cacheTtlSeconds") : undefined,
    ...Object.fromEntries(shown),
  }).filter(([, value]) => value !== undefined);
  return changes.length === 0 ? undefined : Object.fromEntries(changes);
}

/** Reports all invalid inputs of a CredentialProvider at once, without the token. Unknown values pass. */
export function providerFailures(news: PropertyMap, context: LifecycleContext): CheckFailure[] {
  const missing = tokenInputs.every((input) => news[input] === undefined)
    ? [
        {
          property: "token",
          reason: 'A CredentialProvider needs "token", "tokenFromEnv" or "tokenFromConfig".',
        },
      ]
    : [];
  return [
    ...missing,
    ...formFailures(news, providerInputs, "A CredentialProvider", {}, credentialProviderProblems),
    ...namedSecretFailures(news, ["token"], context),
  ];
}
