import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import { stringOrNull } from "../storage/select-page.js";
import { type Login, wakeMs } from "./login.js";

/** The logins in the database, including those that have ended. */
export class LoginStore {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  insert(login: Login): void {
    const columns = columnsOf(login);
    const names = Object.keys(columns);
    this.#database
      .prepare(`INSERT INTO logins (${names.join(", ")}) VALUES (:${names.join(", :")})`)
      .run(columns);
  }

  /** Stores the present state of a login. */
  update(login: Login): void {
    const columns = columnsOf(login);
    const assignments = Object.keys(columns).map((name) => `${name} = :${name}`);
    this.#database.prepare(`UPDATE logins SET ${assignments.join(", ")} WHERE id = :id`).run(columns);
  }

  /** The last login of a connection. */
  latest(connectionId: string): Login | undefined {
    const row = this.#database
      .prepare("SELECT * FROM logins WHERE connection_id = ? ORDER BY seq DESC LIMIT 1")
      .get(connectionId);
    return row && fromRow(row);
  }

  /** The login with this handoff code, also one that is over. */
  byHandoffCode(connectionId: string, code: string): Login | undefined {
    const row = this.#database
      .prepare("SELECT * FROM logins WHERE connection_id = ? AND handoff_code = ?")
      .get(connectionId, code);
    return row && fromRow(row);
  }

  /** Connections whose login is due to continue by then, the one that is due longest first. */
  dueConnections(nowMs: number): readonly string[] {
    return this.#database
      .prepare(
        "SELECT connection_id FROM logins WHERE status = 'IN_PROGRESS' AND wake_ms <= ? ORDER BY wake_ms, seq",
      )
      .all(nowMs)
      .map((row) => String(row.connection_id));
  }

  /** When the next login continues by itself; undefined when none is in progress. */
  nextWakeMs(): number | undefined {
    const row = this.#database
      .prepare("SELECT min(wake_ms) AS next FROM logins WHERE status = 'IN_PROGRESS'")
      .get();
    return typeof row?.next === "number" ? row.next : undefined;
  }
}

function columnsOf(login: Login) {
  return {
    id: login.id,
    connection_id: login.connectionId,
    scenario: JSON.stringify(login.scenario),
    type: login.type,
    status: login.status,
    step: login.step,
    position: login.position,
    visits: login.visits,
    website_error: login.websiteError,
    error_code: login.errorCode,
    error_message: login.errorMessage,
    password_given: login.passwordGiven ? 1 : 0,
    handoff_code: login.handoffCode,
    handed_off: login.handedOff ? 1 : 0,
    browser_session_id: login.browserSessionId,
    started_ms: login.startedMs,
    updated_ms: login.updatedMs,
    due_ms: login.dueMs,
    expires_ms: login.expiresMs,
    wake_ms: wakeMs(login),
  };
}

function fromRow(row: Record<string, SQLOutputValue>): Login {
  return {
    id: String(row.id),
    connectionId: String(row.connection_id),
    scenario: JSON.parse(String(row.scenario)),
    type: row.type === "REAUTH" ? "REAUTH" : "LOGIN",
    status: String(row.status) as Login["status"],
    step: String(row.step) as Login["step"],
    position: String(row.position),
    visits: Number(row.visits),
    websiteError: stringOrNull(row.website_error),
    errorCode: stringOrNull(row.error_code),
    errorMessage: stringOrNull(row.error_message),
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
