import type { DatabaseSync } from "node:sqlite";
import { Table } from "../storage/table.js";
import { type Login, wakeMs } from "./login.js";

/** Logins in the database, including ended logins. */
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

  /** Last login of a connection. */
  latest(connectionId: string): Login | undefined {
    return this.selectOne("connection_id = ? ORDER BY seq DESC", connectionId);
  }

  /** Every login of a connection, newest first. */
  of(connectionId: string): readonly Login[] {
    return this.select("connection_id = ?", connectionId);
  }

  /** Finds a login by handoff code, even a login that is over. */
  byHandoffCode(connectionId: string, code: string): Login | undefined {
    return this.selectOne("connection_id = ? AND handoff_code = ?", connectionId, code);
  }

  /** Connections with a login due by a time, the longest overdue first. */
  dueConnections(nowMs: number): readonly string[] {
    return this.database
      .prepare(
        "SELECT connection_id FROM logins WHERE status = 'IN_PROGRESS' AND wake_ms <= ? ORDER BY wake_ms, seq",
      )
      .all(nowMs)
      .map((row) => String(row.connection_id));
  }

  /** Time at which the next login continues by itself; undefined if no login is in progress. */
  nextWakeMs(): number | undefined {
    const row = this.database
      .prepare("SELECT min(wake_ms) AS next FROM logins WHERE status = 'IN_PROGRESS'")
      .get();
    return typeof row?.next === "number" ? row.next : undefined;
  }
}
