/** Inputs with a time limit, as durations with units. */
import { durationMs, timerMsMax } from "../../text/duration.js";
import type { PropertyValue } from "../properties.js";

/** Units as people write, with the unit of the duration format. */
const unitWords: readonly [RegExp, string][] = [
  [/^(?:s|secs?|seconds?)$/i, "s"],
  [/^(?:m|mins?|minutes?)$/i, "m"],
  [/^(?:h|hrs?|hours?)$/i, "h"],
];

/** Advice for the form of a duration, as the end of a sentence. */
export function timeoutHint(given: PropertyValue | undefined): string {
  const examples = `such as "90s", "25m" or "1h30m"`;
  if (typeof given === "number") {
    return `, as a string with a unit (h, m or s), ${examples}`;
  }
  const [, amount, word = ""] = /^\s*(\d{1,9}(?:\.\d{1,9})?)\s*([a-z]{0,7})\s*$/i.exec(String(given)) ?? [];
  const unit = unitWords.find(([pattern]) => pattern.test(word))?.[1];
  const meant = amount === undefined ? undefined : `${amount}${unit}`;
  return unit !== undefined && isTimeout(meant)
    ? `, with the units h, m and s: write "${meant}"`
    : `, with the units h, m and s, ${examples}`;
}

export function isTimeout(value: string | undefined): boolean {
  const ms = durationMs(value ?? "") ?? 0;
  return ms >= 1_000 && ms <= timerMsMax;
}
