/** How an API key is rotated, for the client and for whoever must know before it asks. */

import { InputError } from "../errors.js";
import { checkInteger } from "./options.js";
import type { ApiKeyPolicy } from "./records/api-key.js";

/** How `rotate` rotates. */
export interface ApiKeyRotation {
  /** Days until the new key expires, 1 to 3650. Default: the lifetime of the rotated one. */
  readonly daysToExpire?: number | undefined;
  /**
   * Days until the rotated key expires, 0 to 3650, and to `daysToExpire`. Default 7, or
   * `daysToExpire` if that is less.
   */
  readonly keepOldKeyDays?: number | undefined;
  /**
   * What the rotated key may do. The service does not publish whether the new key may do the same,
   * so an answer with another policy counts as a lost one. Default: everything.
   */
  readonly policy?: ApiKeyPolicy | null | undefined;
}

/** Longest lifetime of a key and of the grace of a rotated one, in days. Source: the service. */
export const keyDaysMax = 3650;

/** Grace of the rotated key by default, in days. Source: the service. */
const keepOldKeyDaysDefault = 7;

/** Days that the rotated key stays valid. The service refuses more than the new one lives. */
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
      `The rotated key would outlive the new one: "keepOldKeyDays" is ${keepOldKeyDays} and "daysToExpire" is ${daysToExpire}. Keep it for at most ${daysToExpire} days.`,
    );
  }
}
