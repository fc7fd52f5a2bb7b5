import { ServiceError } from "./service-error.js";

/**
 * Request limit of the organization: a bucket with the requests of one second, refilled at the same
 * rate. A refused request takes nothing. Source: the service publishes that the limit is per
 * organization, the status, `Retry-After` in whole seconds, and the two headers of `headers`.
 * Figures and code are guesses.
 */
export class RateLimit {
  readonly #perSecond: number;
  readonly #capacity: number;
  #tokens: number;
  #filledAt = performance.now();

  /** `perSecond`: requests in a second, more than 0. */
  constructor(perSecond: number) {
    this.#perSecond = perSecond;
    this.#capacity = Math.max(1, perSecond);
    this.#tokens = this.#capacity;
  }

  /**
   * Headers of a response: requests allowed per minute, and requests that may be sent at once now.
   * Guesses: the second header counts the same bucket, and every response has both headers.
   */
  get headers(): Readonly<Record<string, string>> {
    return {
      "x-ratelimit-limit": String(Math.floor(this.#perSecond * 60)),
      "x-ratelimit-remaining": String(Math.floor(this.#tokens)),
    };
  }

  /** Counts a request. Returns the refusal, or undefined if the request may continue. */
  countRequest(): Response | undefined {
    const now = performance.now();
    const filled = this.#tokens + ((now - this.#filledAt) / 1000) * this.#perSecond;
    this.#tokens = Math.min(this.#capacity, filled);
    this.#filledAt = now;
    if (this.#tokens >= 1) {
      this.#tokens -= 1;
      return undefined;
    }
    const seconds = Math.ceil((1 - this.#tokens) / this.#perSecond);
    const message = `More than ${this.#perSecond} requests in a second.`;
    const response = new ServiceError(429, "rate_limited", message).response();
    response.headers.set("retry-after", String(seconds));
    return response;
  }
}
