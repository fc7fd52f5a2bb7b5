import timers from "node:timers/promises";

/** Shortens waits like `test/contract/model/short-waits.cjs`, in the process of the tests of a file. */
export function shortenWaits(): void {
  const { setTimeout: wait } = timers;

  beforeAll(() => {
    timers.setTimeout = ((delayMs, ...rest) => wait((delayMs ?? 0) / 100, ...rest)) as typeof wait;
  });

  afterAll(() => {
    timers.setTimeout = wait;
  });
}
