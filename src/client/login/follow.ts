import { CanceledError } from "../../errors.js";
import { type Deadline, startDeadline } from "../http/deadline.js";
import { EventTooLarge, eventBytesMax } from "../http/event-stream.js";
import type { EventStream, StreamPart } from "../http/event-stream-connection.js";
import type { Call } from "../http/exchange.js";
import { Fault } from "../http/failures.js";
import { recordRead } from "../http/read-record.js";
import { decideRetry, RetryBudget, type RetryOptions } from "../http/retry.js";
import { type FailedSend, type SingleSend, type Transport, unreadable } from "../http/transport.js";
import { unexpectedAnswer } from "../http/unexpected-answer.js";
import type { AuthConnection, LoginErrorEvent, LoginEvent, LoginStateEvent } from "../types.js";
import { loginStanding, untilBegun } from "./begin.js";
import { authConnectionPath, authConnectionRequest, ifNoAuthConnection } from "./connection.js";
import { LoginErrors, mayPass } from "./errors.js";
import { isFinal, LastStates, loginStateOf, readLoginEvent, repeats } from "./events.js";
import { type FollowOptions, type FollowSettings, followSettings } from "./follow-options.js";

/** First and longest wait before a stream is opened anew, in milliseconds. The service's own login page waits like this. */
const reconnectMs = 1_000;
const reconnectMsMax = 15_000;

/** Life of a stream that counts as something gained, in milliseconds. */
const steadyMsMin = 10_000;

/** Time an open stream has to tell the present state, as the service is thought to do, before the connection is asked for it, in milliseconds. */
const firstStateMs = 2_000;

/** Reconnects have a limit and a rhythm of their own, and must not use up what other requests may repeat. */
const unlimited = new RetryBudget(Number.POSITIVE_INFINITY);

/** How following ended: with the last state, or without one where the profile is logged in and nothing tells of a login any more. */
interface Ending {
  readonly end: LoginStateEvent | undefined;
}

/** One login being followed. Nothing is sent before the first event is asked for. */
export class LoginFollower implements AsyncIterableIterator<LoginEvent, undefined> {
  readonly #transport: Transport;
  readonly #retry: RetryOptions;
  readonly #settings: FollowSettings;
  readonly #errors: LoginErrors;
  readonly #connectionId: string;
  readonly #path: string;
  readonly #onConnection: ((connection: AuthConnection) => void) | undefined;
  readonly #stop = new AbortController();
  readonly #events: AsyncGenerator<LoginEvent, undefined>;
  readonly #states = new LastStates();
  /** The error given last, so that none is given twice. */
  #error: LoginErrorEvent | undefined;
  /** Failures since something was gained. */
  #failures = 0;
  /** Whether the service has told anything of the connection. Until then a failure may as well be for good. */
  #known = false;
  #left = false;
  #begun = true;

  /**
   * With `onConnection`, a login that has not begun is waited for, and nothing is followed when the profile is logged in.
   * Throws `InputError` for an id that cannot be one and for a limit that is not positive.
   */
  constructor(
    transport: Transport,
    retry: RetryOptions,
    connectionId: string,
    options: FollowOptions,
    onConnection?: (connection: AuthConnection) => void,
  ) {
    this.#transport = transport;
    this.#retry = retry;
    this.#settings = followSettings(options);
    this.#path = authConnectionPath("connectionId", connectionId);
    this.#connectionId = connectionId;
    this.#onConnection = onConnection;
    this.#errors = new LoginErrors(connectionId, (text) => transport.clean(text));
    this.#events = this.#run();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<LoginEvent, undefined>> {
    return this.#events.next();
  }

  /** Ends it at once, also while an event is being waited for. */
  return(): Promise<IteratorResult<LoginEvent, undefined>> {
    this.#left = true;
    this.#stop.abort();
    return this.#events.return(undefined);
  }

