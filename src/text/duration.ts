/** Part of a duration in the form of Pulumi's `customTimeouts`: "90s", "5m", "1h30m", "1.5h". */
const partPattern = /^(\d+(?:\.\d+)?)(h|ms|m|s)/;

const unitMs: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 };

/** Longest time of Node's timers, in milliseconds. A longer timer fires at once. */
export const timerMsMax = 2 ** 31 - 1;

/**
 * Converts a duration such as "1h30m" to milliseconds; undefined for anything else. Source of the
 * form: Go's `time.ParseDuration`, used by Pulumi.
 */
export function durationMs(text: string): number | undefined {
  let rest = text.trim();
  let totalMs = 0;
  if (rest === "") {
    return undefined;
  }
  while (rest !== "") {
    const [part, amount, unit] = partPattern.exec(rest) ?? [];
    const factor = unit === undefined ? undefined : unitMs[unit];
    if (part === undefined || factor === undefined) {
      return undefined;
    }
    totalMs += Number(amount) * factor;
    rest = rest.slice(part.length);
  }
  return totalMs;
}
