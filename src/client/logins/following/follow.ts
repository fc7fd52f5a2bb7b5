import { isDeepStrictEqual } from "node:util";
import type { BrowserInfraError } from "../../../errors.js";
import type { Failure } from "../../http/call.js";
import type { Deadline } from "../../http/connections/deadline.js";
import type { Transport } from "../../http/transport.js";
import { isMissingOperation } from "../../not-found.js";
import { Follower, type Judged, type ReadPhase } from "../../operations/following/follower.js";
import type { StreamErrorEvent } from "../../operations/following/stream-events.js";
import type { AuthConnection } from "../auth-connection.js";
import { type LoginStateEvent, loginEventSchemas } from "../login.js";
import { authConnectionRequest, isFinal, type LoginStanding, loginStanding } from "./connection-record.js";
import { LoginErrors } from "./errors.js";
import { type FollowOptions, followDefaults } from "./follow-options.js";
import { type End, isFlowGone, RecordedEnds } from "./recorded-ends.js";

/** Pause between two checks whether a login has begun, in milliseconds. */
const beginCheckMs = 3_000;

/** A login that is being followed. Nothing is sent before the first event is requested. */
export class LoginStream extends Follower<LoginStateEvent, End, AuthConnection> {
  readonly #errors: LoginErrors;
  readonly #onConnection: ((connection: AuthConnection) => void) | undefined;
  readonly #recorded: RecordedEnds;
  /** State that was reported last, and states that were met last by origin, so that no state is reported twice. */
  #last: LoginStateEvent | undefined;
  readonly #lastByOrigin: Partial<Record<LoginStateEvent["origin"], LoginStateEvent>> = {};
  #endsBefore = 0;
  #hasBegun = true;

  /** `onConnection`: waits for a login to begin, and ends when the profile is logged in. */
  constructor(
    transport: Transport,
    connectionId: string,
    { heartbeats = false, ...limits }: FollowOptions,
    onConnection?: (connection: AuthConnection) => void,
  ) {
    const followed = {
      record: authConnectionRequest(connectionId),
      operation: `Following the login of the auth connection "${connectionId}"`,
      schemas: loginEventSchemas,
      defaults: followDefaults,
      showsHeartbeats: heartbeats,
    };
    super(transport, followed, limits);
    this.#recorded = new RecordedEnds(transport.retry.clock, onConnection !== undefined);
    this.#onConnection = onConnection;
    this.#errors = new LoginErrors(connectionId, transport.clean);
  }

  protected timedOut(seconds: number, skipped: string): Error {
    return this.#hasBegun
      ? this.#errors.timedOut(seconds, this.#last, skipped)
      : this.#errors.notBegun(seconds);
  }

  protected reported(event: StreamErrorEvent, note: string): BrowserInfraError {
    return this.#errors.reported(event, this.#last, note);
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
      this.#recorded.noteRecord(connection);
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
      const { value: connection, failure } = await this.readOnce(deadline.signal);
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
    this.#endsBefore = this.#recorded.endCount;
  }

  protected see(event: LoginStateEvent): Judged<LoginStateEvent, End> {
    if (isFinal(event)) {
      return { end: { value: event } };
    }
    this.#recorded.noteLive(this.#endsBefore);
    return this.#judged(event);
  }

  protected judge(connection: AuthConnection, phase: ReadPhase): Judged<LoginStateEvent, End> {
    const end = this.#recorded.endIn(connection);
    if (end === undefined) {
      this.#recorded.noteRecord(connection);
      const state = this.#recorded.stateIn(connection);
      return state === undefined ? {} : this.#judged(state);
    }
    const verdict = this.#recorded.classifyEnd(connection, phase);
    if (verdict !== "new") {
      return { reopen: verdict === "doubtful" };
    }
    if (end.value === undefined) {
      this.#onConnection?.(connection);
    }
    return { end };
  }

  /**
   * Judges a state in progress; a new state becomes the last reported state. Also compares with the
   * last state from the same origin, so that a stream and a record that permanently differ do not
   * alternate.
   */
  #judged(state: LoginStateEvent): Judged<LoginStateEvent, End> {
    const ofOrigin = this.#lastByOrigin[state.origin];
    const isNew = !isRepeat(state, this.#last) && (ofOrigin === this.#last || !isRepeat(state, ofOrigin));
    this.#lastByOrigin[state.origin] = state;
    if (isNew) {
      this.#last = state;
      this.noteNews();
    }
    return { isState: true, shown: isNew ? state : undefined };
  }
}

/** Whether two states have the same content, whatever the times and origins. */
function isRepeat(state: LoginStateEvent, before: LoginStateEvent | undefined): boolean {
  const { timestamp, origin } = state;
  return before !== undefined && isDeepStrictEqual(state, { ...before, timestamp, origin });
}
