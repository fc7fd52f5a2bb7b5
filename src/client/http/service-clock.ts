/**
 * Clock of the service, from the header `date` of its responses. The header counts whole seconds, and a response
 * takes time. So the clock lags by a second at most, plus the time of the fastest response.
 */
export class ServiceClock {
  #aheadMs: number | undefined;

  /** Reads the header `date` of a response. Ignores a missing or malformed header. */
  learn(date: string | undefined): void {
    const aheadMs = Date.parse(date ?? "") - Date.now();
    if (!Number.isNaN(aheadMs)) {
      this.#aheadMs = Math.max(this.#aheadMs ?? Number.NEGATIVE_INFINITY, aheadMs);
    }
  }

  /** Time of the service, in milliseconds since 1970. Undefined until a response has told the time. */
  now(): number | undefined {
    return this.#aheadMs === undefined ? undefined : Date.now() + this.#aheadMs;
  }
}
