import { ContractError } from "../../errors.js";
import type { Call, CallOptions, Failure, Outcome } from "../http/call.js";
import { type Deadline, startDeadline } from "../http/connections/deadline.js";
import type { EventStream } from "../http/exchange/event-stream.js";
import { canceled, orUnusable, unusable } from "../http/failures.js";
import { readRecordOnce } from "../http/read-record.js";
import { RetryBudget } from "../http/retry/budget.js";
import { decideRetry } from "../http/retry/decide.js";
import type { Transport } from "../http/transport.js";
import { withDefaults } from "../options.js";
import type { AuthConnection, LoginEvent, LoginStateEvent } from "../types.js";
import {
  authConnectionPath,
  authConnectionRequest,
  ifNoAuthConnection,
  isFinal,
  type LoginStanding,
  loginStanding,
  loginStateOf,
} from "./connection.js";
import { LoginErrors, mayPass } from "./errors.js";
import { LastEvents, readLoginEvent } from "./events.js";

/** How long a login is followed, and which of its events are returned. */
export interface FollowOptions extends CallOptions {
  /** Also return heartbeats. Default false. */
  readonly heartbeats?: boolean | undefined;
  /** Total time, in milliseconds. Default 1 500 000 (25 min): the service ends a flow after 20. */
  readonly timeoutMs?: number | undefined;
  /** Time without even a heartbeat until a stream is reopened. Milliseconds. Default 60 000. */
  readonly idleMs?: number | undefined;
  /** Time without a new state until the record is read too. Milliseconds. Default 60 000. */
  readonly recheckMs?: number | undefined;
  /**
   * How often a stream is reopened, or the connection is read, without progress. Progress is a new
   * state or a stream that lasted 10 s, silent or not: nobody knows whether the service sends
   * heartbeats. Default 10, which bridges about a minute. Until the service has said anything about
   * the connection, a request is tried as often as a read.
   */
  readonly maxReconnects?: number | undefined;
}

/** Options with their defaults. */
export type FollowSettings = typeof defaults & CallOptions;

const defaults = {
  heartbeats: false,
  timeoutMs: 1_500_000,
  idleMs: 60_000,
  recheckMs: 60_000,
  maxReconnects: 10,
};

/** Fills in defaults. Throws `InputError` for a number that is not positive. */
function followSettings({ signal, ...options }: FollowOptions): FollowSettings {
  return { ...withDefaults("", defaults, options), signal };
}

/** First and longest pause before a stream is reopened, in milliseconds, as on the login page. */
const reconnectMs = 1_000;
const reconnectMsMax = 15_000;

/** Life of a stream that counts as progress, in milliseconds. */
const steadyMsMin = 10_000;

/** Time for a new stream to report the present state before the record is read. Milliseconds. */
const firstStateMs = 2_000;

/** Pause between two checks whether a login has begun, in milliseconds. */
const beginCheckMs = 3_000;

/** Reconnects have their own limit and must not use up the retries of other requests. */
const unlimited = new RetryBudget(Number.POSITIVE_INFINITY);

/** The last state of a login, or none if the profile is logged in and no login is reported. */
type End = LoginStateEvent | undefined;

/** One login that is being followed. Nothing is sent before the first event is asked for. */
export class LoginStream implements AsyncIterableIterator<LoginEvent, undefined> {
  readonly #call: Call;
  readonly #transport: Transport;
  readonly #settings: FollowSettings;
  readonly #errors: LoginErrors;
  readonly #connectionId: string;
  readonly #onConnection: ((connection: AuthConnection) => void) | undefined;
  readonly #stop = new AbortController();
  readonly #events: AsyncGenerator<LoginEvent, undefined>;
  readonly #last = new LastEvents();
  /** Failures since the last progress. */
  #failures = 0;
  /** Whether the service has said anything yet. Until then a failure may be permanent. */
  #known = false;
  #left = false;
  #begun = true;

