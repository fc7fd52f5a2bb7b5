/** Options and checks of API key rotations, also for callers that check before a request. */

import { InputError } from "../../errors.js";
import { checkInteger } from "../options.js";
import type { ApiKeyPolicy } from "./api-key.js";

/** Options of `rotate`. */
export interface ApiKeyRotation {
  /** Days until the new key expires, 1 to 3650. Default: the lifetime of the old key. */
  readonly daysToExpire?: number | undefined;
  /**
   * Days until the old key expires, 0 to 3650, and at most `daysToExpire`. Default 7, or
   * `daysToExpire` if less.
   */
  readonly keepOldKeyDays?: number | undefined;
  /**
   * Policy of the old key. The service does not publish whether the new key gets the same policy. A
   * new key with a different policy is therefore corrected. Default: the policy is not compared.
   */
  readonly policy?: ApiKeyPolicy | null | undefined;
}

/** Longest lifetime of a key, and grace period of an old key, in days. Source: the service. */
export const keyDaysMax = 3650;

/** Default grace period of the old key, in days. Source: the service. */
const keepOldKeyDaysDefault = 7;

/** Grace period of the old key, in days. The service refuses more than the new key's lifetime. */
export function graceDaysOf({ keepOldKeyDays, daysToExpire }: ApiKeyRotation): number {
  return keepOldKeyDays ?? Math.min(keepOldKeyDaysDefault, daysToExpire ?? keepOldKeyDaysDefault);
}

/** Throws `InputError` for days that the service would refuse. */
export function checkRotation({ daysToExpire, keepOldKeyDays }: ApiKeyRotation): void {
  checkInteger("daysToExpire", daysToExpire, 1, keyDaysMax);
  checkInteger("keepOldKeyDays", keepOldKeyDays, 0, keyDaysMax);
  if (daysToExpire !== undefined && keepOldKeyDays !== undefined && daysToExpire < keepOldKeyDays) {
    throw new InputError(
      "option_invalid",
      "keepOldKeyDays",
      `The old key would outlive the new key: "keepOldKeyDays" is ${keepOldKeyDays} and "daysToExpire" is ${daysToExpire}. Keep the old key for at most ${daysToExpire} days.`,
    );
  }
}
