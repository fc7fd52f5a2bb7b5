import { type Clock, systemClock } from "./clock.js";

/** How reads are repeated, and writes that set an absolute value. No other write is. */
export interface RetryOptions {
  /** Sends of one request in all, the first included. Default 4. */
  readonly attempts: number;
  /** First backoff, in milliseconds; doubles per attempt. Default 250. */
  readonly baseMs: number;
  /** Longest backoff, in milliseconds. Default 20 000. */
  readonly delayMsMax: number;
  /** Longest `Retry-After` that is waited for, in milliseconds; a longer one fails at once. Default 60 000. */
  readonly retryAfterMsMax: number;
  /** Shared allowance for repeats. Default: one for the whole process. */
  readonly budget: RetryBudget;
  /** Clock for waits and dates. Default: the machine's. */
  readonly clock: Clock;
  /** Random number from 0 up to 1, for jitter. Default `Math.random`. */
  readonly random: () => number;
}

/** Tokens in a full retry budget, and what a repeat costs. Source: the AWS SDKs' standard retry mode. */
export const retryBudgetTokensMax = 500;
const tokensPerRetry = 5;
const tokensPerRetryAfterTimeout = 10;
/** Shortest wait a `Retry-After` leads to, so that a date in the past does not become a tight loop. */
const retryAfterMsMin = 100;
/** Spread added to a `Retry-After`, so that many waiting processes do not return in the same instant. */
const retryAfterJitterMsMax = 100;

/**
 * A bucket of tokens that bounds repeats during an outage: a repeat takes 5 (10 after a timeout), a success gives back 1.
 * With an empty bucket a request fails after its first send.
 */
export class RetryBudget {
  readonly #tokensMax: number;
  #tokens: number;

  constructor(tokensMax: number = retryBudgetTokensMax) {
    this.#tokensMax = tokensMax;
    this.#tokens = tokensMax;
  }

  /** Takes the cost of one repeat; false, and nothing taken, when too little is left. */
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

const processRetryBudget = new RetryBudget();

/** The defaults of `RetryOptions`. */
export const defaultRetry: RetryOptions = {
  attempts: 4,
  baseMs: 250,
  delayMsMax: 20_000,
  retryAfterMsMax: 60_000,
  budget: processRetryBudget,
  clock: systemClock,
  random: Math.random,
};

/** What went wrong with one send, as far as the decision to repeat it needs to know. */
export interface Trouble {
  /** Whether this kind of failure may pass by itself. */
  readonly passing: boolean;
  readonly timedOut: boolean;
  /** Milliseconds the service asks to wait. */
  readonly retryAfterMs: number | undefined;
  /** The service said `x-should-retry: false`. */
  readonly forbidden: boolean;
}

/** Wait that long and send again, or stop; `note` is a sentence for the message that says why no further send was made. */
export type RetryDecision = { readonly waitMs: number } | { readonly note: string };

/** Decides after the send numbered `attempt` (from 1). Takes from the budget when it answers with a wait. */
export function decideRetry(options: RetryOptions, attempt: number, trouble: Trouble): RetryDecision {
  const tried = attempt === 1 ? "" : `Tried ${attempt} times.`;
  if (!trouble.passing || trouble.forbidden) {
    return { note: tried };
  }
  const { retryAfterMs } = trouble;
  if (retryAfterMs !== undefined && retryAfterMs > options.retryAfterMsMax) {
    return {
      note: `${describeRetryAfter(retryAfterMs, options.clock.now())} That is longer than is waited for.`,
    };
  }
  if (attempt >= options.attempts) {
    return { note: tried };
  }
  if (!options.budget.take(trouble.timedOut)) {
    return { note: "Not tried again: the retry budget of this process is used up." };
  }
  if (retryAfterMs !== undefined) {
    return { waitMs: Math.max(retryAfterMsMin, retryAfterMs) + options.random() * retryAfterJitterMsMax };
  }
  return { waitMs: options.random() * Math.min(options.delayMsMax, options.baseMs * 2 ** (attempt - 1)) };
}

/** A sentence that names the wait the service asks for, and when it ends. */
export function describeRetryAfter(retryAfterMs: number, now: number): string {
  // Past this, JavaScript has no date to name.
  const end = now + retryAfterMs <= 8.64e15 ? ` (until ${new Date(now + retryAfterMs).toISOString()})` : "";
  return `The service asks to wait ${Math.ceil(retryAfterMs / 1000)} s${end}.`;
}

/**
 * Milliseconds to wait according to a `Retry-After` header: whole or fractional seconds, or an HTTP date (0 when past).
 * Undefined when the header is absent or is neither; `Date.parse` alone would take almost any text for a date.
 */
export function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) {
    return undefined;
  }
  const text = value.trim();
  if (/^\d{1,15}(?:\.\d{1,9})?$/.test(text)) {
    return Number(text) * 1000;
  }
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) {
    return undefined;
  }
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