  async *#run(): AsyncGenerator<LoginEvent, undefined> {
    const { signal, timeoutMs } = this.#settings;
    const stop = () => this.#stop.abort();
    signal?.addEventListener("abort", stop, { once: true });
    const deadline = startDeadline(timeoutMs, this.#stop.signal);
    let end: LoginStateEvent | undefined;
    try {
      signal?.throwIfAborted();
      if (await this.#notNeeded(deadline)) {
        return;
      }
      ({ end } = yield* this.#follow(deadline));
    } catch (error) {
      // Whatever was under way failed because it was stopped.
      if (this.#left) {
        return;
      }
      if (signal?.aborted) {
        throw new CanceledError(`${this.#doing} was canceled by its caller.`);
      }
      if (!deadline.passed()) {
        throw error;
      }
      const seconds = deadline.seconds();
      throw this.#begun ? this.#errors.timedOut(seconds, this.#states.given) : this.#errors.notBegun(seconds);
    } finally {
      deadline.stop();
      signal?.removeEventListener("abort", stop);
    }
    // Only now, so that nothing is left open by a reader who asks for no more.
    if (end !== undefined) {
      yield end;
    }
  }

  /** Waits until a login has begun, where that was asked for; true when none is needed. */
  async #notNeeded(deadline: Deadline): Promise<boolean> {
    if (this.#onConnection === undefined) {
      return false;
    }
    this.#begun = false;
    const { clock } = this.#retry;
    const read = () => this.#readWithRetries(deadline);
    const standing = await untilBegun(read, this.#onConnection, clock, deadline.signal);
    this.#begun = standing === "begun";
    return standing === "not_needed";
  }

  /** Reads the connection's record, again after each failure that may pass. */
  async #readWithRetries(deadline: Deadline): Promise<AuthConnection> {
    for (;;) {
      const { value: connection, failed } = await this.#readOnce(deadline.signal);
      if (failed === undefined) {
        this.#known = true;
        this.#failures = 0;
        return connection;
      }
      const note = await this.#pause(failed, deadline);
      if (note !== undefined) {
        throw failed.error(note);
      }
    }
  }

  /** Gives every event but the one that ends the flow, and returns how it ended. */
  async *#follow(deadline: Deadline): AsyncGenerator<LoginEvent, Ending> {
    const { signal } = deadline;
    const call: Call = {
      method: "GET",
      path: `${this.#path}/events`,
      doing: this.#doing,
      ifNotFound: ifNoAuthConnection,
      accept: "text/event-stream",
      opensStream: true,
      bodyBytesMax: 0,
      signal,
    };
    for (;;) {
      const { value: stream, failed } = await this.#transport.openEventStream(call);
      const failure = failed ?? (yield* this.#readStream(call, stream));
      if ("end" in failure) {
        return failure;
      }
      signal.throwIfAborted();
      const note = await this.#pause(failure, deadline);
      const givesUp = note !== undefined;
      // Once something is known of the flow, its end is the answer, even where the stream can tell no more of it.
      if (!givesUp || this.#known) {
        const ending = yield* this.#readConnection(signal, givesUp);
        if (ending !== undefined) {
          return ending;
        }
      }
      if (givesUp) {
        throw failure.error(note);
      }
    }
  }

