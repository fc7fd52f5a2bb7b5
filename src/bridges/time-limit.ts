import { BrowserInfraError } from "../errors.js";
import { PartiallyCreatedError } from "../providers/lifecycle.js";
import { durationMs, timerMsMax } from "../text/duration.js";

/**
 * Does `work` under a limit of `customTimeouts`, such as `"30s"`, and under the engine's cancel.
 * When the limit passes, the signal of `work` aborts, and the error that it throws then says so.
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
    if (!timeout.aborted || canceled.aborted || !(error instanceof Error)) {
      throw error;
    }
    const what = `The time limit of ${limit} in "customTimeouts" has passed.`;
    if (error instanceof PartiallyCreatedError) {
      // Of such an error, the engine shows the reasons alone.
      const [first = "", ...others] = error.reasons;
      throw new PartiallyCreatedError(error.id, error.outputs, [`${what} ${first}`, ...others]);
    }
    const message = `${what} ${error.message}`;
    throw error instanceof BrowserInfraError ? error.withMessage(message) : Object.assign(error, { message });
  }
}
