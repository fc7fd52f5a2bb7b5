import type { Failure } from "../call.js";
import type { RetryOptions } from "./options.js";
import { describeRetryAfter, secondsOf } from "./retry-after.js";

/** Shortest wait for a `Retry-After`, in milliseconds. A past date must not cause a tight loop. */
export const retryAfterMsMin = 100;

/** Most jitter added to a `Retry-After`, in milliseconds. Processes must not all return at once. */
const retryAfterJitterMsMax = 100;

/** Decision to wait `waitMs` and send again, or to stop. `note`: the reason, as a sentence. */
interface RetryDecision {
  readonly waitMs?: number;
  readonly note: string;
}

/** Decides after the send numbered `attempt` (from 1). `sends`: all sends, for the message. */
export function decideRetry(
  options: RetryOptions,
  attempt: number,
  failure: Failure,
  { sends = attempt, isLast = attempt >= options.attempts } = {},
): RetryDecision {
  const stopped = stopDecision(options, failure, sends);
  if (stopped !== undefined) {
    return stopped;
  }
  if (isLast) {
    return { note: triedText(sends) };
  }
  return options.budget.take(failure.isTimeout === true)
    ? { waitMs: waitAfter(options, failure.retryAfterMs, attempt), note: "" }
    : { note: "Not retried: this process has used up its retry budget." };
}

/** Decides after a refusal by the rate limit, for which the account's gate decides the wait. */
export function decideThrottled(
  options: RetryOptions,
  failure: Failure,
  sends: number,
  isStuck: boolean,
): RetryDecision {
  const stopped = stopDecision(options, failure, sends);
  if (stopped !== undefined || !isStuck) {
    return stopped ?? { waitMs: 0, note: "" };
  }
  return {
    note: `The rate limit would let no request through for more than ${secondsOf(options.maxThrottledMs)} s.`,
  };
}

/** Milliseconds to wait after the failure numbered `count` (from 1) in a row. */
export function waitAfter(options: RetryOptions, retryAfterMs: number | undefined, count: number): number {
  const { random, baseMs, maxDelayMs } = options;
  return retryAfterMs === undefined
    ? random() * Math.min(maxDelayMs, baseMs * 2 ** (count - 1))
    : Math.max(retryAfterMsMin, retryAfterMs) + random() * retryAfterJitterMsMax;
}

/** Reason to stop, whatever was tried before; undefined if the request may be sent again. */
function stopDecision(options: RetryOptions, failure: Failure, sends: number): RetryDecision | undefined {
  const { isTransient, retryAfterMs, isRetryForbidden = false } = failure;
  if (!isTransient || isRetryForbidden) {
    return { note: triedText(sends) };
  }
  const { maxRetryAfterMs } = options;
  if (retryAfterMs === undefined || retryAfterMs <= maxRetryAfterMs) {
    return undefined;
  }
  const asked = describeRetryAfter(retryAfterMs, options.clock.now());
  return { note: `${asked} That is longer than the maximum wait of ${secondsOf(maxRetryAfterMs)} s.` };
}

function triedText(sends: number): string {
  return sends <= 1 ? "" : `Tried ${sends} times.`;
}
