import type { ApiKey, ApiKeyPolicy, CreatedApiKey } from "../../../client/index.js";
import { isIntegerFrom, settingProblems } from "../../../client/options.js";
import { expiryProblem, isSameTime, policyProblem } from "../../../client/organization/api-key-policy.js";
import { keyDaysMax } from "../../../client/organization/api-key-rotation.js";
import { dateTimeMs } from "../../../text/date-time.js";
import { marks } from "../../core/marks.js";
import type { CheckFailure } from "../../lifecycle.js";
import { formFailures } from "../../messages/input-failures.js";
import {
  type DeclaredOf,
  Properties,
  type PropertiesOf,
  type PropertyMap,
  type PropertyType,
  t,
  unknownValue,
} from "../../properties.js";
import { keyNameProblem, keyOutputs, liveProperties } from "../api-key-name/properties.js";

const openPolicy = t.openObject({
  statements: t.listOf(t.openObject({ action: t.string, resource: t.string })),
}) as PropertyType<ApiKeyPolicy>;

/** Policy, including members without a declared type. `check` refuses an incomplete statement. */
const policyType: PropertyType<ApiKeyPolicy> = {
  ...openPolicy,
  read: (value) => {
    const policy = openPolicy.read(value);
    return policy?.statements === undefined ? undefined : policy;
  },
};

/** Inputs of an ApiKey as returned by `check`: always with a name. */
export const apiKeyInputs = new Properties({
  name: t.string,
  projectId: { ...t.string, replaces: true },
  daysToExpire: { ...t.integer, isInternal: true },
  expiresAt: { ...t.string, replaces: true },
  policy: policyType,
  rotateBeforeDays: { ...t.integer, isInternal: true },
  triggers: { ...t.anything, isInternal: true },
  keepOldKeyDays: { ...t.integer, isInternal: true },
});
export type ApiKeyInputs = PropertiesOf<typeof apiKeyInputs>;
export type DeclaredApiKey = DeclaredOf<typeof apiKeyInputs>;

export const apiKeyState = new Properties({
  ...apiKeyInputs.types,
  /** Id of the present key. The resource keeps the id of the first key. */
  keyId: t.string,
  /** Secret. Missing after an import: the service shows a secret only once. */
  key: { ...t.string, isSecret: true },
  ...keyOutputs,
  /** Declared expiry. The output `expiresAt` is the live expiry. */
  declaredExpiry: { ...t.string, isInternal: true },
  /** Declared policy. The output `policy` also has undeclared members. */
  declaredPolicy: { ...policyType, isInternal: true },
  /** Keys replaced by rotations and not yet deleted, oldest first. */
  previousKeys: t.listOf(t.object({ id: t.string, expiresAt: t.string })),
  ...marks,
});
export type ApiKeyState = PropertiesOf<typeof apiKeyState>;

/** Key from a list or a read, or from the response to a creation or rotation, with the secret. */
export type LiveKey = ApiKey | CreatedApiKey;

/** Ids of the keys of a resource: the present key, and keys before rotations. */
export function idsOf(id: string, { keyId = id, previousKeys = [] }: ApiKeyState): readonly string[] {
  return [keyId, ...previousKeys.flatMap((key) => key.id ?? [])];
}

/** State of a live key. Without inputs, for a read: the known state with the live values. */
export function stateOf(
  live: LiveKey,
  inputs: ApiKeyInputs | undefined,
  known: ApiKeyState | undefined,
): ApiKeyState {
  if (inputs === undefined) {
    // An import has no known state, so the lifetime comes from the live key.
    const { daysToExpire = known?.keyId === undefined ? lifetimeDays(live) : undefined } = known ?? {};
    const rotated = known && rotationMark(live, known);
    return { previousKeys: [], ...known, daysToExpire, ...outputsOf(live), ...rotated };
  }
  // Drops inputs that are no longer declared.
  const kept = Object.entries(known ?? {}).filter(
    ([name]) => name !== "unfinished" && !Object.hasOwn(apiKeyInputs.types, name),
  );
  const { expiresAt: declaredExpiry, policy: declaredPolicy } = inputs;
  return {
    previousKeys: [],
    ...Object.fromEntries(kept),
    ...inputs,
    ...outputsOf(live),
    declaredExpiry,
    declaredPolicy,
  };
}

/** Setting that an unfinished rotation leaves different from the declaration. */
export const expiry = "expiresAt";

/**
 * Mark of a key whose expiry was changed by a rotation unknown to the state, in a killed deployment
 * or outside of the program. Set by a refresh. The next update gives the resource a new key.
 */
