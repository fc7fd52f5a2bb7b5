/**
 * Policy of an API key. Undeclared members, such as conditions that a person added, are not drift:
 * changes and rotations keep them, and a replacement loses them.
 */
import { isDeepStrictEqual } from "node:util";
import type { ApiKeyPolicy, ApiKeyStatement } from "../../../client/index.js";
import { ignoreNotFound } from "../../../client/not-found.js";
import {
  counterpart,
  isSamePolicy,
  undeclaredMembers,
  withUndeclared,
} from "../../../client/organization/api-key-policy.js";
import { ApiError } from "../../../errors.js";
import { dateTimeMs } from "../../../text/date-time.js";
import { quote } from "../../../text/escape.js";
import { listed } from "../../../text/words.js";
import type { Call } from "../../call.js";
import { MarkedFailure } from "../../core/marks.js";
import { type PropertyMap, type PropertyValue, unknownValue } from "../../properties.js";
import { apiKeysOf } from "../../reads/lists.js";
import { refuseOwnKey } from "./own-key.js";
import type { ApiKeyInputs, ApiKeyState, DeclaredApiKey, LiveKey } from "./properties.js";

/** Whether the live policy of a state is as declared. Formerly declared members must be gone. */
function isAsDeclared({ policy, declaredPolicy }: ApiKeyState, declared: ApiKeyPolicy | undefined) {
  return isSamePolicy(policy, declared && withUndeclared(declared, policy, declaredPolicy));
}

/** Policy among the inputs of a state: the declared policy, unless the live policy differs. */
export function policyInput(state: ApiKeyState): ApiKeyPolicy | undefined {
  return isAsDeclared(state, state.declaredPolicy) ? state.declaredPolicy : state.policy;
}

/**
 * Whether a new policy needs a new key. No request removes a policy, as far as published. A policy
 * that the service has refused to change in place is refused again.
 */
export function policyReplaces(state: ApiKeyState, policy: DeclaredApiKey["policy"]): boolean {
  const refused = state.unfinished?.refused?.policy;
  return policy === undefined
    ? state.policy !== undefined
    : refused !== undefined && (policy === unknownValue || isDeepStrictEqual(policy, refused));
}

/**
 * Request that gives a live key the declared policy; undefined if the key has the policy. Undeclared
 * members of the live policy are sent as well: the service replaces the whole policy.
 */
export function policyChange(
  live: LiveKey,
  { policy }: ApiKeyInputs,
  { declaredPolicy, previousKeys = [] }: ApiKeyState,
  call: Call,
): (() => Promise<ApiKeyPolicy>) | undefined {
  const wanted = policy && withUndeclared(policy, live.policy, declaredPolicy);
  if (policy === undefined || wanted === undefined || isSamePolicy(live.policy, wanted)) {
    return undefined;
  }
  const isValid = ({ expiresAt = "" }) => (dateTimeMs(expiresAt) ?? Number.POSITIVE_INFINITY) > Date.now();
  const change = async (id: string) => {
    await refuseOwnKey({ id, ...(id === live.id && { maskedKey: live.maskedKey }) }, "restrict", call);
    return apiKeysOf(call).changePolicy(id, wanted, call.options);
  };
  return async () => {
    try {
      // The present key last: as long as its policy differs, the next deployment sends all again.
      for (const { id } of previousKeys.filter(isValid)) {
        await (id && ignoreNotFound(change(id)));
      }
      await change(live.id);
      return wanted;
    } catch (error) {
      throw error instanceof ApiError && error.status === 400 ? refusedChange(error, policy) : error;
    }
  };
}

/** Adds advice to a refusal, and records the refused policy for the next preview. */
function refusedChange(error: ApiError, policy: ApiKeyPolicy): MarkedFailure {
  const advised = error.withAdvice(
    'Correct the policy if it is wrong. If it is right, the service cannot change a policy in place: the next "pulumi up" then replaces the key, and its preview says so.',
  );
  return new MarkedFailure(advised, { refused: { policy: policy as unknown as PropertyValue } });
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
    : `The new policy loses undeclared parts: ${quoted(names)}. To keep these parts, declare them.`;
}

/** Members of a live policy that the program does not declare. Of members in statements, only the names. */
export function undeclaredPolicy(live: LiveKey, { declaredPolicy }: ApiKeyState): PropertyMap {
  const policy = live.policy ?? undefined;
  const own = { statements: [], action: "", resource: "" };
  const members = declaredPolicy === undefined ? {} : undeclaredMembers(own, policy, declaredPolicy);
  const inStatements = declaredPolicy === undefined ? [] : namesInStatements(policy, declaredPolicy);
  return {
    ...Object.fromEntries(inStatements.map((name) => [`policy.statements.${name}`, unknownValue])),
    ...Object.fromEntries(Object.entries(members).map(([name, value]) => [`policy.${name}`, value])),
  };
}

/** Describes a change of the policy that was made outside of the program. */
export function policyDrift(id: string, known: ApiKeyState, live: ApiKeyState): readonly string[] {
  if (isSamePolicy(known.policy, live.policy)) {
    return [];
  }
  if (!isAsDeclared(live, live.declaredPolicy)) {
    const does = policyReplaces(live, live.declaredPolicy) ? "replaces the key" : "restores the policy";
    return [
      `The policy of API key ${id} was changed outside of this program: ${listed(differences(known.policy, live.policy))}. The next "pulumi up" ${does}.`,
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

/** Describes the differences of two policies, each as a part of a sentence. */
function differences(before: ApiKeyPolicy | undefined, after: ApiKeyPolicy | undefined): readonly string[] {
  const statements = (
    of: ApiKeyPolicy | undefined,
    other: ApiKeyPolicy | undefined,
    isMeant: (one: ApiKeyStatement, counterpart: ApiKeyStatement | undefined) => unknown,
    what: string,
  ) =>
    of === undefined
      ? []
      : of.statements
          .filter((each, at) => isMeant(each, counterpart(of, at, other)))
          .map(({ action, resource }) => `${quote(action)} on ${quote(resource)} ${what}`);
  const found = [
    ...statements(after, before, (_one, counterpart) => counterpart === undefined, "was added"),
    ...statements(before, after, (_one, counterpart) => counterpart === undefined, "was removed"),
    ...statements(before, after, (one, now) => now && !isDeepStrictEqual(one, now), "has other conditions"),
    ...Object.keys({ ...before, ...after })
      .filter((name) => name !== "statements" && !isDeepStrictEqual(before?.[name], after?.[name]))
      .map((name) => `${quote(name)} differs`),
  ];
  return found.length === 0 ? ["its statements are in another order"] : found;
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
