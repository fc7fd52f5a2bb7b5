import { durationMs, timerMsMax } from "../duration.js";

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
