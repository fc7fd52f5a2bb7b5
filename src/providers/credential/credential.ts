import { isDeepStrictEqual } from "node:util";
import type { Credential, CredentialChanges } from "../../client/index.js";
import { ignoreNotFound } from "../../client/refusals.js";
import { quote } from "../../text/escape.js";
import type { Call } from "../call.js";
import type { OwnedResource } from "../core/owned/declaration.js";
import { OwnedLifecycle } from "../core/owned/lifecycle.js";
import type { Kind } from "../lifecycle.js";
import { requireKnown } from "../properties.js";
import {
  type CredentialInputs,
  type CredentialState,
  credentialFailures,
  credentialInputs,
  credentialState,
  differingSettings,
  liveProperties,
  totpSettings,
} from "./properties.js";

/** What a login enters, stored by the service. */
const credential: OwnedResource<CredentialInputs, CredentialState, Credential> = {
  resource: "Credential",
  noun: "credential",
  isInProject: true,
  notFoundCode: "credential_not_found",
  deleteCommand: "browser-infra credentials delete",
  inputs: credentialInputs,
  state: credentialState,
  essential: "domain",
  failures: credentialFailures,
  differing: differingSettings,
  find: (id, projectId, call) => ignoreNotFound(credentialsOf(projectId, call).get(id, call.options)),
  holderOf: async (name, projectId, call) => {
    const holder = await credentialsOf(projectId, call).holderOf(name, call.options);
    // A list does not have the names of the values.
    return holder && ignoreNotFound(credentialsOf(projectId, call).get(holder.id, call.options));
  },
  create: ({ projectId, domain, values, ...settings }, name, call) =>
    credentialsOf(projectId, call).create(
      {
        ...settings,
        name,
        domain: requireKnown(domain, "domain", "Credential"),
        values: requireKnown(values, "values", "Credential"),
      },
      call.options,
    ),
  change: (live, inputs, known, call, isInDoubt) => {
    const changes = changeOf(live, inputs, isInDoubt ? undefined : known);
    return Object.keys(changes).length === 0
      ? undefined
      : () => credentialsOf(inputs.projectId, call).update(live.id, changes, call.options);
  },
  remove: (id, { projectId }, call) => credentialsOf(projectId, call).delete(id, call.options),
  stateOf: (live, inputs, known = {}) => ({ ...(inputs ?? known), ...liveProperties(live, inputs ?? known) }),
  concern: ({ id, name }, isImport) =>
    isImport
      ? `The service does not show the values of credential ${quote(name)} (${id}). The first "pulumi up" sends those that the program declares.`
      : undefined,
};

/**
 * The request that makes a live credential as declared. The service never shows a value, so those
 * of a credential whose state is unknown or in doubt are sent again, and any other value is removed.
 */
function changeOf(
  live: Credential,
  inputs: CredentialInputs,
  known: CredentialState | undefined,
): CredentialChanges {
  const { name, values = {}, ssoProvider, totpSecret } = inputs;
  const former = known === undefined ? (live.valueKeys ?? []) : Object.keys(known.values ?? {});
  const removed = former.filter((key) => !Object.hasOwn(values, key));
  const isMissing = Object.keys(values).some((key) => live.valueKeys?.includes(key) === false);
  const changesValues = isMissing || !isDeepStrictEqual(known?.values, inputs.values);
  const changesTotp =
    live.hasTotpSecret !== (totpSecret !== undefined) ||
    (totpSecret !== undefined &&
      totpSettings.some((each) => !isDeepStrictEqual(known?.[each], inputs[each]))) ||
    totpSettings.some(
      (each) => each !== "totpSecret" && inputs[each] !== undefined && inputs[each] !== live[each],
    );
  return {
    ...(live.name === name ? {} : { name }),
    ...(changesValues ? { values } : {}),
    ...(removed.length > 0 ? { removeValueKeys: removed } : {}),
    ...((ssoProvider ?? null) === live.ssoProvider ? {} : { ssoProvider: ssoProvider ?? null }),
    ...(changesTotp
      ? totpSecret === undefined
        ? { totpSecret: null }
        : Object.fromEntries(totpSettings.map((each) => [each, inputs[each]]))
      : {}),
  };
}

function credentialsOf(projectId: string | undefined, call: Call) {
  return call.clientFor(projectId).credentials;
}

/** Credentials, as the bridges drive them. */
export const credentialKind: Kind = {
  inputs: credentialInputs,
  state: credentialState,
  lifecycle: (accounts) => new OwnedLifecycle(credential, accounts),
  advice:
    "Always set the resource option `deleteBeforeReplace` to true. Names are unique in a project, so a replacement " +
    "that you force (`--replace`, `pulumi state taint`) can only delete the old credential first.",
};
