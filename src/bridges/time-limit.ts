import { BrowserInfraError } from "../errors.js";
import { PartiallyCreatedError } from "../providers/lifecycle.js";
import { durationMs, timerMsMax } from "../text/duration.js";

/**
 * Does `work` under a limit of `customTimeouts`, such as `"30s"`, and under the engine's cancel.
 * After the limit, the signal of `work` aborts, and the error of `work` begins with the reason.
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
      // The engine shows only the reasons of such an error.
      const [first = "", ...others] = error.reasons;
      throw new PartiallyCreatedError(error.id, error.outputs, [`${what} ${first}`, ...others]);
    }
    const message = `${what} ${error.message}`;
    throw error instanceof BrowserInfraError ? error.withMessage(message) : Object.assign(error, { message });
  }
}
