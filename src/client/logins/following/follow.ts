import { paragraph } from "../../../text/words.js";
import type { Failure, HttpCall, Outcome } from "../../http/call.js";
import { type Deadline, startDeadline } from "../../http/connections/deadline.js";
import type { EventStream } from "../../http/exchange/event-stream.js";
import {
  canceledError,
  catchUnusable,
  unexpectedResponseError,
  unusableFailure,
} from "../../http/failures.js";
import type { Transport } from "../../http/transport.js";
import { isMissingOperation } from "../../not-found.js";
import type { AuthConnection } from "../auth-connection.js";
import type { LoginEvent, LoginStateEvent } from "../login.js";
import {
  authConnectionPath,
  isFinal,
  type LoginStanding,
  loginStanding,
  noAuthConnectionAdvice,
} from "./connection-record.js";
import { isTransientEvent, LoginErrors } from "./errors.js";
import { LastEvents, readLoginEvent, UnreadableEvents } from "./events.js";
import { type FollowOptions, type FollowSettings, followSettings } from "./follow-options.js";
import { Reconnects } from "./reconnects.js";
import {
  type End,
  finalReadPhase,
  isAboutRecordOnly,
  type ReadPhase,
  RecordReader,
} from "./record-reader.js";

/** Life of a stream that counts as progress, in milliseconds. */
const steadyMsMin = 10_000;

/** Time for a new stream to report the present state before the record is read. Milliseconds. */
const firstStateMs = 2_000;

/** Pause between two checks whether a login has begun, in milliseconds. */
const beginCheckMs = 3_000;

/** Maximum number of unreadable events in a row before a stream counts as broken. */
const unreadableInRowMax = 100;

/** Result of following a stream. `reopen`: only a new stream can show how the login continues. */
type StreamEnd = Outcome<End> | "reopen";

/** A login that is being followed. Nothing is sent before the first event is requested. */
export class LoginStream implements AsyncIterableIterator<LoginEvent> {
  readonly #call: HttpCall;
  readonly #transport: Transport;
  readonly #settings: FollowSettings;
  readonly #errors: LoginErrors;
  readonly #onConnection: ((connection: AuthConnection) => void) | undefined;
  readonly #stop = new AbortController();
  readonly #events: AsyncGenerator<LoginEvent, undefined>;
  readonly #last = new LastEvents();
  readonly #unreadable = new UnreadableEvents();
  readonly #reconnects: Reconnects;
  readonly #record: RecordReader;
  /** Whether the service has reported the login. Until then a failure may be permanent. */
  #isReported = false;
  #hasReturned = false;
  #hasBegun = true;

