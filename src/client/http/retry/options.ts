import { setTimeout as timer } from "node:timers/promises";
import { RetryBudget } from "./budget.js";

/** The machine's clock. Tests use another, so that waiting a minute takes no time. */
export const systemClock = {
  /** Milliseconds since 1970. Only for dates: durations are never taken from it. */
  now: () => Date.now(),
  /** Milliseconds since some moment, which only grow: for durations. */
  elapsed: () => performance.now(),
  /** Waits; rejects immediately when `signal` aborts. */
  sleep: async (milliseconds: number, signal: AbortSignal | undefined): Promise<void> => {
    await timer(milliseconds, undefined, signal === undefined ? {} : { signal });
  },
};

/** Where dates and waits come from. */
export type Clock = typeof systemClock;

/**
 * How reads are retried, and writes that set an absolute value. Any other write is repeated only
 * after 429 and 425, by which the service says that it did not carry it out.
 */
export interface RetryOptions {
  /**
   * Most sends of one request, the first included, not counting those that 429 or 425 refused.
   * Default 4.
   */
  readonly attempts: number;
  /** First backoff, in milliseconds; doubles with each attempt. Default 250. */
  readonly baseMs: number;
  /** Longest backoff, in milliseconds. Default 20 000. */
  readonly maxDelayMs: number;
  /** Longest `Retry-After`, in milliseconds; a longer one fails immediately. Default 60 000. */
  readonly maxRetryAfterMs: number;
  /**
   * Longest time that a request waits while the account's rate limit lets nothing through, in
   * milliseconds. Default 300 000.
   */
  readonly maxThrottledMs: number;
  /** Shared allowance for retries. Default: one for the process. */
  readonly budget: RetryBudget;
  /** Clock for waits and dates. Default: the machine's. */
  readonly clock: Clock;
  /** Random number from 0 up to 1, for jitter. Default `Math.random`. */
  readonly random: () => number;
}

/** The defaults of `RetryOptions`. */
export const defaultRetry: RetryOptions = {
  attempts: 4,
  baseMs: 250,
  maxDelayMs: 20_000,
  maxRetryAfterMs: 60_000,
  maxThrottledMs: 300_000,
  budget: new RetryBudget(),
  clock: systemClock,
  random: Math.random,
};
