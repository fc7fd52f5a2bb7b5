import type { Failure, HttpCall } from "../../http/call.js";
import type { Deadline } from "../../http/connections/deadline.js";
import type { EventData } from "../../http/exchange/event-stream-decoder.js";
import type { Transport } from "../../http/transport.js";
import { isMissingOperation } from "../../not-found.js";
import { Follower, type Judged, type ReadPhase, type Seen } from "../../operations/follower.js";
import { readEvent } from "../../operations/stream-events.js";
import type { AuthConnection } from "../auth-connection.js";
import { type LoginEvent, type LoginStateEvent, loginEventSchemas } from "../login.js";
import {
  authConnectionPath,
  isFinal,
  type LoginStanding,
  loginStanding,
  noAuthConnectionAdvice,
} from "./connection-record.js";
import { isTransientEvent, LoginErrors } from "./errors.js";
import { LastEvents } from "./events.js";
import { type FollowOptions, followSettings } from "./follow-options.js";
import { type End, isFlowGone, RecordReader } from "./record-reader.js";

/** Pause between two checks whether a login has begun, in milliseconds. */
const beginCheckMs = 3_000;

/** A login that is being followed. Nothing is sent before the first event is requested. */
export class LoginStream extends Follower<LoginEvent, End, AuthConnection> {
  readonly #call: HttpCall;
  readonly #showsHeartbeats: boolean;
  readonly #errors: LoginErrors;
  readonly #onConnection: ((connection: AuthConnection) => void) | undefined;
  readonly #last = new LastEvents();
  readonly #record: RecordReader;
  #endsBefore = 0;
  #hasBegun = true;

  /** `onConnection`: waits for a login to begin, and ends when the profile is logged in. */
  constructor(
    transport: Transport,
    connectionId: string,
    options: FollowOptions,
    onConnection?: (connection: AuthConnection) => void,
  ) {
    const settings = followSettings(options);
    super(transport, settings);
    this.#showsHeartbeats = settings.heartbeats;
    this.#call = {
      method: "GET",
      path: `${authConnectionPath("connectionId", connectionId)}/events`,
      operation: `Following the login of the auth connection "${connectionId}"`,
      notFoundAdvice: noAuthConnectionAdvice,
    };
    this.#record = new RecordReader(transport, connectionId, onConnection !== undefined);
    this.#onConnection = onConnection;
    this.#errors = new LoginErrors(connectionId, transport.clean);
  }

  protected request(): HttpCall {
    return this.#call;
  }

  protected parse(data: EventData): LoginEvent | string | undefined {
    return readEvent(data, loginEventSchemas, this.transport.redaction);
  }

  protected timedOut(seconds: number, skipped: string): Error {
    return this.#hasBegun
      ? this.#errors.timedOut(seconds, this.#last.state, skipped)
      : this.#errors.notBegun(seconds);
  }

  protected override isGone(failure: Failure): boolean {
    return super.isGone(failure) || isFlowGone(failure);
  }

  /** Waits until the login has begun or is not needed, or until the record cannot be read. */
  protected override async prepare(deadline: Deadline): Promise<boolean> {
    if (this.#onConnection === undefined) {
      return true;
    }
    this.#hasBegun = false;
    let seen: LoginStanding | undefined;
    for (;;) {
      const connection = await this.#readWithRetries(deadline);
      if (connection === undefined) {
        this.#hasBegun = true;
        return true;
      }
      this.#record.noteRecord(connection);
      const standing = loginStanding(connection);
      if (standing !== seen) {
        this.#onConnection(connection);
      }
      if (standing !== "not_begun") {
        this.#hasBegun = standing === "begun";
        return this.#hasBegun;
      }
      seen = standing;
      await this.transport.retry.clock.sleep(beginCheckMs, deadline.signal);
    }
  }

  /** Reads the connection, with retries. Undefined: the service cannot read a connection. */
  async #readWithRetries(deadline: Deadline): Promise<AuthConnection | undefined> {
    for (;;) {
      const { value: connection, failure } = await this.#record.read(deadline.signal);
      if (failure === undefined) {
        this.isReported = true;
        this.reconnects.noteProgress();
        return connection;
      }
      const note = await this.reconnects.pause(failure, deadline, this.isReported);
      if (note !== undefined) {
        const error = failure.error(note);
        if (isMissingOperation(error)) {
          this.reconnects.noteProgress();
          return undefined;
        }
        throw error;
      }
    }
  }

  protected override noteOpened(): void {
    this.#endsBefore = this.#record.endCount;
  }

  protected see(event: LoginEvent): Seen<End> {
    if (event.event === "managed_auth_state") {
      if (isFinal(event)) {
        return { end: { value: event } };
      }
      this.#record.noteLive(this.#endsBefore);
      return { isState: true, isShown: this.#recordState(event) };
    }
    if (event.event === "error") {
      const isShown = this.#last.recordError(event);
      const error = (note: string) => this.#errors.reported(event, this.#last.state, note);
      return { failure: { error, isTransient: isTransientEvent(event) }, isShown };
    }
    return { isShown: this.#showsHeartbeats };
  }

  protected readOnce(signal: AbortSignal | undefined) {
    return this.#record.read(signal);
  }

  protected judge(connection: AuthConnection, phase: ReadPhase): Judged<LoginEvent, End> {
    const end = this.#record.endIn(connection);
    if (end === undefined) {
      this.#record.noteRecord(connection);
      const state = this.#record.stateIn(connection);
      return state === undefined ? {} : { state: { event: state, isShown: this.#recordState(state) } };
    }
    const verdict = this.#record.classifyEnd(connection, phase);
    if (verdict !== "new") {
      return { reopen: verdict === "doubtful" };
    }
    if (end.value === undefined) {
      this.#onConnection?.(connection);
    }
    return { end };
  }

  #recordState(state: LoginStateEvent): boolean {
    const isNew = this.#last.recordState(state);
    if (isNew) {
      this.reconnects.noteProgress();
    }
    return isNew;
  }
}
