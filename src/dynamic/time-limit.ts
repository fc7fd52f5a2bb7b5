/** A part of a duration as Pulumi's `customTimeouts` spells it: "90s", "5m", "1h30m", "1.5h". */
const partPattern = /^(\d+(?:\.\d+)?)(h|ms|m|s)/;

/** Longest time that Node's timers count; beyond it they fire at once. */
const timerMsMax = 2 ** 31 - 1;

const unitMs: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 };

/** Milliseconds of a duration; undefined when it is none. Source of the form: Go's time.ParseDuration, which Pulumi uses. */
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

/**
 * Does `work` under a time limit of its own beside the engine's Cancel. Dynamic providers are not told of `customTimeouts`, so
 * the program hands them over. When the limit passes, `work` is told by its signal, and what it throws then says so.
 */
export async function withinLimit<T>(
  limit: string | undefined,
  canceled: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limitMs = limit === undefined ? undefined : durationMs(limit);
  if (limitMs === undefined || limitMs === 0) {
    return work(canceled);
  }
  const timeout = AbortSignal.timeout(Math.min(limitMs, timerMsMax));
  try {
    return await work(AbortSignal.any([canceled, timeout]));
  } catch (error) {
    if (timeout.aborted && !canceled.aborted && error instanceof Error) {
      error.message = `The time limit of ${limit} in "customTimeouts" has passed. ${error.message}`;
    }
    throw error;
  }
}
