/**
 * Clock of the service, from the header `date` of its responses. The header counts whole seconds, and a response
 * takes time. So the clock lags by a second at most, plus the time of the fastest response. A change of this
 * machine's clock has no effect.
 */
export class ServiceClock {
  /** Time of the service at the start of this process, in milliseconds since 1970. */
  #startedAtMs: number | undefined;

  /** Reads the header `date` of a response. Ignores a missing or malformed header. */
  learn(date: string | undefined): void {
    const startedAtMs = Date.parse(date ?? "") - performance.now();
    if (!Number.isNaN(startedAtMs)) {
      this.#startedAtMs = Math.max(this.#startedAtMs ?? Number.NEGATIVE_INFINITY, startedAtMs);
    }
  }

  /** Time of the service, in milliseconds since 1970. Undefined until a response has told the time. */
  now(): number | undefined {
    return this.#startedAtMs === undefined ? undefined : Math.round(this.#startedAtMs + performance.now());
  }
}
