/** Code shared by the limits of a project and of the organization. */
import { type PropertyMap, unknownValue } from "../properties.js";

/** Schema paragraph for kinds that store previous limits. */
export const forcedReplacementAdvice =
  "Always set the resource option `deleteBeforeReplace` to true. Otherwise, a forced replacement " +
  "(`--replace`, `pulumi state taint`) records the limits set by this resource as the " +
  "previous limits. A warning shows the original limits.";

/** Problem of a cap, as the end of a sentence. Null, unknown and undeclared caps are valid. */
export function capProblem(
  cap: PropertyMap[string] | undefined,
  remedy = 'For no cap, give null, or name the limit in "uncapped". To leave the limit unmanaged, remove the input.',
): string | undefined {
  if (cap === undefined || cap === null || cap === unknownValue) {
    return undefined;
  }
  if (cap === 0) {
    return `must not be 0: the service reads 0 as "no cap". ${remedy} A cap cannot stop a project altogether.`;
  }
  return Number.isSafeInteger(cap) && (cap as number) > 0
    ? undefined
    : "must be a whole number of at least 1, or null for no cap.";
}