  /** Gives the events of one stream; returns how the flow ended, or why the stream is of no more use. */
  async *#readStream(call: Call, stream: EventStream): AsyncGenerator<LoginEvent, Ending | FailedSend> {
    const { idleMs, recheckMs, heartbeats } = this.#settings;
    const openedAt = performance.now();
    this.#known = true;
    let checkAt = openedAt + Math.min(firstStateMs, recheckMs);
    let idleAt = openedAt + idleMs;
    try {
      for (;;) {
        const part = await this.#nextPart(call, stream, Math.min(checkAt, idleAt));
        call.signal?.throwIfAborted();
        if (part === "quiet" && idleAt > checkAt) {
          const ending = yield* this.#readConnection(call.signal, false);
          if (ending !== undefined) {
            return ending;
          }
          checkAt = performance.now() + recheckMs;
          continue;
        }
        if (part === "quiet") {
          const silence = `nothing came for ${idleMs / 1000} s`;
          return this.#transport.failed(call, new Fault("timeout", true, silence, undefined));
        }
        if (part === "ended") {
          const early = "the service closed the stream before the login was over";
          return this.#transport.failed(call, new Fault("broken", true, early, undefined));
        }
        if ("trouble" in part) {
          return part;
        }
        for (const data of part) {
          const { event, problem } = readLoginEvent(data);
          if (problem !== undefined) {
            return unreadable(unexpectedAnswer(call, stream.context, problem));
          }
          if (event?.event === "managed_auth_state") {
            if (isFinal(event)) {
              return { end: event };
            }
            if (this.#isNews(event)) {
              yield event;
            }
            checkAt = performance.now() + recheckMs;
          } else if (event?.event === "error") {
            return yield* this.#report(event);
          } else if (event !== undefined && heartbeats) {
            yield event;
          }
          call.signal?.throwIfAborted();
        }
        // Time in which the events were dealt with is no silence.
        idleAt = performance.now() + idleMs;
      }
    } finally {
      stream.close();
      if (performance.now() - openedAt >= steadyMsMin) {
        this.#failures = 0;
      }
    }
  }

  async #nextPart(call: Call, stream: EventStream, until: number): Promise<StreamPart | FailedSend> {
    try {
      return await stream.next(Math.max(0, until - performance.now()));
    } catch (error) {
      if (error instanceof Fault) {
        return this.#transport.failed(call, error);
      }
      if (!(error instanceof EventTooLarge)) {
        throw error;
      }
      const what = `an event has more than ${eventBytesMax} bytes`;
      return unreadable(unexpectedAnswer(call, stream.context, what));
    }
  }

  /**
   * Reads the connection's record and gives what is new of it, or returns how the flow ended. Nothing comes of a record that cannot be read
   * now; one that may not be read, or is gone, ends the following unless `last`.
   */
  async *#readConnection(
    signal: AbortSignal | undefined,
    last: boolean,
  ): AsyncGenerator<LoginEvent, Ending | undefined> {
    const { value: connection, failed } = await this.#readOnce(signal);
    signal?.throwIfAborted();
    if (failed !== undefined) {
      if (failed.trouble.passing || last) {
        return undefined;
      }
      throw failed.error("");
    }
    const state = loginStateOf(connection, this.#retry.clock.now());
    if (state !== undefined) {
      if (isFinal(state)) {
        return { end: state };
      }
      if (this.#isNews(state)) {
        yield state;
      }
    } else if (this.#onConnection !== undefined && loginStanding(connection) === "not_needed") {
      // The service keeps a flow in the record only for a while. The login this waited for is done, whatever became of its last state.
      this.#onConnection(connection);
      return { end: undefined };
    }
    return undefined;
  }

  #readOnce(signal: AbortSignal | undefined): Promise<SingleSend<AuthConnection>> {
    const { call, take } = recordRead(authConnectionRequest(this.#connectionId, this.#path, signal));
    return this.#transport.readOnce(call, take);
  }

  /** Gives an error event. It ends the stream, as on the service's own login page; what became of the flow stands in the record. */
  async *#report(event: LoginErrorEvent): AsyncGenerator<LoginEvent, FailedSend> {
    const news = !repeats(event, this.#error);
    this.#error = event;
    if (news) {
      yield event;
    }
    return {
      trouble: { passing: mayPass(event), timedOut: false, retryAfterMs: undefined, forbidden: false },
      error: (note) => this.#errors.reported(event, this.#states.given, note),
    };
  }

  #isNews(state: LoginStateEvent): boolean {
    if (!this.#states.take(state)) {
      return false;
    }
    this.#error = undefined;
    this.#failures = 0;
    return true;
  }

  /** Waits before the next try; or does not wait, and gives a sentence for the message that says why there is none. */
  async #pause({ trouble }: FailedSend, deadline: Deadline): Promise<string | undefined> {
    this.#failures++;
    const limits = this.#known
      ? { attempts: this.#settings.reconnectsMax + 1, retryAfterMsMax: deadline.leftMs() }
      : {};
    const rhythm = { baseMs: reconnectMs, delayMsMax: reconnectMsMax, budget: unlimited };
    const decision = decideRetry({ ...this.#retry, ...rhythm, ...limits }, this.#failures, trouble);
    if ("note" in decision) {
      return decision.note;
    }
    await this.#retry.clock.sleep(decision.waitMs, deadline.signal);
    return undefined;
  }

  get #doing(): string {
    return `Following the login of the auth connection "${this.#connectionId}"`;
  }
}
