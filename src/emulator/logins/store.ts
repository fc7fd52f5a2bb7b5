import type { DatabaseSync } from "node:sqlite";
import { Table } from "../storage/table.js";
import { type Login, wakeMs } from "./login.js";

/** The logins in the database, including those that have ended. */
export class LoginStore extends Table<Login> {
  constructor(database: DatabaseSync) {
    super(database, "logins", {
      json: ["scenario"],
      flags: ["passwordGiven", "handedOff"],
      read: ({ wakeMs, ...login }: Login & { readonly wakeMs: number }) => login,
    });
  }

  insert(login: Login): void {
    this.insertRow({ ...login, wakeMs: wakeMs(login) });
  }

  /** Stores the present state of a login. */
  update(login: Login): void {
    this.updateRow(login.id, { ...login, wakeMs: wakeMs(login) });
  }

  /** The last login of a connection. */
  latest(connectionId: string): Login | undefined {
    return this.selectOne("connection_id = ? ORDER BY seq DESC", connectionId);
  }

  /** Every login of a connection, newest first. */
  of(connectionId: string): readonly Login[] {
    return this.select("connection_id = ?", connectionId);
  }

  /** The login with this handoff code, also one that is over. */
  byHandoffCode(connectionId: string, code: string): Login | undefined {
    return this.selectOne("connection_id = ? AND handoff_code = ?", connectionId, code);
  }

  /** Connections whose login is due to continue by then, the one that is due longest first. */
  dueConnections(nowMs: number): readonly string[] {
    return this.database
      .prepare(
        "SELECT connection_id FROM logins WHERE status = 'IN_PROGRESS' AND wake_ms <= ? ORDER BY wake_ms, seq",
      )
      .all(nowMs)
      .map((row) => String(row.connection_id));
  }

  /** When the next login continues by itself; undefined when none is in progress. */
  nextWakeMs(): number | undefined {
    const row = this.database
      .prepare("SELECT min(wake_ms) AS next FROM logins WHERE status = 'IN_PROGRESS'")
      .get();
    return typeof row?.next === "number" ? row.next : undefined;
  }
}
