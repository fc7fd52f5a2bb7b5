/**
 * Policy of an API key. A program may declare a part of the policy. Undeclared members, such as
 * conditions that a person added, are not drift: rotations and replacements keep such members.
 */

import type { ApiKeyPolicy } from "../../../client/index.js";
import {
  counterpart,
  isSamePolicy,
  undeclaredMembers,
  withUndeclared,
} from "../../../client/organization/api-key-policy.js";
import { quote } from "../../../text/escape.js";
import { listed } from "../../../text/words.js";
import type { ApiKeyInputs, ApiKeyState } from "./properties.js";

/** Whether the live policy of a state is as declared. Formerly declared members must be gone. */
export function isAsDeclared({ policy, declaredPolicy }: ApiKeyState, declared: ApiKeyPolicy | undefined) {
  return isSamePolicy(policy, declared && withUndeclared(declared, policy, declaredPolicy));
}

/** Policy among the inputs of a state: the declared policy, unless the live policy differs. */
export function policyInput(state: ApiKeyState): ApiKeyPolicy | undefined {
  return isAsDeclared(state, state.declaredPolicy) ? state.declaredPolicy : state.policy;
}

/** Inputs of a key that succeeds an old key, with the undeclared members of the old policy. */
export function inherit(
  inputs: ApiKeyInputs,
  { policy: live }: { readonly policy?: ApiKeyPolicy | null | undefined },
  { declaredPolicy }: ApiKeyState,
): ApiKeyInputs {
  const { policy } = inputs;
  return policy === undefined ? inputs : { ...inputs, policy: withUndeclared(policy, live, declaredPolicy) };
}

/** Warning about undeclared members that the new policy lacks; undefined without a loss. */
export function lossWarning({ policy, declaredPolicy }: ApiKeyState, declared: ApiKeyPolicy | undefined) {
  const isKept = (at: number) => policy && declared && counterpart(policy, at, declared) !== undefined;
  const names = [
    ...(declared === undefined ? undeclaredNames(policy, declaredPolicy) : []),
    ...namesInStatements(policy, declaredPolicy, (at) => !isKept(at)),
  ];
  return names.length === 0
    ? undefined
    : `The replacement loses undeclared parts of the policy: ${quoted(names)}. To keep these parts, declare them.`;
}

/** Describes a change of the policy that was made outside of the program. */
export function policyDrift(id: string, known: ApiKeyState, live: ApiKeyState): readonly string[] {
  if (isSamePolicy(known.policy, live.policy)) {
    return [];
  }
  if (!isAsDeclared(live, live.declaredPolicy)) {
    return [
      `The policy of API key ${id} was changed outside of this program. The next "pulumi up" replaces the key.`,
    ];
  }
  const names = [known, live].flatMap(({ policy, declaredPolicy }) => [
    ...undeclaredNames(policy, declaredPolicy),
    ...namesInStatements(policy, declaredPolicy),
  ]);
  return [
    `The policy of API key ${id} was changed outside of this program, in undeclared parts: ${quoted(names)}. Deployments keep the change.`,
  ];
}

function namesInStatements(
  policy: ApiKeyPolicy | undefined,
  declared: ApiKeyPolicy | undefined,
  isMeant: (at: number) => boolean = () => true,
): string[] {
  return (policy?.statements ?? []).flatMap((statement, at) =>
    policy !== undefined && isMeant(at) ? undeclaredNames(statement, counterpart(policy, at, declared)) : [],
  );
}

/** Names of the undeclared members of a policy or a statement. */
function undeclaredNames(part: object | undefined, declared: object | undefined): string[] {
  return Object.keys(undeclaredMembers({ statements: [], action: "", resource: "" }, part, declared));
}

function quoted(names: readonly string[]): string {
  return listed([...new Set(names)].map((name) => quote(name)));
}
