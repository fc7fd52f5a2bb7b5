/** Tokens in a full retry budget, and the cost of a retry. Source: the AWS SDKs. */
const budgetTokens = 500;
const tokensPerRetry = 5;
const tokensPerRetryAfterTimeout = 10;

/**
 * Cost of a retry after a refusal by a rate limit (429, 425). Such retries wait longer each time,
 * so they burden the service little: 500 may be outstanding at once.
 */
const tokensPerThrottledRetry = 1;

/**
 * A bucket of tokens, 500 unless said otherwise, that bounds retries during an outage. A retry
 * takes 5, after a timeout 10, after a rate limit 1. A success gives back 1, and all that its
 * request took for rate limits. With an empty bucket nothing is retried.
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
    return this.#take(afterTimeout ? tokensPerRetryAfterTimeout : tokensPerRetry);
  }

  /** As `take`, for a retry after a refusal by a rate limit. */
  takeThrottled(): boolean {
    return this.#take(tokensPerThrottledRetry);
  }

  /** Gives back one token after a success, and what its request took for `throttled` retries. */
  giveBack(throttled = 0): void {
    this.#tokens = Math.min(this.#tokensMax, this.#tokens + 1 + throttled * tokensPerThrottledRetry);
  }

  #take(cost: number): boolean {
    if (this.#tokens < cost) {
      return false;
    }
    this.#tokens -= cost;
    return true;
  }
}
