/** What may be declared of an API key, for the client and for whoever must know before it asks. */
import { isDeepStrictEqual } from "node:util";
import { dateTimeMs } from "../text/date-time.js";
import type { ApiKeyPolicy } from "./records/api-key.js";

/** How far two times may be apart that are the same, in milliseconds: one may have no fraction. */
const sameTimeMs = 1000;

/**
 * Says what is wrong with a policy, as the end of a sentence; undefined when nothing is. The
 * service publishes examples of an action and the form of a resource, and no complete list.
 */
export function policyProblem(policy: ApiKeyPolicy | undefined): string | undefined {
  const statements: unknown = policy?.statements;
  if (!Array.isArray(statements) || statements.length === 0) {
    return 'must have "statements", a list of at least one. Without a policy, the key may do everything.';
  }
  const wrong = statements.findIndex(
    ({ action, resource, ...others }) =>
      !(/^[^\s:]+:[^\s:]+$/.test(action) && /^projects\/\S+$/.test(resource)) ||
      Object.keys(others).length > 0,
  );
  return wrong === -1
    ? undefined
    : `has a malformed statement ${wrong + 1}: it must have an "action" such as "browsers:use", a "resource" such as "projects/<project id>/browsers/*", and nothing else.`;
}

/** Says what is wrong with a time at which a new key expires, as the end of a sentence. */
export function expiryProblem(expiresAt: string | undefined): string | undefined {
  const time = dateTimeMs(String(expiresAt));
  if (time === undefined || !/[Tt]/.test(String(expiresAt))) {
    return 'must be a date-time such as "2030-01-31T00:00:00Z".';
  }
  return time > Date.now() ? undefined : "is over. Give a time in the future.";
}

/** Whether two times are the same, as far as the service keeps them. */
export function isSameTime(one: string, other: string): boolean {
  return Math.abs((dateTimeMs(one) ?? Number.NaN) - (dateTimeMs(other) ?? Number.NaN)) < sameTimeMs;
}

/** Whether two keys may do the same: their statements are equal and in the same order. */
export function isSamePolicy(one: ApiKeyPolicy | null | undefined, other: ApiKeyPolicy | null | undefined) {
  return isDeepStrictEqual(one ?? null, other ?? null);
}
