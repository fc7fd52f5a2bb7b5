import type { Failure } from "../call.js";
import type { RetryOptions } from "./options.js";
import { describeRetryAfter, secondsOf } from "./retry-after.js";

/** Shortest wait for a `Retry-After`, in milliseconds. A past date must not cause a tight loop. */
const retryAfterMsMin = 100;

/** Most jitter added to a `Retry-After`, in milliseconds. Processes must not all return at once. */
const retryAfterJitterMsMax = 100;

/** Wait `waitMs` and send again, or stop. `note` says why, in a sentence for the message. */
interface RetryDecision {
  readonly waitMs?: number;
  readonly note: string;
}

/** What bounds the retries of one request besides the budget. */
interface Bounds {
  /** Sends so far, for the message. */
  readonly sends: number;
  /** Whether nothing more may be sent after this. */
  readonly isLast: boolean;
  /** Longest wait that is still allowed, in milliseconds. */
  readonly waitMsMax: number;
  /** Most jitter added to a `Retry-After`, in milliseconds. */
  readonly jitterMsMax: number;
}

/**
 * Decides after the send numbered `attempt` (from 1): wait, which takes from the budget, and send
 * again, or stop.
 */
export function decideRetry(
  options: RetryOptions,
  attempt: number,
  failure: Failure,
  bounds: Partial<Bounds> = {},
): RetryDecision {
  const { mayPass, timedOut = false, throttled = false, retryAfterMs, retryForbidden = false } = failure;
  const { sends = attempt, isLast = attempt >= options.attempts } = bounds;
  const { waitMsMax = Number.POSITIVE_INFINITY, jitterMsMax = retryAfterJitterMsMax } = bounds;
  const tried = sends === 1 ? "" : `Tried ${sends} times.`;
  if (!mayPass || retryForbidden) {
    return { note: tried };
  }
  const { maxRetryAfterMs } = options;
  if (retryAfterMs !== undefined && retryAfterMs > maxRetryAfterMs) {
    const asked = describeRetryAfter(retryAfterMs, options.clock.now());
    return { note: `${asked} That is longer than the maximum wait of ${secondsOf(maxRetryAfterMs)} s.` };
  }
  const { random, baseMs } = options;
  const waitMs =
    retryAfterMs === undefined
      ? random() * backoffMs(options, baseMs, attempt)
      : Math.max(retryAfterMsMin, retryAfterMs) + random() * jitterMsMax;
  if (isLast || waitMs > waitMsMax) {
    return { note: tried };
  }
  const { budget } = options;
  if (!(throttled ? budget.takeThrottled() : budget.take(timedOut))) {
    return { note: "Not retried: this process has used up its retry budget." };
  }
  return { waitMs, note: "" };
}

/** `firstMs`, doubled with each attempt, up to the longest backoff. */
function backoffMs({ maxDelayMs }: RetryOptions, firstMs: number, attempt: number): number {
  return Math.min(maxDelayMs, firstMs * 2 ** (attempt - 1));
}

/**
 * The retries of one request. Refusals by a rate limit are not counted as attempts: they end when
 * the request has waited `maxThrottledMs` in all.
 */
export class Retries {
  readonly #options: RetryOptions;
  #failed = 0;
  #throttled = 0;
  #throttledMs = 0;

  constructor(options: RetryOptions) {
    this.#options = options;
  }

  /** Sends so far that failed. */
  get sends(): number {
    return this.#failed + this.#throttled;
  }

  /** Decides after a send that failed. */
  after(failure: Failure): RetryDecision {
    const { attempts, maxThrottledMs } = this.#options;
    if (failure.throttled !== true) {
      this.#failed += 1;
      const bounds = { sends: this.sends, isLast: this.#failed >= attempts };
      return decideRetry(this.#options, this.#failed, failure, bounds);
    }
    this.#throttled += 1;
    const bounds = {
      sends: this.sends,
      isLast: false,
      waitMsMax: maxThrottledMs - this.#throttledMs,
      // Of many that wait, the service lets in only a few. The others must spread.
      jitterMsMax: backoffMs(this.#options, retryAfterJitterMsMax, this.#throttled),
    };
    const decision = decideRetry(this.#options, this.#throttled, failure, bounds);
    this.#throttledMs += decision.waitMs ?? 0;
    return decision;
  }

  /** The request succeeded. */
  succeeded(): void {
    this.#options.budget.giveBack(this.#throttled);
  }
}
