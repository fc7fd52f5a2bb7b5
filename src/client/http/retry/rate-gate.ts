import { createHash } from "node:crypto";
import type { Failure, HttpCall } from "../call.js";
import { untilAborted } from "../connections/deadline.js";
import { retryAfterMsMin, waitAfter } from "./decide.js";
import type { Clock, RetryOptions } from "./options.js";

/** Longest first pace where the service does not publish a limit, in milliseconds. */
const firstPaceMsMax = 1_000;

/** Shortest pace, in milliseconds. Timers cannot count less: a shorter pace opens the gate. */
const paceMsMin = 1;

/** Factor by which requests start slower than published, because transit times vary. */
const margin = 1.1;

/** Factor for the pace after a request that the limit let through: ever faster. */
const speedUp = 0.9;

/** Factor for the pace after every further refusal. */
const slowDown = 2;

/** Time without a refusal until the gate is open again, in milliseconds: the limit's own window. */
const quietMs = 60_000;

/** Time in line after which the caller of a request hears about the wait, in milliseconds. */
const noticeAfterMs = 10_000;

/** Hears, once a request has waited for 10 s, that the rate limit holds back so many requests. */
export type OnRateLimitWait = (requestsInLine: number) => void;

/** Moment of a send: the number of refusals before the send. */
type Turn = number;

/**
 * Holds the requests of an account back while the rate limit refuses requests. At first the gate is
 * open. After a refusal nothing starts before the end of `Retry-After`, or of a backoff without
 * `Retry-After`. Then requests start one by one, first come first served. The pace is the time
 * between two starts: at first as published (`X-RateLimit-Limit`), otherwise at most 1 s. A success
 * shortens the pace by a tenth, down to the published pace; a further refusal doubles the pace.
 * After a minute without a refusal, with an empty line, the gate is open again.
 */
export class RateGate {
  readonly #clock: Clock;
  /** Settles when the last request has left the line. */
  #queue: Promise<void> = Promise.resolve();
  #waiting = 0;
  /** Refusals so far, without refusals of requests that were in transit at a refusal. */
  #turn: Turn = 0;
  #refusedInRow = 0;
  /** Moments of `Clock.elapsed`, in milliseconds. */
  #closedUntil = Number.NEGATIVE_INFINITY;
  #refusedAt = Number.NEGATIVE_INFINITY;
  #startedAt = Number.NEGATIVE_INFINITY;
  /** Moment since which nothing was let through. */
  #stuckSince = Number.POSITIVE_INFINITY;
  /** Time between two starts; 0: the gate is open. */
  #paceMs = 0;
  /** Shortest pace: the published pace times `margin`; 0 without a published pace. */
  #leastPaceMs = 0;
  #refusalOf: ((call: HttpCall) => Failure) | undefined;

  /** `clock`: source of the gate's times and waits. */
  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Present moment, for `enter` and `isStuck`. */
  now(): number {
    return this.#clock.elapsed();
  }

  /** Whether a request must wait. */
  get isClosed(): boolean {
    const now = this.now();
    if (this.#waiting === 0 && now - this.#refusedAt >= quietMs) {
      this.#paceMs = 0;
    }
    return this.#paceMs > 0 || this.#closedUntil > now;
  }

