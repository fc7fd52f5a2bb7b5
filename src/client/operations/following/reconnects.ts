import type { Failure } from "../../http/call.js";
import type { Deadline } from "../../http/connections/deadline.js";
import { RetryBudget } from "../../http/retry/budget.js";
import { decideRetry } from "../../http/retry/decide.js";
import type { RetryOptions } from "../../http/retry/options.js";

/** First and longest pause before a stream is reopened, in milliseconds, as on the login page. */
const reconnectMs = 1_000;
const reconnectMsMax = 15_000;

/** Reconnects have their own limit and must not use up the retries of other requests. */
const unlimited = new RetryBudget(Number.POSITIVE_INFINITY);

/** Counts the failures of an event stream, and waits before the next try. */
export class Reconnects {
  readonly #retry: RetryOptions;
  readonly #max: number;
  /** Failures since the last progress. Pauses grow with the number. */
  #failures = 0;
  /** Failures since the last sign of life of what is followed. */
  #failuresWithoutSign = 0;

  /** At most `max` reconnects without progress. */
  constructor(retry: RetryOptions, max: number) {
    this.#retry = retry;
    this.#max = max;
  }

  noteProgress(): void {
    this.#failures = 0;
    this.#failuresWithoutSign = 0;
  }

  /** Notes a record in progress: pauses stay as long, but nothing is given up. */
  noteAlive(): void {
    this.#failuresWithoutSign = 0;
  }

  /** Waits for the next try, or returns why none follows. `isKnown`: the record exists. */
  async pause(failure: Failure, deadline: Deadline, isKnown: boolean): Promise<string | undefined> {
    this.#failures++;
    this.#failuresWithoutSign++;
    const limits = isKnown ? { attempts: this.#max + 1, maxRetryAfterMs: deadline.remainingMs() } : {};
    const rhythm = { baseMs: reconnectMs, maxDelayMs: reconnectMsMax, budget: unlimited };
    const options = { ...this.#retry, ...rhythm, ...limits };
    const isLast = this.#failuresWithoutSign >= options.attempts;
    const { waitMs, note } = decideRetry(options, this.#failures, failure, { isLast });
    if (waitMs === undefined) {
      return note;
    }
    await this.#retry.clock.sleep(waitMs, deadline.signal);
    return undefined;
  }
}
