import { Table } from "../storage/table.js";
import { type Login, wakeMs } from "./login.js";

/** Logins in the database, including ended logins. */
export class LoginStore extends Table<Login> {
  latest(connectionId: string): Login | undefined {
    return this.listByConnection(connectionId)[0];
  }

  /** Every login of a connection, newest first. */
  listByConnection(connectionId: string): readonly Login[] {
    return this.select((login) => login.connectionId === connectionId);
  }

  /** Logins in progress, beginning with the login that continues first. */
  waiting(): readonly Login[] {
    const waiting = this.select(({ status }) => status === "IN_PROGRESS");
    return waiting.toReversed().sort((a, b) => wakeMs(a) - wakeMs(b));
  }
}
