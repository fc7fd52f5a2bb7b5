import type { DatabaseSync, SQLInputValue, SQLOutputValue } from "node:sqlite";
import { atomically } from "../../storage/database.js";
import { newId } from "../../storage/ids-and-names.js";
import { type Page, type PageRequest, selectPage } from "../../storage/select-page.js";
import type { LoginScenario } from "../scenarios/schema.js";
import {
  type AuthConnection,
  type AuthStatus,
  authConnection,
  type ConnectionSettings,
  defaultConnectionSettings,
} from "./connection.js";

/** A connection to store. */
export interface ConnectionToStore {
  readonly id?: string | undefined;
  readonly projectId: string;
  readonly domain: string;
  readonly profileName: string;
  readonly status?: AuthStatus | undefined;
  readonly settings?: Partial<ConnectionSettings> | undefined;
  readonly scenario?: string | LoginScenario | undefined;
}

/** Kinds of entries of a timeline. Source: the published interface. */
export const timelineTypes = ["login", "reauth", "health_check"] as const;

/** Which entries of a connection's timeline are asked for. */
interface TimelineQuery extends PageRequest {
  readonly connectionId: string;
  readonly type: (typeof timelineTypes)[number] | undefined;
}

/** What a list of connections asks for. */
interface ConnectionQuery extends PageRequest {
  readonly projectId: string;
  readonly profileName?: string | undefined;
  readonly domain?: string | undefined;
  /** Only those with this text in domain or profile, in any case, or with exactly this id. */
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
   * Stores a connection; undefined when the project already has one for this domain and profile.
   * Both are compared byte for byte: a guess. The caller has checked that the id is free.
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

  /** One page, newest first. The order is a guess. */
  page({ projectId, profileName, domain, query, ...page }: ConnectionQuery): Page<AuthConnection> {
    return selectPage(this.#database, page, {
      select: "SELECT * FROM auth_connections",
      where: [
        ["project_id = ?", projectId],
        ["profile_name = ?", profileName],
        ["domain = ?", domain],
        [
          "(id = ? OR instr(lowered(domain), lowered(?)) > 0 OR instr(lowered(profile_name), lowered(?)) > 0)",
          query,
          query,
          query,
        ],
      ],
      orderBy: "seq DESC",
      read: authConnection,
    });
  }

  /** One page of a connection's logins and health checks, as sent, newest first. */
  timeline({ connectionId, type, ...page }: TimelineQuery): Page<Record<string, unknown>> {
    return selectPage(this.#database, page, {
      select: `
        SELECT * FROM (
          SELECT iif(type = 'REAUTH', 'reauth', 'login') AS type, id, status, started_ms AS at_ms, updated_ms, step,
            error_code, error_message, website_error, browser_session_id, NULL AS previous_status, connection_id, seq
          FROM logins
          UNION ALL
          SELECT 'health_check', id, status, checked_ms, NULL, NULL,
            NULL, NULL, NULL, NULL, previous_status, connection_id, seq
          FROM health_checks
        )`,
      where: [
        ["connection_id = ?", connectionId],
        ["type = ?", type],
      ],
      orderBy: "at_ms DESC, seq DESC",
      read: timelineEntry,
    });
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

  /** Changes the given settings. Undefined when there is no such connection. */
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

  /**
   * Chooses what its logins play, by name or as a scenario of its own. A login in progress keeps
   * the scenario it began with.
   */
  setScenario(id: string, scenario: string | LoginScenario): void {
    this.#database
      .prepare("UPDATE auth_connections SET scenario_name = ?, own_scenario = ? WHERE id = ?")
      .run(...scenarioColumns(scenario), id);
  }

  /** Records the result of a login. */
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

  /** Records the result of a health check, also in the timeline. */
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

/** An entry of a timeline as the service sends it: members without a value are left out. */
function timelineEntry(row: Record<string, SQLOutputValue>): Record<string, unknown> {
  const time = (ms: SQLOutputValue | undefined) =>
    typeof ms === "number" ? new Date(ms).toISOString() : undefined;
  const members = {
    type: row.type,
    id: row.id,
    timestamp: time(row.at_ms),
    status: row.status,
    previous_status: row.previous_status,
    step: row.step,
    error_code: row.error_code,
    error_message: row.error_message,
    website_error: row.website_error,
    browser_session_id: row.browser_session_id,
    updated_at: time(row.updated_ms),
  };
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== null && value !== undefined),
  );
}
