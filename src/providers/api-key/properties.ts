import { expiryProblem, isSameTime, policyProblem } from "../../client/api-key-policy.js";
import { keyDaysMax } from "../../client/api-key-rotation.js";
import type { ApiKey, ApiKeyPolicy, CreatedApiKey } from "../../client/index.js";
import { dateTimeMs } from "../../text/date-time.js";
import { keyNameProblem } from "../api-key-name/properties.js";
import { marks } from "../core/marks.js";
import { type CheckFailure, undeclaredInputs } from "../lifecycle.js";
import {
  type DeclaredOf,
  Properties,
  type PropertiesOf,
  type PropertyMap,
  type PropertyType,
  type PropertyValue,
  t,
  unknownValue,
} from "../properties.js";

const openPolicy = t.openObject({
  statements: t.listOf(t.openObject({ action: t.string, resource: t.string })),
}) as PropertyType<ApiKeyPolicy>;

/** A policy with its unknown members. `check` refuses a statement of which a part is missing. */
const policyType: PropertyType<ApiKeyPolicy> = {
  ...openPolicy,
  read: (value) => {
    const policy = openPolicy.read(value);
    return policy?.statements === undefined ? undefined : policy;
  },
};

/** The inputs of an ApiKey, as `check` returns them: with a name in any case. */
export const apiKeyInputs = new Properties({
  name: t.string,
  projectId: { ...t.string, replaces: true },
  daysToExpire: { ...t.integer, isInternal: true },
  expiresAt: { ...t.string, replaces: true },
  policy: { ...policyType, replaces: true },
  rotateBeforeDays: { ...t.integer, isInternal: true },
  triggers: { ...t.anything, isInternal: true },
  keepOldKeyDays: { ...t.integer, isInternal: true },
});
export type ApiKeyInputs = PropertiesOf<typeof apiKeyInputs>;
export type DeclaredApiKey = DeclaredOf<typeof apiKeyInputs>;

/** What the state keeps of an ApiKey. */
export const apiKeyState = new Properties({
  ...apiKeyInputs.types,
  /** Id of the present key. The resource keeps the id of its first one. */
  keyId: t.string,
  /** The secret. Missing after an import: the service shows it only once. */
  key: { ...t.string, isSecret: true },
  maskedKey: t.string,
  createdAt: t.string,
  createdBy: t.object({ id: t.string, email: t.string, name: t.string }),
  projectName: t.string,
  expiresAt: t.string,
  /** The expiry that the program declares: an output has that name, too. */
  declaredExpiry: { ...t.string, isInternal: true },
  /** The policy that the program declares. The output also has what it does not declare. */
  declaredPolicy: { ...policyType, isInternal: true },
  /** Keys that rotations have replaced, oldest first, until they are deleted. */
  previousKeys: t.listOf(t.object({ id: t.string, expiresAt: t.string })),
  ...marks,
});
export type ApiKeyState = PropertiesOf<typeof apiKeyState>;

/** The state of a live key. Without inputs: of one that is read, with what is known of it. */
export function stateOf(
  live: ApiKey | CreatedApiKey,
  inputs: ApiKeyInputs | undefined,
  known: ApiKeyState | undefined,
): ApiKeyState {
  if (inputs === undefined) {
    // An import knows no more than the service says.
    const { daysToExpire = known?.keyId === undefined ? lifetimeDays(live) : undefined } = known ?? {};
    const rotated = known && markOfRotation(live, known);
    return { previousKeys: [], ...known, daysToExpire, ...liveProperties(live), ...rotated };
  }
  // Inputs that the program no longer gives are gone.
  const kept = Object.entries(known ?? {}).filter(
    ([name]) => name !== "unfinished" && !Object.hasOwn(apiKeyInputs.types, name),
  );
  const { expiresAt: declaredExpiry, policy: declaredPolicy } = inputs;
  return {
    previousKeys: [],
    ...Object.fromEntries(kept),
    ...inputs,
    ...liveProperties(live),
    declaredExpiry,
    declaredPolicy,
  };
}

/** The setting that an unfinished rotation leaves in another state than the program declares. */
export const expiry = "expiresAt";

/**
 * The mark of a key that a rotation outside of the state has given an end, as a refresh finds it: a
 * killed deployment, or another program. The next update replaces the key by one as declared.
 */
function markOfRotation(live: ApiKey | CreatedApiKey, known: ApiKeyState): Pick<ApiKeyState, "unfinished"> {
  return known.keyId !== undefined && hasOtherEnd(live, known)
    ? { unfinished: { reason: "The key was rotated.", settings: [{ name: expiry }] } }
    : {};
}

/** Whether a rotation has given a key an end that the state does not contain. */
export function hasOtherEnd({ expiresAt }: ApiKey | CreatedApiKey, known: ApiKeyState): boolean {
  // The answer to the creation may have omitted the expiry.
  const isOmitted =
    known.expiresAt === undefined && (known.daysToExpire ?? known.declaredExpiry) !== undefined;
  const isSame =
    (expiresAt ?? undefined) === known.expiresAt || isSameTime(expiresAt ?? "", known.expiresAt ?? "");
  return !isOmitted && !isSame;
}

