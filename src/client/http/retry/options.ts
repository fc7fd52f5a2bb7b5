import { setTimeout as timer } from "node:timers/promises";
import { RetryBudget } from "./budget.js";

/** The machine's clock. Tests use a fake clock, so that waiting a minute takes no time. */
export const systemClock = {
  /** Milliseconds since 1970. For dates only, never for durations. */
  now: () => Date.now(),
  /** Milliseconds since an arbitrary moment, never decreasing. For durations. */
  elapsed: () => performance.now(),
  /** Waits; rejects immediately when `signal` aborts. */
  sleep: async (milliseconds: number, signal: AbortSignal | undefined): Promise<void> => {
    await timer(milliseconds, undefined, signal === undefined ? {} : { signal });
  },
};

/** Source of dates and waits. */
export type Clock = typeof systemClock;

/**
 * Retries of reads, and of writes that set an absolute value. Other writes are repeated only after
 * 429 and 425, by which the service reports that nothing was carried out.
 */
export interface RetryOptions {
  /** Maximum sends of a request, the first included; refusals by 429 or 425 do not count. Default 4. */
  readonly attempts: number;
  /** First backoff, in milliseconds; doubles with every attempt. Default 250. */
  readonly baseMs: number;
  /** Longest backoff, in milliseconds. Default 20 000. */
  readonly maxDelayMs: number;
  /** Longest `Retry-After`, in milliseconds; a longer wait fails immediately. Default 60 000. */
  readonly maxRetryAfterMs: number;
  /**
   * Longest wait of a request while the account's rate limit lets nothing through, in milliseconds.
   * Default 300 000.
   */
  readonly maxThrottledMs: number;
  /** Shared allowance for retries. Default: a budget for the whole process. */
  readonly budget: RetryBudget;
  /** Clock for waits and dates. Default: the machine's. */
  readonly clock: Clock;
  /** Random number from 0 up to 1, for jitter. Default `Math.random`. */
  readonly random: () => number;
}

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