  /**
   * Waits for the turn of a request. Returns a failure once the request is stuck (`isStuck`). `onWait`:
   * told if the request waits longer than 10 s from `since` on.
   */
  async enter(
    call: HttpCall,
    since: number,
    { maxThrottledMs }: RetryOptions,
    onWait?: OnRateLimitWait,
  ): Promise<Turn | Failure> {
    const { signal } = call;
    signal?.throwIfAborted();
    if (!this.isClosed) {
      return this.#turn;
    }
    const before = this.#queue;
    let leaveQueue = () => {};
    this.#queue = new Promise((resolve) => {
      leaveQueue = resolve;
    });
    this.#waiting += 1;
    const told = new AbortController();
    if (onWait !== undefined) {
      void this.#tellAfter(since + noticeAfterMs, onWait, told.signal);
    }
    try {
      await (signal === undefined ? before : untilAborted(signal, before));
      let now = this.now();
      for (;;) {
        const startAt = Math.max(this.#closedUntil, this.#startedAt + this.#paceMs);
        if (startAt <= now) {
          break;
        }
        if (this.#refusalOf !== undefined && this.isStuck(since, maxThrottledMs)) {
          return this.#refusalOf(call);
        }
        await this.#clock.sleep(startAt - now, signal);
        // Timers may be early by a fraction, and the clocks of tests stand still.
        now = Math.max(startAt, this.now());
      }
      this.#startedAt = now;
      return this.#turn;
    } finally {
      told.abort();
      this.#waiting -= 1;
      void before.then(leaveQueue);
    }
  }

  /** Tells `onWait` at a moment, unless `ended` aborts before. */
  async #tellAfter(moment: number, onWait: OnRateLimitWait, ended: AbortSignal): Promise<void> {
    try {
      await this.#clock.sleep(Math.max(0, moment - this.now()), ended);
    } catch {
      return;
    }
    if (!ended.aborted) {
      onWait(this.#waiting);
    }
  }

  /**
   * Whether nothing will have been let through for more than `maxThrottledMs` of a request's wait when
   * the present pause ends. The request then fails before the pause.
   */
  isStuck(since: number, maxThrottledMs: number): boolean {
    return this.#closedUntil - Math.max(this.#stuckSince, since) > maxThrottledMs;
  }

  /** Notes the result of a request sent at the turn; without a failure, the request succeeded. */
  recordResult(turn: Turn, failure: Failure | undefined, options: RetryOptions): void {
    if (failure?.refusalOf !== undefined) {
      this.#close(turn, failure, options);
    } else if (turn === this.#turn && (failure === undefined || failure.isThrottled === false)) {
      this.#refusedInRow = 0;
      this.#stuckSince = Number.POSITIVE_INFINITY;
      this.#setPace(this.#paceMs * speedUp);
    }
  }

  #close(turn: Turn, failure: Failure, options: RetryOptions): void {
    const { retryAfterMs, requestsPerMinute, refusalOf } = failure;
    // The request is not retried. Only other requests can find out whether they must wait as long.
    if (retryAfterMs !== undefined && retryAfterMs > options.maxRetryAfterMs) {
      return;
    }
    const isFirst = turn === this.#turn;
    this.#refusedInRow += isFirst ? 1 : 0;
    // A limit that answers "now" and refuses again gets fewer and fewer requests.
    const inRow = Math.max(1, this.#refusedInRow);
    const backoffMs = inRow === 1 ? 0 : waitAfter(options, undefined, inRow);
    const pauseMs = Math.max(backoffMs, waitAfter(options, retryAfterMs, inRow));
    const now = this.now();
    this.#closedUntil = Math.max(this.#closedUntil, now + pauseMs);
    this.#refusedAt = now;
    this.#stuckSince = Math.min(this.#stuckSince, now);
    this.#refusalOf = refusalOf;
    if (isFirst) {
      this.#turn += 1;
      this.#leastPaceMs = requestsPerMinute === undefined ? 0 : (60_000 / requestsPerMinute) * margin;
      const slowestMs = Math.max(retryAfterMsMin, pauseMs);
      const firstMs = this.#leastPaceMs || Math.min(slowestMs, firstPaceMsMax);
      this.#setPace(this.#paceMs === 0 ? firstMs : Math.min(this.#paceMs * slowDown, slowestMs));
    }
  }

  #setPace(milliseconds: number): void {
    const paceMs = Math.max(this.#leastPaceMs, milliseconds);
    this.#paceMs = paceMs < paceMsMin ? 0 : paceMs;
  }
}

/** Gates of the process, by clock and account. The gates of a test's clock end with the clock. */
const gates = new WeakMap<Clock, Map<string, RateGate>>();

/** Returns the gate of an account. Keeps no key: a client may end long before the gate. */
export function gateOf(clock: Clock, baseUrl: string, apiKey: string): RateGate {
  const account = createHash("sha256")
    .update(JSON.stringify([baseUrl, apiKey]))
    .digest("base64");
  const ofClock = gates.get(clock) ?? new Map<string, RateGate>();
  gates.set(clock, ofClock);
  const gate = ofClock.get(account) ?? new RateGate(clock);
  ofClock.set(account, gate);
  return gate;
}
