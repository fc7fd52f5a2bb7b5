import { isDeepStrictEqual } from "node:util";
import type { AuthConnection } from "../types.js";
import { loginFlowMembers } from "../wire/login.js";

/** What a record says about a login's end: the end of which login, if that is known. */
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
 * The ends of logins that the connection's record has reported. The record describes the last login
 * that ended until it describes the next one, and may be late with that. So an end in it may be
 * that of an earlier login, and must not end the following of a live one.
 */
export class RecordedEnds {
  /** Ends that the record has reported since it last reported none. */
  #seen: object[] = [];
  /** How many of them, from the first on, are known to be those of earlier logins. */
  #earlier = 0;
  #hasRead = false;

  /** How many ends the record has reported so far. Take it when a stream opens. */
  get count(): number {
    return this.#seen.length;
  }

  /** The record reports no end. So whatever end it reports next is a new one. */
  noteNoEnd(): void {
    this.#seen = [];
    this.#earlier = 0;
    this.#hasRead = true;
  }

  /** The record reports an end before anything is followed. */
  noteEnd(connection: AuthConnection): void {
    this.#hasRead = true;
    const end = endIn(connection);
    if (!this.#seen.some((each) => isDeepStrictEqual(each, end))) {
      this.#seen.push(end);
    }
  }

  /** A stream that opened after `count` ends reports a login in progress: they are all earlier. */
  noteLive(count: number): void {
    this.#earlier = Math.max(this.#earlier, Math.min(count, this.#seen.length));
  }

  /**
   * Whose end the record reports. `isLive`: the open stream has reported a login in progress. Then
   * an end is doubtful if it is in the first record that is read; only a new stream can tell.
   */
  judge(connection: AuthConnection, isLive: boolean): Verdict {
    const end = endIn(connection);
    if (this.#seen.slice(0, this.#earlier).some((each) => isDeepStrictEqual(each, end))) {
      return "earlier";
    }
    const verdict = isLive && !this.#hasRead ? "doubtful" : "new";
    this.noteEnd(connection);
    return verdict;
  }
}

function endIn(connection: AuthConnection): object {
  return Object.fromEntries(identifying.map((name) => [name, connection[name]]));
}
