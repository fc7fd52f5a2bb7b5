/** Tokens in a full retry budget, and the cost of a retry. Source: the AWS SDKs. */
const budgetTokens = 500;
const tokensPerRetry = 5;
const tokensPerRetryAfterTimeout = 10;

/**
 * A bucket of tokens, 500 by default, that bounds retries during an outage. A retry takes 5, after
 * a timeout 10. A success gives back 1. With an empty bucket nothing is retried. A retry after a
 * rate limit takes none: the account's gate bounds how many requests are sent.
 */
export class RetryBudget {
  readonly #tokensMax: number;
  #tokens: number;

  constructor(tokensMax: number = budgetTokens) {
    this.#tokensMax = tokensMax;
    this.#tokens = tokensMax;
  }

  /** Takes the cost of a retry; false, with nothing taken, when too few tokens are left. */
  take(afterTimeout: boolean): boolean {
    const cost = afterTimeout ? tokensPerRetryAfterTimeout : tokensPerRetry;
    if (this.#tokens < cost) {
      return false;
    }
    this.#tokens -= cost;
    return true;
  }

  /** Gives back a token after a success. */
  giveBack(): void {
    this.#tokens = Math.min(this.#tokensMax, this.#tokens + 1);
  }
}