function rotationMark(live: LiveKey, known: ApiKeyState): Pick<ApiKeyState, "unfinished"> {
  return known.keyId !== undefined && hasOtherExpiry(live, known)
    ? { unfinished: { reason: "The key was rotated.", settings: [{ name: expiry }] } }
    : {};
}

/** Whether the live expiry of a key differs from the state, as after a rotation elsewhere. */
export function hasOtherExpiry({ expiresAt }: Pick<LiveKey, "expiresAt">, known: ApiKeyState): boolean {
  // The response to the creation may have omitted the expiry.
  const isOmitted =
    known.expiresAt === undefined && (known.daysToExpire ?? known.declaredExpiry) !== undefined;
  const isSame =
    (expiresAt ?? undefined) === known.expiresAt || isSameTime(expiresAt ?? "", known.expiresAt ?? "");
  return !isOmitted && !isSame;
}

/** Outputs from the service's record of a key, with the secret of a new key. */
function outputsOf(key: LiveKey) {
  return {
    ...liveProperties(key),
    ...("key" in key ? { key: key.key } : {}),
    policy: key.policy ?? undefined,
  };
}

/** Length of a day, in milliseconds. */
export const dayMs = 86_400_000;

/** Lifetime of a key at the creation, in days, at least 1; undefined if the key never expires. */
function lifetimeDays({ createdAt, expiresAt }: ApiKey): number | undefined {
  const [from, to] = [dateTimeMs(createdAt ?? ""), dateTimeMs(expiresAt ?? "")];
  return from === undefined || to === undefined ? undefined : Math.max(1, Math.round((to - from) / dayMs));
}

/** Reports all invalid inputs of an ApiKey at once. Unknown values pass. */
export function apiKeyFailures(news: PropertyMap, olds?: ApiKeyInputs): CheckFailure[] {
  // The policy is checked as given, including members that are not read or have a wrong type.
  const { policy: given, ...others } = news;
  const days = (least: number) => `must be a whole number of days from ${least} to ${keyDaysMax}`;
  const forms = {
    projectId: 'must be the id of a project. For a key of the whole organization, remove "projectId"',
    daysToExpire: `${days(1)}. For a key that never expires, remove the input`,
    rotateBeforeDays: days(1),
    keepOldKeyDays: days(0),
  };
  const isWrong = (value: number | undefined, least: number) =>
    value !== undefined && !isIntegerFrom(value, least, keyDaysMax);
  return formFailures(others, apiKeyInputs, "An ApiKey", forms, (formed) => {
    const { name, daysToExpire, rotateBeforeDays, keepOldKeyDays, expiresAt } = formed;
    // An existing key may have expired meanwhile.
    const isKept = expiresAt === undefined || expiresAt === olds?.expiresAt;
    const { policy } = apiKeyInputs.readDeclared(news);
    const isJudged = given !== undefined && policy !== unknownValue;
    return settingProblems([
      ["name", name !== undefined && keyNameProblem(name)],
      ["policy", isJudged && policyProblem(policy && (given as unknown as ApiKeyPolicy))],
      ["expiresAt", !isKept && expiryProblem(expiresAt)],
      [
        "expiresAt",
        news.expiresAt !== undefined &&
          news.daysToExpire !== undefined &&
          'cannot be combined with "daysToExpire". Give one of them',
      ],
      ["daysToExpire", isWrong(daysToExpire, 1) && forms.daysToExpire],
      ["rotateBeforeDays", isWrong(rotateBeforeDays, 1) && forms.rotateBeforeDays],
      [
        "rotateBeforeDays",
        rotateBeforeDays !== undefined &&
          news.daysToExpire === undefined &&
          'needs "daysToExpire": otherwise, a new key would not last longer. Add "daysToExpire", or use "triggers" to rotate',
      ],
      [
        "rotateBeforeDays",
        daysToExpire !== undefined &&
          rotateBeforeDays !== undefined &&
          rotateBeforeDays >= daysToExpire &&
          `(${rotateBeforeDays}) must be less than "daysToExpire" (${daysToExpire}): otherwise every deployment rotates the key`,
      ],
      ["keepOldKeyDays", isWrong(keepOldKeyDays, 0) && forms.keepOldKeyDays],
      [
        "keepOldKeyDays",
        news.expiresAt !== undefined &&
          news.keepOldKeyDays !== undefined &&
          'cannot be combined with "expiresAt": a key with "expiresAt" is replaced and not rotated, and the old key is deleted',
      ],
      [
        "keepOldKeyDays",
        daysToExpire !== undefined &&
          keepOldKeyDays !== undefined &&
          keepOldKeyDays > daysToExpire &&
          `(${keepOldKeyDays}) must not exceed "daysToExpire" (${daysToExpire}): the service refuses to keep an old key longer than the new key`,
      ],
    ]);
  });
}
