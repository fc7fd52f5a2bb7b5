/** The record of the connection, read beside the stream of its login. */
import { isDeepStrictEqual } from "node:util";
import { ApiError, LoginError } from "../../errors.js";
import type { Failure, Outcome } from "../http/call.js";
import { readRecordOnce } from "../http/record-calls.js";
import type { Transport } from "../http/transport.js";
import type { AuthConnection } from "../records/auth-connection.js";
import type { LoginStateEvent } from "../records/login.js";
import { isMissingOperation } from "../refusals.js";
import { loginFlowMembers } from "../wire/login.js";
import { authConnectionRequest, loginStateOf } from "./connection.js";
import { isFinal, loginStanding } from "./standing.js";

/** The last state of a login, or none if the profile is logged in and no login is reported. */
export type End = LoginStateEvent | undefined;

/**
 * When the record is read: before the service has shown the login in progress, beside a stream that
 * is open, between two streams, or after the last one. `gone`: the service says that there is no login to follow any more, so what the record says
 * is the end of it.
 */
export type Look = "before" | "beside" | "between" | "after" | "gone";

/** Whose end the record reports. Only a new stream can tell about one that is doubtful. */
type Verdict = "new" | "earlier" | "doubtful";

/** Members of the record that tell the end of one login from that of another. */
const identifying = [
  ...loginFlowMembers,
  "flowStatus",
  "flowStep",
  "flowType",
  "flowExpiresAt",
  "browserSessionId",
] as const;

/**
 * Reads the record of one connection, and knows which ends it has reported. It describes the last
 * login that ended until it describes the next one, and may be late with that. So an end in it may
 * be that of an earlier login, and must not end the following of a live one.
 */
export class LoginRecord {
  readonly #transport: Transport;
  readonly #connectionId: string;
  readonly #endsWhenLoggedIn: boolean;
  /** Ends that the record has reported since it last reported none. */
  #ends: object[] = [];
  /** How many of them, from the first on, are known to be those of earlier logins. */
  #earlier = 0;
  #hasRead = false;

  /** `endsWhenLoggedIn`: a profile that is logged in, without a login in the record, is an end. */
  constructor(transport: Transport, connectionId: string, endsWhenLoggedIn: boolean) {
    this.#transport = transport;
    this.#connectionId = connectionId;
    this.#endsWhenLoggedIn = endsWhenLoggedIn;
  }

  /** Reads the record, with a single send. */
  read(signal: AbortSignal | undefined): Promise<Outcome<AuthConnection>> {
    return readRecordOnce(this.#transport, authConnectionRequest(this.#connectionId, signal));
  }

  /** The state of the login in a record that was read now, if it has one. */
  stateIn(connection: AuthConnection): LoginStateEvent | undefined {
    return loginStateOf(connection, this.#transport.retry.clock.now());
  }

  /** How a record says that a login ended, if it does. */
  endIn(connection: AuthConnection): { readonly value: End } | undefined {
    const state = this.stateIn(connection);
    if (state !== undefined) {
      return isFinal(state) ? { value: state } : undefined;
    }
    // The service keeps a flow in the record only for a while.
    const isOver = this.#endsWhenLoggedIn && loginStanding(connection) === "not_needed";
    return isOver ? { value: undefined } : undefined;
  }

  /** How many ends the record has reported so far. Take it when a stream opens. */
  get endCount(): number {
    return this.#ends.length;
  }

  /** Notes what a record says. After one without an end, whatever end comes next is a new one. */
  note(connection: AuthConnection): void {
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

  /** A stream that opened after `count` ends reports a login in progress: they are all earlier. */
  noteLive(count: number): void {
    this.#earlier = Math.max(this.#earlier, Math.min(count, this.#ends.length));
  }

  /** Whose end the record reports, and notes it. */
  judge(connection: AuthConnection, look: Look): Verdict {
    const end = identityOf(connection);
    const known = this.#ends.findIndex((each) => isDeepStrictEqual(each, end));
    const isFirst = !this.#hasRead;
    this.note(connection);
    if (known !== -1 && known < this.#earlier && look !== "gone") {
      return "earlier";
    }
    if (look === "before") {
      return "doubtful";
    }
    if (look !== "beside") {
      return "new";
    }
    // While a stream is open, its login goes on: an end that was there before is that of another.
    return isFirst ? "doubtful" : known === -1 ? "new" : "earlier";
  }
}

/** How to look at the record after the last stream, which ended like this. */
export function lastLook({ error, mayPass }: Failure): Look {
  const refusal = mayPass ? undefined : error("");
  const isGone =
    (refusal instanceof ApiError && [404, 409, 410].includes(refusal.status)) ||
    (refusal instanceof LoginError && ["no_active_flow", "not_found"].includes(refusal.serviceCode ?? ""));
  return isGone ? "gone" : "after";
}

/** Whether a refusal to read the record says nothing about the stream of its login. */
export function decidesNothing(error: unknown): boolean {
  return isMissingOperation(error) || (error instanceof ApiError && error.status === 403);
}

function identityOf(connection: AuthConnection): object {
  return Object.fromEntries(identifying.map((name) => [name, connection[name]]));
}