  /**
   * With `onConnection`, waits for a login to begin, and follows nothing when the profile is logged
   * in. Throws `InputError` for a malformed id and for a limit that is not positive.
   */
  constructor(
    transport: Transport,
    connectionId: string,
    options: FollowOptions,
    onConnection?: (connection: AuthConnection) => void,
  ) {
    this.#transport = transport;
    this.#settings = followSettings(options);
    this.#call = {
      method: "GET",
      path: `${authConnectionPath("connectionId", connectionId)}/events`,
      operation: `Following the login of the auth connection "${connectionId}"`,
      ifNotFound: ifNoAuthConnection,
    };
    this.#connectionId = connectionId;
    this.#onConnection = onConnection;
    this.#errors = new LoginErrors(connectionId, transport.clean);
    this.#events = this.#run();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<LoginEvent, undefined>> {
    return this.#events.next();
  }

  /** Ends it immediately, also while it waits for an event. */
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
    let end: End;
    try {
      signal?.throwIfAborted();
      if (this.#onConnection !== undefined) {
        await this.#untilBegun(this.#onConnection, deadline);
      }
      end = this.#begun ? yield* this.#follow(deadline) : undefined;
    } catch (error) {
      // Whatever was in progress failed because it was stopped.
      if (this.#left) {
        return;
      }
      if (signal?.aborted) {
        throw canceled(this.#call);
      }
      if (!deadline.passed()) {
        throw error;
      }
      const seconds = deadline.seconds();
      throw this.#begun ? this.#errors.timedOut(seconds, this.#last.state) : this.#errors.notBegun(seconds);
    } finally {
      deadline.stop();
      signal?.removeEventListener("abort", stop);
    }
    // Only now, so that a reader who asks for no more leaves nothing open.
    if (end !== undefined) {
      yield end;
    }
  }

  /** Reads the connection until its login has begun or is not needed. `see` gets each change. */
  async #untilBegun(see: (connection: AuthConnection) => void, deadline: Deadline): Promise<void> {
    this.#begun = false;
    let seen: LoginStanding | undefined;
    for (;;) {
      const connection = await this.#readWithRetries(deadline);
      const standing = loginStanding(connection);
      if (standing !== seen) {
        see(connection);
      }
      if (standing !== "not_begun") {
        this.#begun = standing === "begun";
        return;
      }
      seen = standing;
      await this.#transport.retry.clock.sleep(beginCheckMs, deadline.signal);
    }
  }

  async #readWithRetries(deadline: Deadline): Promise<AuthConnection> {
    for (;;) {
      const { value: connection, failure } = await this.#readOnce(deadline.signal);
      if (failure === undefined) {
        this.#known = true;
        this.#failures = 0;
        return connection;
      }
      const note = await this.#pause(failure, deadline);
      if (note !== undefined) {
        throw failure.error(note);
      }
    }
  }

  /** Yields every event but the one that ends the flow, and returns how it ended. */
  async *#follow(deadline: Deadline): AsyncGenerator<LoginEvent, End> {
    const { signal } = deadline;
    const call: Call = { ...this.#call, signal };
    for (;;) {
      const opened = await orUnusable(() => this.#transport.open(call));
      const { value: end, failure } =
        opened.failure === undefined ? yield* this.#readStream(call, opened.value) : opened;
      if (failure === undefined) {
        return end;
      }
      signal.throwIfAborted();
      const note = await this.#pause(failure, deadline);
      const givesUp = note !== undefined;
      // Once anything is known about the flow, its end counts even if the stream cannot report it.
      if (!givesUp || this.#known) {
        const ended = yield* this.#readConnection(signal, givesUp);
        if (ended !== undefined) {
          return ended.value;
        }
      }
      if (givesUp) {
        throw failure.error(note);
      }
    }
  }

  /** Yields the events of one stream. Returns how the flow ended, or why the stream is over. */
  async *#readStream(call: Call, stream: EventStream): AsyncGenerator<LoginEvent, Outcome<End>> {
    const { idleMs, recheckMs, heartbeats } = this.#settings;
    const openedAt = performance.now();
    this.#known = true;
    let checkAt = openedAt + Math.min(firstStateMs, recheckMs);
    let idleAt = openedAt + idleMs;
    try {
      for (;;) {
        const quietMs = Math.max(0, Math.min(checkAt, idleAt) - performance.now());
        const { value: piece, failure } = await stream.next(quietMs);
        call.signal?.throwIfAborted();
        if (failure !== undefined) {
          return { failure };
        }
        if (piece === undefined) {
          if (idleAt <= checkAt) {
            return { failure: stream.failure("timeout", `nothing came for ${idleMs / 1000} s`) };
          }
          const ended = yield* this.#readConnection(call.signal, false);
          if (ended !== undefined) {
            return ended;
          }
          checkAt = performance.now() + recheckMs;
          continue;
        }
        for (const data of piece) {
          const event = readLoginEvent(data, call, stream.context);
          if (event instanceof ContractError) {
            return { failure: unusable(event) };
          }
          if (event?.event === "managed_auth_state") {
            if (isFinal(event)) {
              return { value: event };
            }
            if (this.#isNew(event)) {
              yield event;
            }
            checkAt = performance.now() + recheckMs;
          } else if (event?.event === "error") {
            if (this.#last.isNewError(event)) {
              yield event;
            }
            // It ends the stream, as on the service's own login page.
            const error = (note: string) => this.#errors.reported(event, this.#last.state, note);
            return { failure: { error, mayPass: mayPass(event) } };
          } else if (event !== undefined && heartbeats) {
            yield event;
          }
          call.signal?.throwIfAborted();
        }
        // Time in which the reader handled events is not silence of the stream.
        idleAt = performance.now() + idleMs;
      }
    } finally {
      stream.close();
      if (performance.now() - openedAt >= steadyMsMin) {
        this.#failures = 0;
      }
    }
  }

  /**
   * Reads the connection's record and yields what is new in it, or returns how the flow ended.
   * Ignores a failure that may pass. Throws any other, unless `last`.
   */
  async *#readConnection(
    signal: AbortSignal | undefined,
    last: boolean,
  ): AsyncGenerator<LoginEvent, { readonly value: End } | undefined> {
    const { value: connection, failure } = await this.#readOnce(signal);
    signal?.throwIfAborted();
    if (failure !== undefined) {
      if (failure.mayPass || last) {
        return undefined;
      }
      throw failure.error("");
    }
    const state = loginStateOf(connection, this.#transport.retry.clock.now());
    if (state !== undefined) {
      if (isFinal(state)) {
        return { value: state };
      }
      if (this.#isNew(state)) {
        yield state;
      }
    } else if (this.#onConnection !== undefined && loginStanding(connection) === "not_needed") {
      // The service keeps a flow in the record only for a while: the login is over.
      this.#onConnection(connection);
      return { value: undefined };
    }
    return undefined;
  }

  #readOnce(signal: AbortSignal | undefined): Promise<Outcome<AuthConnection>> {
    return readRecordOnce(this.#transport, authConnectionRequest(this.#connectionId, signal));
  }

  #isNew(state: LoginStateEvent): boolean {
    const isNew = this.#last.isNewState(state);
    if (isNew) {
      this.#failures = 0;
    }
    return isNew;
  }

  /** Waits before the next try, or returns a sentence that says why there is none. */
  async #pause(failure: Failure, deadline: Deadline): Promise<string | undefined> {
    this.#failures++;
    const { retry } = this.#transport;
    const limits = this.#known
      ? { attempts: this.#settings.maxReconnects + 1, maxRetryAfterMs: deadline.leftMs() }
      : {};
    const rhythm = { baseMs: reconnectMs, maxDelayMs: reconnectMsMax, budget: unlimited };
    const { waitMs, note } = decideRetry({ ...retry, ...rhythm, ...limits }, this.#failures, failure);
    if (waitMs === undefined) {
      return note;
    }
    await retry.clock.sleep(waitMs, deadline.signal);
    return undefined;
  }
}
