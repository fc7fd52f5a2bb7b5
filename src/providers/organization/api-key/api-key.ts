import { isDeepStrictEqual } from "node:util";
import { ignoreNotFound } from "../../../client/not-found.js";
import { isSameTime } from "../../../client/organization/api-key-policy.js";
import { dateTimeMs } from "../../../text/date-time.js";
import { quote } from "../../../text/escape.js";
import type { Issued, OwnedResource } from "../../core/owned/declaration.js";
import { ownedKind } from "../../core/owned/lifecycle.js";
import { unknownValue } from "../../properties.js";
import { apiKeysOf } from "../../reads/lists.js";
import { listedKeys, nameKey } from "../api-key-name/rename.js";
import { KeyRotation, resultsOfRotation } from "./key-rotation.js";
import { refuseOwnKey } from "./own-key.js";
import {
  lossWarning,
  policyChange,
  policyDrift,
  policyInput,
  policyReplaces,
  undeclaredPolicy,
} from "./policy.js";
import {
  type ApiKeyInputs,
  type ApiKeyState,
  apiKeyFailures,
  apiKeyInputs,
  apiKeyState,
  type DeclaredApiKey,
  hasOtherExpiry,
  idsOf,
  type LiveKey,
  stateOf,
} from "./properties.js";
import { createKey, keysNamed } from "./rotation.js";

/** The service shows the secret of a key once, in the response to the creation or rotation. */
const issued: Issued<LiveKey> = { shown: "secret", named: keysNamed, resultsOf: resultsOfRotation };

const apiKey: OwnedResource<ApiKeyInputs, ApiKeyState, LiveKey> = {
  resource: "ApiKey",
  noun: "API key",
  notFoundCode: "api_key_not_found",
  deleteCommand: "browser-infra api-keys delete",
  idsOf,
  issued,
  inputs: apiKeyInputs,
  state: apiKeyState,
  managedMarker: "keyId",
  failures: apiKeyFailures,
  replacingInputs: (state, { projectId, daysToExpire, expiresAt, policy, triggers }) => [
    ...(projectId === state.projectId ? [] : ["projectId"]),
    // A rotation cannot make a key that never expires.
    ...(daysToExpire === undefined && state.daysToExpire !== undefined ? ["daysToExpire"] : []),
    ...(isDeclaredExpiry(state, expiresAt) ? [] : ["expiresAt"]),
    ...(policyReplaces(state, policy) ? ["policy"] : []),
    // A key with a declared end is not rotated.
    ...(expiresAt === undefined || isDeepStrictEqual(state.triggers, triggers) ? [] : ["triggers"]),
  ],
  differingInputs: (state, inputs) => {
    const known = inputsIn(state);
    const names = Object.keys(apiKeyInputs.types) as (keyof DeclaredApiKey)[];
    return names.filter((input) => !isDeepStrictEqual(inputs[input], known[input]));
  },
  list: listedKeys,
  find: (id, _projectId, call) => ignoreNotFound(apiKeysOf(call).get(id, call.options)),
  holderOf: async (name, projectId, call) => (await keysNamed({ name }, projectId, call))[0],
  create: (inputs, name, call) => createKey(inputs, name, call),
  onChange: (state, { policy }, { context }) => {
    const loss = policy === unknownValue ? undefined : lossWarning(state, policy);
    if (loss !== undefined) {
      context.report.warning(loss);
    }
  },
  change: (live, inputs, known = {}, call) => {
    const { name = live.name } = inputs;
    const changePolicy = policyChange(live, inputs, known, call);
    return live.name === name && changePolicy === undefined
      ? undefined
      : // The response may omit all other members. A change does not change other members.
        async () => ({
          ...live,
          name: live.name === name ? name : (await nameKey(live.id, name, call)).name,
          policy: changePolicy === undefined ? live.policy : await changePolicy(),
        });
  },
  remove: async (id, _state, call) => {
    await refuseOwnKey({ id }, "delete", call);
    await apiKeysOf(call).delete(id, call.options);
  },
  undeclared: undeclaredPolicy,
  refuseRemoval: async ([presentId = "", ...formerIds], { maskedKey }, call) => {
    await refuseOwnKey({ id: presentId, maskedKey }, "delete", call);
    for (const id of formerIds) {
      await refuseOwnKey({ id }, "delete", call);
    }
  },
  stateOf,
  inputsIn,
  drift: (id, known, live) => [
    ...(hasOtherExpiry({ expiresAt: live.expiresAt ?? null }, known)
      ? [
          `The expiry of API key ${id} was changed outside of this program: from ${known.expiresAt ?? "never"} to ${live.expiresAt ?? "never"}. The cause may be a rotation. The next "pulumi up" creates a new key.`,
        ]
      : []),
    ...policyDrift(id, known, live),
  ],
  readWarning: ({ id, name, expiresAt }, isImport) => {
    const hasExpired = (dateTimeMs(expiresAt ?? "") ?? Number.POSITIVE_INFINITY) <= Date.now();
    if (hasExpired) {
      return `API key ${quote(name)} (${id}) expired on ${expiresAt}: the service refuses requests with this key. To get a new key, change "expiresAt" if declared, otherwise "triggers".`;
    }
    return isImport
      ? `The service shows the secret of a key only once, so "key" of API key ${id} has no value until the key is rotated.`
      : undefined;
  },
};

/** Inputs in a state. The `expiresAt` and `policy` of the state belong to the live key. */
function inputsIn(state: ApiKeyState): ApiKeyState {
  return { ...state, expiresAt: state.declaredExpiry, policy: policyInput(state) };
}

/** Whether a key expires at the declared time, or no expiry is declared, now and before. */
function isDeclaredExpiry(
  { expiresAt, declaredExpiry }: ApiKeyState,
  declared: DeclaredApiKey["expiresAt"],
): boolean {
  return declared === undefined
    ? declaredExpiry === undefined
    : declared !== unknownValue && isSameTime(expiresAt ?? "", declared);
}

/** API keys, for the bridges. */
export const apiKeyKind = ownedKind(apiKey, KeyRotation);
