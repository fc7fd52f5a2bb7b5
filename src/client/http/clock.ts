import { setTimeout as timer } from "node:timers/promises";

/** Time as the client sees it; replaced in tests so that a wait of a minute takes no time. */
export interface Clock {
  /** Milliseconds since 1970, as `Date.now`. */
  now(): number;
  /** Waits; rejects at once when `signal` aborts. */
  sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void>;
}

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (milliseconds, signal) => {
    await timer(milliseconds, undefined, signal === undefined ? {} : { signal });
  },
};
