/** Duration of the form "90s", "5m", "1h30m", "1.5h". */
const pattern = /^(?:\d+(?:\.\d+)?(?:h|ms|m|s))+$/;

const unitMs: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 };

/** Longest time of Node's timers, in milliseconds. A longer timer fires at once. */
export const timerMsMax = 2 ** 31 - 1;

/** Converts a duration such as "1h30m" to milliseconds; undefined for anything else. */
export function durationMs(text: string): number | undefined {
  if (!pattern.test(text.trim())) {
    return undefined;
  }
  const parts = [...text.matchAll(/([\d.]+)([a-z]+)/g)];
  return parts.reduce((sum, [, amount, unit = ""]) => sum + Number(amount) * (unitMs[unit] ?? 0), 0);
}
