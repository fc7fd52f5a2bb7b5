import { isDeepStrictEqual } from "node:util";
import type { Credential, CredentialChanges } from "../../../client/index.js";
import { ignoreNotFound } from "../../../client/not-found.js";
import { memberName, quote } from "../../../text/escape.js";
import { listed } from "../../../text/words.js";
import type { Call } from "../../call.js";
import type { OwnedResource } from "../../core/owned/declaration.js";
import { ownedKind } from "../../core/owned/lifecycle.js";
import { digestsOf, namedSecrets, secretOf, valuesOf } from "../../inputs/named-secrets.js";
import { requireKnown } from "../../properties.js";
import { credentialsOf } from "../../reads/lists.js";
import {
  type CredentialInputs,
  type CredentialState,
  credentialFailures,
  credentialInputs,
  credentialState,
  differingSettings,
  liveProperties,
  namedMembers,
  totpInputs,
  totpSettings,
  valueInputs,
} from "./properties.js";

/** Values to enter in a login, stored by the service. */
const credential: OwnedResource<CredentialInputs, CredentialState, Credential> = {
  resource: "Credential",
  noun: "credential",
  isInProject: true,
  notFoundCode: "credential_not_found",
  deleteCommand: "browser-infra credentials delete",
  inputs: credentialInputs,
  state: credentialState,
  managedMarker: "domain",
  failures: (news, _olds, _apiKey, { context }) => credentialFailures(news, context),
  complete: (declared, news, olds, { context }) => ({
    ...declared,
    values: declared.values ?? {},
    secretDigests: digestsOf(namedSecrets(news, namedMembers), olds?.secretDigests, context),
  }),
  // An import has no values, like a program that declares none.
  withDefaults: (state) => ({ ...state, values: state.values ?? {} }),
  differingInputs: differingSettings,
  list: credentialsOf,
  listOmits: ["valueKeys"],
  find: (id, projectId, call) => ignoreNotFound(credentialsOf(projectId, call).get(id, call.options)),
  holderOf: async (name, projectId, call) => {
    const holder = await credentialsOf(projectId, call).holderOf(name, call.options);
    // A list does not contain the names of the values.
    return holder && ignoreNotFound(credentialsOf(projectId, call).get(holder.id, call.options));
  },
  create: (inputs, name, call) =>
    credentialsOf(inputs.projectId, call).create(
      {
        ...inputs,
        ...secretsOf(inputs, call),
        name,
        domain: requireKnown(inputs.domain, "domain", "Credential"),
      },
      call.options,
    ),
  change: (live, inputs, known, call, isInDoubt) => {
    const changes = credentialChanges(live, inputs, isInDoubt ? undefined : known, call);
    return Object.keys(changes).length === 0
      ? undefined
      : () => credentialsOf(inputs.projectId, call).update(live.id, changes, call.options);
  },
  doubt: ({ valueKeys, hasTotpSecret }, sent) => {
    const sentKeys = Object.keys({ ...sent.values, ...sent.valuesFromEnv, ...sent.valuesFromConfig });
    const others = (valueKeys ?? []).filter((key) => !sentKeys.includes(key));
    const hasOtherTotp = hasTotpSecret && totpInputs.every((input) => sent[input] === undefined);
    const extra = [...others.map(memberName), ...(hasOtherTotp ? ["a TOTP secret"] : [])];
    return extra.length === 0 ? undefined : `it has values that were not sent: ${listed(extra)}`;
  },
  remove: (id, { projectId }, call) => credentialsOf(projectId, call).delete(id, call.options),
  stateOf: (live, inputs, known = {}) => ({ ...(inputs ?? known), ...liveProperties(live, inputs ?? known) }),
  readWarning: ({ id, name, valueKeys, hasTotpSecret }, isImport) => {
    const secrets = [
      ...(valueKeys ?? []).map((key) => `values.${memberName(key)}`),
      ...(hasTotpSecret ? ["totpSecret"] : []),
    ];
    const declared = secrets.length === 0 ? "the values" : listed(secrets, secrets.length);
    return isImport
      ? `The service does not show the values of credential ${quote(name)} (${id}). Declare ${declared}: the next "pulumi up" sends what the program declares.`
      : undefined;
  },
  advice:
    "Always set the resource option `deleteBeforeReplace` to true. Names are unique in a project, so a forced " +
    "replacement (`--replace`, `pulumi state taint`) must delete the old credential first.",
};

/**
 * Request that makes a live credential as declared. The service never shows values: if the state is
 * unknown or in doubt, all declared values are sent again, and all other values are removed.
 */
function credentialChanges(
  live: Credential,
  inputs: CredentialInputs,
  known: CredentialState | undefined,
  call: Call,
): CredentialChanges {
  const { name, ssoProvider } = inputs;
  const fields = fieldsOf(inputs);
  const former = known === undefined ? (live.valueKeys ?? []) : fieldsOf(known);
  const removed = former.filter((key) => !fields.includes(key));
  const isMissing = fields.some((key) => live.valueKeys?.includes(key) === false);
  const changesValues = isMissing || differs(valueInputs, "values.", inputs, known);
  const hasTotp = totpInputs.some((each) => inputs[each] !== undefined);
  const changesTotp =
    live.hasTotpSecret !== hasTotp ||
    (hasTotp && differs([...totpInputs, ...totpSettings], "totpSecret", inputs, known)) ||
    totpSettings.some((each) => inputs[each] !== undefined && inputs[each] !== live[each]);
  const { values, totpSecret } = changesValues || changesTotp ? secretsOf(inputs, call) : {};
  return {
    ...(live.name === name ? {} : { name }),
    ...(changesValues ? { values } : {}),
    ...(removed.length > 0 ? { removeValueKeys: removed } : {}),
    ...((ssoProvider ?? null) === live.ssoProvider ? {} : { ssoProvider: ssoProvider ?? null }),
    ...(changesTotp
      ? hasTotp
        ? { ...Object.fromEntries(totpSettings.map((each) => [each, inputs[each]])), totpSecret }
        : { totpSecret: null }
      : {}),
  };
}

/** Fields of the values that a program gives or names. */
function fieldsOf(inputs: CredentialInputs | CredentialState): string[] {
  return valueInputs.flatMap((each) => Object.keys(inputs[each] ?? {}));
}

/** Whether an input in `names` differs, or the digest of a secret whose path begins with `path`. */
function differs(
  names: readonly (typeof valueInputs | typeof totpInputs | typeof totpSettings)[number][],
  path: string,
  inputs: CredentialInputs,
  known: CredentialState = {},
): boolean {
  const digests = ({ secretDigests = {} }: CredentialState) =>
    Object.entries(secretDigests).filter(([secret]) => secret.startsWith(path));
  return (
    names.some((each) => !isDeepStrictEqual(known[each], inputs[each])) ||
    !isDeepStrictEqual(digests(known), digests(inputs))
  );
}

/** Secrets of a request, given by value or named in the program. */
function secretsOf({ totpSecret, ...inputs }: CredentialInputs, { context }: Call) {
  const [named] = namedSecrets(inputs, ["totpSecret"]);
  return {
    values: valuesOf(inputs, "values", context),
    totpSecret: totpSecret ?? (named && secretOf(named, context)),
  };
}

export const credentialKind = ownedKind(credential);