  /** `onConnection`: waits for a login to begin, and ends when the profile is logged in. */
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
      notFoundAdvice: noAuthConnectionAdvice,
    };
    this.#reconnects = new Reconnects(transport.retry, this.#settings.maxReconnects);
    this.#record = new RecordReader(transport, connectionId, onConnection !== undefined);
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

  /** Ends the iteration immediately, also while waiting for an event. */
  return(): Promise<IteratorResult<LoginEvent, undefined>> {
    this.#hasReturned = true;
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
        await this.#waitUntilBegun(this.#onConnection, deadline);
      }
      end = this.#hasBegun ? yield* this.#follow(deadline) : undefined;
    } catch (error) {
      // The stop made the request in progress fail.
      if (this.#hasReturned) {
        return;
      }
      if (signal?.aborted) {
        throw canceledError(this.#call);
      }
      if (!deadline.hasExpired()) {
        throw error;
      }
      const seconds = deadline.seconds();
      throw this.#hasBegun
        ? this.#errors.timedOut(seconds, this.#last.state, this.#unreadable.skippedText)
        : this.#errors.notBegun(seconds);
    } finally {
      deadline.stop();
      signal?.removeEventListener("abort", stop);
    }
    // Only now, so that a reader who requests no further event leaves nothing open.
    if (end !== undefined) {
      yield end;
    }
  }

  /** Waits until the login has begun or is not needed, or until the record cannot be read. */
  async #waitUntilBegun(see: (connection: AuthConnection) => void, deadline: Deadline): Promise<void> {
    this.#hasBegun = false;
    let seen: LoginStanding | undefined;
    for (;;) {
      const connection = await this.#readWithRetries(deadline);
      if (connection === undefined) {
        this.#hasBegun = true;
        return;
      }
      this.#record.noteRecord(connection);
      const standing = loginStanding(connection);
      if (standing !== seen) {
        see(connection);
      }
      if (standing !== "not_begun") {
        this.#hasBegun = standing === "begun";
        return;
      }
      seen = standing;
      await this.#transport.retry.clock.sleep(beginCheckMs, deadline.signal);
    }
  }

  /** Reads the connection, with retries. Undefined: the service cannot read a connection. */
  async #readWithRetries(deadline: Deadline): Promise<AuthConnection | undefined> {
    for (;;) {
      const { value: connection, failure } = await this.#record.read(deadline.signal);
      if (failure === undefined) {
        this.#isReported = true;
        this.#reconnects.noteProgress();
        return connection;
      }
      const note = await this.#reconnects.pause(failure, deadline, this.#isReported);
      if (note !== undefined) {
        const error = failure.error(note);
        if (isMissingOperation(error)) {
          this.#reconnects.noteProgress();
          return undefined;
        }
        throw error;
      }
    }
  }

  /** Yields every event except the end of the flow, and returns the end. */
  async *#follow(deadline: Deadline): AsyncGenerator<LoginEvent, End> {
    const { signal } = deadline;
    const call: HttpCall = { ...this.#call, signal };
    for (;;) {
      const opened = await catchUnusable(() => this.#transport.open(call));
      const ended: StreamEnd =
        opened.failure === undefined ? yield* this.#readStream(call, opened.value) : opened;
      if (ended === "reopen") {
        continue;
      }
      const { value: end, failure } = ended;
      if (failure === undefined) {
        return end;
      }
      signal.throwIfAborted();
      const note = await this.#reconnects.pause(failure, deadline, this.#isReported);
      const givesUp = note !== undefined;
      // The record may contain states that the stream cannot report, and shows a login in progress.
      if (!givesUp || this.#isReported || failure.isTransient) {
        const look = givesUp ? finalReadPhase(failure) : this.#isReported ? "between" : "before";
        const recorded = yield* this.#readConnection(signal, look);
        if (recorded !== undefined && recorded !== "reopen") {
          return recorded.value;
        }
      }
      if (givesUp) {
        throw failure.error(paragraph(note, this.#unreadable.skippedText));
      }
    }
  }

  /** Yields the events of a stream. Returns the end of the flow, or why the stream is over. */
  async *#readStream(call: HttpCall, stream: EventStream): AsyncGenerator<LoginEvent, StreamEnd> {
    const { idleMs, recheckMs, heartbeats } = this.#settings;
    const openedAt = performance.now();
    this.#isReported = true;
    let checkAt = openedAt + Math.min(firstStateMs, recheckMs);
    let idleAt = openedAt + idleMs;
    /** Error of the service without a later state in the stream. */
    let reported: Failure | undefined;
    const endsBefore = this.#record.endCount;
    try {
      for (;;) {
        const quietMs = Math.max(0, Math.min(checkAt, idleAt) - performance.now());
        const { value: piece, failure } = await stream.next(quietMs);
        call.signal?.throwIfAborted();
        if (failure !== undefined) {
          return { failure: reported ?? failure };
        }
        if (piece === undefined) {
          if (idleAt <= checkAt) {
            const silence = stream.failure("timeout", `nothing was received for ${idleMs / 1000} s`);
            return { failure: reported ?? silence };
          }
          // While a rate limit holds reads back, the read would hold up the stream's reports.
          const ended = this.#transport.isHeldBack
            ? undefined
            : yield* this.#readConnection(call.signal, "beside");
          if (ended !== undefined) {
            return ended;
          }
          checkAt = performance.now() + recheckMs;
          continue;
        }
        for (const data of piece) {
          const event = readLoginEvent(data, this.#transport.redaction);
          if (typeof event === "string") {
            if (this.#unreadable.add(event) > unreadableInRowMax) {
              return { failure: unusableFailure(unexpectedResponseError(call, stream.context, event)) };
            }
            // The event may have been a state. The record then contains the state.
            checkAt = Math.min(checkAt, performance.now() + Math.min(firstStateMs, recheckMs));
            continue;
          }
          this.#unreadable.endRow();
          if (event?.event === "managed_auth_state") {
            if (isFinal(event)) {
              return { value: event };
            }
            reported = undefined;
            this.#record.noteLive(endsBefore);
            if (this.#recordState(event)) {
              yield event;
            }
            checkAt = performance.now() + recheckMs;
          } else if (event?.event === "error") {
            if (this.#last.recordError(event)) {
              yield event;
            }
            const error = (note: string) => this.#errors.reported(event, this.#last.state, note);
            reported = { error, isTransient: isTransientEvent(event) };
            if (!reported.isTransient) {
              return { failure: reported };
            }
            // The service decides whether the stream ends with the error, so the record is read
            // soon.
            checkAt = Math.min(checkAt, performance.now() + Math.min(firstStateMs, recheckMs));
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
        this.#reconnects.noteProgress();
      }
    }
  }

  /**
   * Reads the connection's record and yields a new state, or returns the end of the flow. Throws
   * only before and between streams, for a permanent failure that is not about the record only.
   */
  async *#readConnection(
    signal: AbortSignal | undefined,
    look: ReadPhase,
  ): AsyncGenerator<LoginEvent, { readonly value: End } | "reopen" | undefined> {
    const { value: connection, failure } = await this.#record.read(signal);
    signal?.throwIfAborted();
    if (failure !== undefined) {
      const error = failure.error("");
      if (failure.isTransient || !["before", "between"].includes(look) || isAboutRecordOnly(error)) {
        return undefined;
      }
      throw error;
    }
    const end = this.#record.endIn(connection);
    if (end === undefined) {
      this.#record.noteRecord(connection);
      const state = this.#record.stateIn(connection);
      if (state !== undefined) {
        this.#isReported = true;
        this.#reconnects.noteAlive();
        if (this.#recordState(state)) {
          yield state;
        }
      }
      return undefined;
    }
    const verdict = this.#record.classifyEnd(connection, look);
    if (verdict !== "new") {
      return verdict === "doubtful" ? "reopen" : undefined;
    }
    if (end.value === undefined) {
      this.#onConnection?.(connection);
    }
    return end;
  }

  #recordState(state: LoginStateEvent): boolean {
    const isNew = this.#last.recordState(state);
    if (isNew) {
      this.#reconnects.noteProgress();
    }
    return isNew;
  }
}
