/** Ends of logins in the record of the connection, which is read beside the stream of a login. */
import { isDeepStrictEqual } from "node:util";
import { LoginError } from "../../../errors.js";
import type { Failure } from "../../http/call.js";
import type { Clock } from "../../http/retry/options.js";
import type { ReadPhase } from "../../operations/following/follower.js";
import type { AuthConnection } from "../auth-connection.js";
import { type LoginStateEvent, loginFlowMembers } from "../login.js";
import { isFinal, loginStanding, loginStateOf } from "./connection-record.js";

/** Last state of a login; undefined if the profile is logged in and no login is reported. */
export type End = LoginStateEvent | undefined;

/** Login to which the end in a record belongs. Only a new stream can decide a `doubtful` end. */
type EndOwner = "new" | "earlier" | "doubtful";

/** Members of the record that distinguish the ends of two logins. */
const identifying = [
  ...loginFlowMembers,
  "flowStatus",
  "flowStep",
  "flowType",
  "flowExpiresAt",
  "browserSessionId",
] as const;

/**
 * Judges the record of a connection, and remembers the reported ends. The record lags: while a login
 * is in progress, the record may still describe the end of an earlier login. Such an end must not
 * end the following of a live login.
 */
export class RecordedEnds {
  readonly #clock: Clock;
  readonly #endsWhenLoggedIn: boolean;
  /** Ends reported by the record since the last report without an end. */
  #ends: object[] = [];
  /** Number of ends, from the first on, that are known to belong to earlier logins. */
  #earlier = 0;
  #hasRead = false;

  /** `endsWhenLoggedIn`: a profile that is logged in, without a login in the record, is an end. */
  constructor(clock: Clock, endsWhenLoggedIn: boolean) {
    this.#clock = clock;
    this.#endsWhenLoggedIn = endsWhenLoggedIn;
  }

  /** State of the login in a record that was read now; undefined without a login. */
  stateIn(connection: AuthConnection): LoginStateEvent | undefined {
    return loginStateOf(connection, this.#clock.now());
  }

  /** End of the login in a record; undefined without an end. */
  endIn(connection: AuthConnection): { readonly value: End } | undefined {
    const state = this.stateIn(connection);
    if (state !== undefined) {
      return isFinal(state) ? { value: state } : undefined;
    }
    // The service keeps a flow in the record only for a while.
    const isOver = this.#endsWhenLoggedIn && loginStanding(connection) === "not_needed";
    return isOver ? { value: undefined } : undefined;
  }

  /** Number of ends that the record has reported so far. Read when a stream opens. */
  get endCount(): number {
    return this.#ends.length;
  }

  /** Notes the content of a record. After a record without an end, the next end is always new. */
  noteRecord(connection: AuthConnection): void {
    this.#hasRead = true;
    if (this.endIn(connection) === undefined) {
      this.#ends = [];
      this.#earlier = 0;
      return;
    }
    const end = identityOf(connection);
    if (!this.#ends.some((each) => isDeepStrictEqual(each, end))) {
      this.#ends.push(end);
    }
  }

  /** Marks the first `count` ends as earlier: a stream opened after them reports a live login. */
  noteLive(count: number): void {
    this.#earlier = Math.max(this.#earlier, Math.min(count, this.#ends.length));
  }

  /** Decides whose end the record contains, and notes the record. */
  classifyEnd(connection: AuthConnection, look: ReadPhase): EndOwner {
    const end = identityOf(connection);
    const known = this.#ends.findIndex((each) => isDeepStrictEqual(each, end));
    const isFirst = !this.#hasRead;
    this.noteRecord(connection);
    if (known !== -1 && known < this.#earlier && look !== "gone") {
      return "earlier";
    }
    if (look === "before") {
      return "doubtful";
    }
    if (look !== "beside") {
      return "new";
    }
    // While a stream is open, the login goes on: an end from before belongs to an earlier login.
    return isFirst ? "doubtful" : known === -1 ? "new" : "earlier";
  }
}

/** Whether an error in the stream says that there is no login to follow any more. */
export function isFlowGone({ error, isTransient }: Failure): boolean {
  const refusal = isTransient ? undefined : error("");
  return refusal instanceof LoginError && ["no_active_flow", "not_found"].includes(refusal.serviceCode ?? "");
}

function identityOf(connection: AuthConnection): object {
  return Object.fromEntries(identifying.map((name) => [name, connection[name]]));
}
