import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import type { Page, PageRequest } from "../../storage/select-page.js";
import { newId } from "../../storage/ids-and-names.js";
import { atomically } from "../../storage/transaction.js";
import {
  type AuthConnection,
  type AuthStatus,
  authConnection,
  type ConnectionSettings,
  defaultConnectionSettings,
} from "./connection.js";
import type { LoginScenario } from "../scenarios/schema.js";

/** A connection to be stored, checked already. */
export interface ConnectionToStore {
  readonly id?: string | undefined;
  readonly projectId: string;
  readonly domain: string;
  readonly profileName: string;
  readonly status?: AuthStatus | undefined;
  readonly settings?: Partial<ConnectionSettings> | undefined;
  readonly scenario?: string | LoginScenario | undefined;
}

/** What a list of connections asks for. */
export interface ConnectionQuery extends PageRequest {
  readonly projectId: string;
  readonly profileName?: string | undefined;
  readonly domain?: string | undefined;
  /** Only those whose domain or profile contains this text, whatever its case, or the one with exactly this id. */
  readonly query?: string | undefined;
}

/** The auth connections in the database. */
export class AuthConnectionStore {
  readonly #database: DatabaseSync;
  readonly #now: () => Date;

  constructor(database: DatabaseSync, now: () => Date) {
    this.#database = database;
    this.#now = now;
  }

  /**
   * Stores a connection; undefined when the project has one of this domain and profile. Both are compared byte for byte: a guess.
   * The caller has seen that the id is free.
   */
  insert({
    id = newId(),
    projectId,
    domain,
    profileName,
    status = "NEEDS_AUTH",
    settings = {},
    scenario,
  }: ConnectionToStore): AuthConnection | undefined {
    const { changes } = this.#database
      .prepare(
        `INSERT INTO auth_connections
           (id, project_id, domain, profile_name, status, settings, scenario_name, own_scenario, has_logged_in)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (project_id, domain, profile_name) DO NOTHING`,
      )
      .run(
        id,
        projectId,
        domain,
        profileName,
        status,
        JSON.stringify({ ...defaultConnectionSettings, ...settings }),
        ...scenarioColumns(scenario),
        status === "AUTHENTICATED" ? 1 : 0,
      );
    return changes === 1 ? this.find(id) : undefined;
  }

  /** The connection with this id, in any project. */
  find(id: string): AuthConnection | undefined {
    return this.#one("id = ?", id);
  }

  /** The connection of a project for this domain and profile. */
  findTwin(projectId: string, domain: string, profileName: string): AuthConnection | undefined {
    return this.#one("project_id = ? AND domain = ? AND profile_name = ?", projectId, domain, profileName);
  }

  /** One page, newest first; the order is a guess. */
  page({ projectId, limit, offset, profileName, domain, query }: ConnectionQuery): Page<AuthConnection> {
    const conditions: [sql: string, ...values: string[]][] = [["project_id = ?", projectId]];
    if (profileName !== undefined) {
      conditions.push(["profile_name = ?", profileName]);
    }
    if (domain !== undefined) {
      conditions.push(["domain = ?", domain]);
    }
    if (query !== undefined) {
      conditions.push([
        "(id = ? OR instr(lowered(domain), lowered(?)) > 0 OR instr(lowered(profile_name), lowered(?)) > 0)",
        query,
        query,
        query,
      ]);
    }
    const rows = this.#database
      .prepare(
        `SELECT * FROM auth_connections WHERE ${conditions.map(([sql]) => sql).join(" AND ")} ORDER BY seq DESC LIMIT ? OFFSET ?`,
      )
      // One row more than asked for tells whether the page is the last.
      .all(...conditions.flatMap(([, ...values]) => values), limit + 1, offset);
    return { rows: rows.slice(0, limit).map(authConnection), more: rows.length > limit };
  }

  /** Every connection of a project, newest first. */
  all(projectId: string): readonly AuthConnection[] {
    return this.#database
      .prepare("SELECT * FROM auth_connections WHERE project_id = ? ORDER BY seq DESC")
      .all(projectId)
      .map(authConnection);
  }

  /** How many connections a project owns. */
  count(projectId: string): number {
    const row = this.#database
      .prepare("SELECT count(*) AS count FROM auth_connections WHERE project_id = ?")
      .get(projectId);
    return Number(row?.count);
  }

  /** Changes settings; those not given stay. Undefined when there is no such connection. */
  setSettings(id: string, changes: Partial<ConnectionSettings>): AuthConnection | undefined {
    return atomically(this.#database, () => {
      const connection = this.find(id);
      if (connection === undefined) {
        return undefined;
      }
      this.#database
        .prepare("UPDATE auth_connections SET settings = ? WHERE id = ?")
        .run(JSON.stringify({ ...connection.settings, ...changes }), id);
      return this.find(id);
    });
  }

  /** Chooses what its logins play, by name or as a scenario of its own. A login under way goes on as it began. */
  setScenario(id: string, scenario: string | LoginScenario): void {
    this.#database
      .prepare("UPDATE auth_connections SET scenario_name = ?, own_scenario = ? WHERE id = ?")
      .run(...scenarioColumns(scenario), id);
  }

  /** Notes what a finished login has shown. */
  setLoginResult(
    id: string,
    { status, credentialsKept, atMs }: { status: AuthStatus; credentialsKept: boolean; atMs: number },
  ): void {
    this.#database
      .prepare(
        `UPDATE auth_connections SET status = ?, last_checked_at = ?, has_logged_in = has_logged_in OR ?,
           has_stored_credentials = has_stored_credentials OR ? WHERE id = ?`,
      )
      .run(
        status,
        new Date(atMs).toISOString(),
        status === "AUTHENTICATED" ? 1 : 0,
        credentialsKept ? 1 : 0,
        id,
      );
  }

  /** Notes what a health check has found, also in the timeline. */
  addHealthCheck({ id, status: previous }: AuthConnection, status: AuthStatus): void {
    atomically(this.#database, () => {
      const now = this.#now();
      this.#database
        .prepare("UPDATE auth_connections SET status = ?, last_checked_at = ? WHERE id = ?")
        .run(status, now.toISOString(), id);
      this.#database
        .prepare(
          "INSERT INTO health_checks (id, connection_id, status, previous_status, checked_ms) VALUES (?, ?, ?, ?, ?)",
        )
        .run(newId(), id, status, previous, now.getTime());
    });
  }

  /** Removes a connection with its logins and its timeline. */
  remove(id: string): void {
    this.#database.prepare("DELETE FROM auth_connections WHERE id = ?").run(id);
  }

  #one(condition: string, ...values: SQLInputValue[]): AuthConnection | undefined {
    const row = this.#database.prepare(`SELECT * FROM auth_connections WHERE ${condition}`).get(...values);
    return row && authConnection(row);
  }
}

function scenarioColumns(
  scenario: string | LoginScenario | undefined,
): [name: string | null, own: string | null] {
  return typeof scenario === "object" ? [null, JSON.stringify(scenario)] : [scenario ?? null, null];
}
