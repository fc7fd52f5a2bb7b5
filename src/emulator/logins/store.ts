import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import type { LoginFlow } from "./login.js";
import { wakeMs } from "./login.js";

const columns = `id, connection_id, scenario, type, status, step, position, visits, website_error, error_code, error_message,
  password_given, handoff_code, handed_off, browser_session_id, started_ms, updated_ms, due_ms, expires_ms`;

/** The logins in the database, those that ended included. */
export class LoginFlowStore {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  insert(flow: LoginFlow): void {
    this.#database
      .prepare(
        `INSERT INTO login_flows (id, connection_id, scenario, type, status, step, position, visits, password_given,
           handoff_code, handed_off, browser_session_id, started_ms, updated_ms, due_ms, expires_ms, wake_ms)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, ?, 0, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        flow.id,
        flow.connectionId,
        JSON.stringify(flow.scenario),
        flow.type,
        flow.status,
        flow.step,
        flow.position,
        flow.visits,
        flow.handoffCode,
        flow.browserSessionId,
        flow.startedMs,
        flow.updatedMs,
        flow.dueMs,
        flow.expiresMs,
        wakeMs(flow),
      );
  }

  /** Stores where a login has come to. */
  update(flow: LoginFlow): void {
    this.#database
      .prepare(
        `UPDATE login_flows SET status = ?, step = ?, position = ?, visits = ?, website_error = ?, error_code = ?, error_message = ?,
           password_given = ?, handed_off = ?, updated_ms = ?, due_ms = ?, expires_ms = ?, wake_ms = ? WHERE id = ?`,
      )
      .run(
        flow.status,
        flow.step,
        flow.position,
        flow.visits,
        flow.websiteError,
        flow.errorCode,
        flow.errorMessage,
        flow.passwordGiven ? 1 : 0,
        flow.handedOff ? 1 : 0,
        flow.updatedMs,
        flow.dueMs,
        flow.expiresMs,
        wakeMs(flow),
        flow.id,
      );
  }

  /** The last login of a connection. */
  latest(connectionId: string): LoginFlow | undefined {
    const row = this.#database
      .prepare(`SELECT ${columns} FROM login_flows WHERE connection_id = ? ORDER BY seq DESC LIMIT 1`)
      .get(connectionId);
    return row && fromRow(row);
  }

  /** The login that was given this code, also one that is over. */
  byHandoffCode(connectionId: string, code: string): LoginFlow | undefined {
    const row = this.#database
      .prepare(`SELECT ${columns} FROM login_flows WHERE connection_id = ? AND handoff_code = ?`)
      .get(connectionId, code);
    return row && fromRow(row);
  }

  /** Connections whose login should have gone on by then, the one that waits longest first. */
  dueConnections(nowMs: number): readonly string[] {
    return this.#database
      .prepare(
        "SELECT connection_id FROM login_flows WHERE status = 'IN_PROGRESS' AND wake_ms <= ? ORDER BY wake_ms, seq",
      )
      .all(nowMs)
      .map((row) => String(row.connection_id));
  }

  /** When the next login goes on by itself; undefined when none is under way. */
  nextWakeMs(): number | undefined {
    const row = this.#database
      .prepare("SELECT min(wake_ms) AS next FROM login_flows WHERE status = 'IN_PROGRESS'")
      .get();
    return typeof row?.next === "number" ? row.next : undefined;
  }
}

function fromRow(row: Record<string, SQLOutputValue>): LoginFlow {
  const text = (value: SQLOutputValue | undefined) => (typeof value === "string" ? value : null);
  return {
    id: String(row.id),
    connectionId: String(row.connection_id),
    scenario: JSON.parse(String(row.scenario)),
    type: row.type === "REAUTH" ? "REAUTH" : "LOGIN",
    status: String(row.status) as LoginFlow["status"],
    step: String(row.step) as LoginFlow["step"],
    position: String(row.position),
    visits: Number(row.visits),
    websiteError: text(row.website_error),
    errorCode: text(row.error_code),
    errorMessage: text(row.error_message),
    passwordGiven: row.password_given === 1,
    handoffCode: String(row.handoff_code),
    handedOff: row.handed_off === 1,
    browserSessionId: String(row.browser_session_id),
    startedMs: Number(row.started_ms),
    updatedMs: Number(row.updated_ms),
    dueMs: typeof row.due_ms === "number" ? row.due_ms : null,
    expiresMs: Number(row.expires_ms),
  };
}