/** What the service says of a key, with its secret if it is new. */
function liveProperties({ createdBy, ...key }: ApiKey | CreatedApiKey) {
  return {
    keyId: key.id,
    name: key.name,
    ...("key" in key ? { key: key.key } : {}),
    maskedKey: key.maskedKey ?? undefined,
    createdAt: key.createdAt ?? undefined,
    createdBy: createdBy === null ? undefined : { ...createdBy, name: createdBy.name ?? undefined },
    projectId: key.projectId ?? undefined,
    projectName: key.projectName ?? undefined,
    expiresAt: key.expiresAt ?? undefined,
    policy: key.policy ?? undefined,
  };
}

/** Length of a day, in milliseconds. */
export const dayMs = 86_400_000;

/** The lifetime that a key was created with, in days; undefined when it never expires. */
function lifetimeDays({ createdAt, expiresAt }: ApiKey): number | undefined {
  const [from, to] = [dateTimeMs(createdAt ?? ""), dateTimeMs(expiresAt ?? "")];
  return from === undefined || to === undefined ? undefined : Math.max(1, Math.round((to - from) / dayMs));
}

/** What is wrong with the inputs of an ApiKey, all at once. Unknown values pass. */
export function apiKeyFailures(news: PropertyMap, olds?: ApiKeyInputs): CheckFailure[] {
  const failures = undeclaredInputs(news, apiKeyInputs, "An ApiKey");
  const fail = (property: string, reason: string) => {
    failures.push({ property, reason });
  };
  const { name, projectId, expiresAt, policy } = apiKeyInputs.readDeclared(news);
  if (news.name !== undefined && name !== unknownValue) {
    const problem = keyNameProblem(name);
    if (problem !== undefined) {
      fail("name", `The API key's "name" ${problem}.`);
    }
  }
  const isBlank = projectId === undefined || (projectId !== unknownValue && projectId.trim() === "");
  if (news.projectId !== undefined && isBlank) {
    fail(
      "projectId",
      '"projectId" must be the id of a project. For a key of the whole organization, leave it out.',
    );
  }
  const daysToExpire = days("daysToExpire", 1);
  const rotateBeforeDays = days("rotateBeforeDays", 1);
  const keepOldKeyDays = days("keepOldKeyDays", 0);
  if (rotateBeforeDays !== undefined && news.daysToExpire === undefined) {
    fail(
      "rotateBeforeDays",
      '"rotateBeforeDays" needs "daysToExpire": without it, a new key would not live longer. Add it, or use "triggers" to rotate.',
    );
  }
  if (news.expiresAt !== undefined && news.keepOldKeyDays !== undefined) {
    fail(
      "keepOldKeyDays",
      '"keepOldKeyDays" cannot be combined with "expiresAt": such a key is replaced and not rotated, and the old one is deleted.',
    );
  }
  if (news.expiresAt !== undefined && news.daysToExpire !== undefined) {
    fail("expiresAt", '"expiresAt" cannot be combined with "daysToExpire". Give one of them.');
  } else if (news.expiresAt !== undefined && expiresAt !== unknownValue) {
    // A key that exists may have expired meanwhile.
    const isKept = expiresAt !== undefined && expiresAt === olds?.expiresAt;
    const problem = isKept ? undefined : expiryProblem(expiresAt);
    if (problem !== undefined) {
      fail("expiresAt", `"expiresAt" ${problem}`);
    }
  }
  if (news.policy !== undefined && policy !== unknownValue) {
    // With the members that are not read, or are of another type.
    const problem = policyProblem(policy && (news.policy as unknown as ApiKeyPolicy));
    if (problem !== undefined) {
      fail("policy", `"policy" ${problem}`);
    }
  }
  if (daysToExpire !== undefined && rotateBeforeDays !== undefined && rotateBeforeDays >= daysToExpire) {
    fail(
      "rotateBeforeDays",
      `"rotateBeforeDays" (${rotateBeforeDays}) must be less than "daysToExpire" (${daysToExpire}): otherwise every deployment rotates the key.`,
    );
  }
  if (daysToExpire !== undefined && keepOldKeyDays !== undefined && keepOldKeyDays > daysToExpire) {
    fail(
      "keepOldKeyDays",
      `"keepOldKeyDays" (${keepOldKeyDays}) must not exceed "daysToExpire" (${daysToExpire}): the service refuses to keep an old key longer than the new one.`,
    );
  }
  return failures;

  /** The number of days in an input, if it is known and well-formed. */
  function days(property: "daysToExpire" | "rotateBeforeDays" | "keepOldKeyDays", min: number) {
    const value: PropertyValue | undefined = news[property];
    if (value === undefined || value === unknownValue) {
      return undefined;
    }
    if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= keyDaysMax) {
      return value;
    }
    const never = property === "daysToExpire" ? " For a key that never expires, leave it out." : "";
    fail(property, `"${property}" must be a whole number of days from ${min} to ${keyDaysMax}.${never}`);
    return undefined;
  }
}
