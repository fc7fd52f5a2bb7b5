import { setTimeout as timer } from "node:timers/promises";
import type { Failure } from "./call.js";

/** The machine's clock. Tests use another, so that waiting a minute takes no time. */
export const systemClock = {
  /** Milliseconds since 1970. */
  now: () => Date.now(),
  /** Waits; rejects immediately when `signal` aborts. */
  sleep: async (milliseconds: number, signal: AbortSignal | undefined): Promise<void> => {
    await timer(milliseconds, undefined, signal === undefined ? {} : { signal });
  },
};

/** How reads are retried, and writes that set an absolute value. No other write is retried. */
export interface RetryOptions {
  /** Most sends of one request, the first included. Default 4. */
  readonly attempts: number;
  /** First backoff, in milliseconds; doubles with each attempt. Default 250. */
  readonly baseMs: number;
  /** Longest backoff, in milliseconds. Default 20 000. */
  readonly maxDelayMs: number;
  /** Longest `Retry-After`, in milliseconds; a longer one fails immediately. Default 60 000. */
  readonly maxRetryAfterMs: number;
  /** Shared allowance for retries. Default: one for the process. */
  readonly budget: RetryBudget;
  /** Clock for waits and dates. Default: the machine's. */
  readonly clock: typeof systemClock;
  /** Random number from 0 up to 1, for jitter. Default `Math.random`. */
  readonly random: () => number;
}

/** Tokens in a full retry budget, and the cost of a retry. Source: the AWS SDKs. */
const budgetTokens = 500;
const tokensPerRetry = 5;
const tokensPerRetryAfterTimeout = 10;
/** Shortest wait for a `Retry-After`, in milliseconds. A past date must not cause a tight loop. */
const retryAfterMsMin = 100;
/** Most jitter added to a `Retry-After`, in milliseconds. Processes must not all return at once. */
const retryAfterJitterMsMax = 100;

/**
 * A bucket of tokens, 500 unless said otherwise, that bounds retries during an outage. A retry
 * takes 5 (10 after a timeout), a success gives back 1. With an empty bucket nothing is retried.
 */
export class RetryBudget {
  readonly #tokensMax: number;
  #tokens: number;

  constructor(tokensMax: number = budgetTokens) {
    this.#tokensMax = tokensMax;
    this.#tokens = tokensMax;
  }

  /** Takes the cost of one retry; false, with nothing taken, when too little is left. */
  take(afterTimeout: boolean): boolean {
    const cost = afterTimeout ? tokensPerRetryAfterTimeout : tokensPerRetry;
    if (this.#tokens < cost) {
      return false;
    }
    this.#tokens -= cost;
    return true;
  }

  /** Gives back one token after a success. */
  giveBack(): void {
    this.#tokens = Math.min(this.#tokensMax, this.#tokens + 1);
  }
}

/** The defaults of `RetryOptions`. */
export const defaultRetry: RetryOptions = {
  attempts: 4,
  baseMs: 250,
  maxDelayMs: 20_000,
  maxRetryAfterMs: 60_000,
  budget: new RetryBudget(),
  clock: systemClock,
  random: Math.random,
};

/**
 * Decides after the send numbered `attempt` (from 1): wait `waitMs`, which takes from the budget,
 * and send again, or stop. `note` is a sentence for the message that says why.
 */
export function decideRetry(
  options: RetryOptions,
  attempt: number,
  { mayPass, timedOut = false, retryAfterMs, retryForbidden = false }: Failure,
): { readonly waitMs?: number; readonly note: string } {
  const tried = attempt === 1 ? "" : `Tried ${attempt} times.`;
  if (!mayPass || retryForbidden) {
    return { note: tried };
  }
  const { maxRetryAfterMs } = options;
  if (retryAfterMs !== undefined && retryAfterMs > maxRetryAfterMs) {
    const asked = describeRetryAfter(retryAfterMs, options.clock.now());
    return { note: `${asked} That is longer than the maximum wait of ${secondsOf(maxRetryAfterMs)} s.` };
  }
  if (attempt >= options.attempts) {
    return { note: tried };
  }
  if (!options.budget.take(timedOut)) {
    return { note: "Not retried: this process has used up its retry budget." };
  }
  if (retryAfterMs !== undefined) {
    const jitterMs = options.random() * retryAfterJitterMsMax;
    return { waitMs: Math.max(retryAfterMsMin, retryAfterMs) + jitterMs, note: "" };
  }
  const backoffMs = Math.min(options.maxDelayMs, options.baseMs * 2 ** (attempt - 1));
  return { waitMs: options.random() * backoffMs, note: "" };
}

/** A sentence that names the wait that the service asks for, and when it ends. */
export function describeRetryAfter(retryAfterMs: number, now: number): string {
  // Past this, JavaScript has no date.
  const end = now + retryAfterMs <= 8.64e15 ? ` (until ${new Date(now + retryAfterMs).toISOString()})` : "";
  return `The service asked to wait ${secondsOf(retryAfterMs)} s${end}.`;
}

function secondsOf(milliseconds: number): number {
  return Math.ceil(milliseconds / 1000);
}

/**
 * Milliseconds to wait according to a `Retry-After` header: seconds, also fractional, or an HTTP
 * date (0 when past). Undefined for anything else; `Date.parse` alone would accept almost any text.
 */
export function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? "";
  if (/^\d{1,15}(?:\.\d{1,9})?$/.test(text)) {
    return Number(text) * 1000;
  }
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) {
    return undefined;
  }
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
