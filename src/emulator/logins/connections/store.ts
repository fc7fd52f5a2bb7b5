import type { DatabaseSync } from "node:sqlite";
import { atomically } from "../../storage/database.js";
import { newId } from "../../storage/ids-and-names.js";
import {
  type Page,
  type PageRequest,
  ProjectTable,
  snakeCased,
  Table,
  withValues,
} from "../../storage/table.js";
import type { LoginScenario } from "../scenarios/schema.js";
import {
  type AuthConnection,
  type AuthStatus,
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

/** What a list of connections asks for. */
interface ConnectionQuery extends PageRequest {
  readonly projectId: string;
  readonly profileName?: string | undefined;
  readonly domain?: string | undefined;
  /** Only those with this text in domain or profile, in any case, or with exactly this id. */
  readonly query?: string | undefined;
}

/** The logins and health checks of all connections. */
const timelineEntries = `
  SELECT * FROM (
    SELECT iif(type = 'REAUTH', 'reauth', 'login') AS type, id, status, started_ms AS at_ms, updated_ms, step,
      error_code, error_message, website_error, browser_session_id, NULL AS previous_status, connection_id, seq
    FROM logins
    UNION ALL
    SELECT 'health_check', id, status, checked_ms, NULL, NULL,
      NULL, NULL, NULL, NULL, previous_status, connection_id, seq
    FROM health_checks
  ) AS timeline`;

/** The auth connections in the database. */
export class AuthConnectionStore extends ProjectTable<AuthConnection> {
  readonly #timeline: Table<Record<string, unknown>>;
  readonly #now: () => Date;

  constructor(database: DatabaseSync, now: () => Date) {
    super(database, "auth_connections", {
      json: ["settings", "ownScenario"],
      flags: ["hasLoggedIn", "hasStoredCredentials"],
    });
    this.#timeline = new Table(database, "timeline", { read: timelineEntry, select: timelineEntries });
    this.#now = now;
  }

  /**
   * Stores a connection; undefined when the project already has one for this domain and profile, as
   * `findTwin` compares them. The caller has checked that the id is free.
   */
  insert({
    id = newId(),
    status,
    settings,
    scenario,
    ...rest
  }: ConnectionToStore): AuthConnection | undefined {
    if (this.findTwin(rest.projectId, rest.domain, rest.profileName)) {
      return undefined;
    }
    return this.insertRow({
      ...rest,
      id,
      status: status ?? "NEEDS_AUTH",
      settings: { ...defaultConnectionSettings, ...settings },
      ...scenarioColumns(scenario),
      hasLoggedIn: status === "AUTHENTICATED",
    });
  }

  /**
   * The connection of a project for this domain and profile. Case and accents do not count, as in
   * other names: a guess.
   */
  findTwin(projectId: string, domain: string, profileName: string): AuthConnection | undefined {
    const condition = "project_id = ? AND folded(domain) = folded(?) AND folded(profile_name) = folded(?)";
    return this.selectOne(condition, projectId, domain, profileName);
  }

  /** One page, newest first. The order is a guess. */
  page({ projectId, profileName, domain, query, ...page }: ConnectionQuery): Page<AuthConnection> {
    return this.selectPage(page, [
      ["project_id = ?", projectId],
      ["folded(profile_name) = folded(?)", profileName],
      ["folded(domain) = folded(?)", domain],
      [
        "(id = ? OR instr(lowered(domain), lowered(?)) > 0 OR instr(lowered(profile_name), lowered(?)) > 0)",
        query,
        query,
        query,
      ],
    ]);
  }

  /** One page of a connection's logins and health checks, as sent, newest first. */
  timeline(
    connectionId: string,
    type: (typeof timelineTypes)[number] | undefined,
    page: PageRequest,
  ): Page<Record<string, unknown>> {
    const where = [
      ["connection_id = ?", connectionId],
      ["type = ?", type],
    ] as const;
    return this.#timeline.selectPage(page, where, "at_ms DESC, seq DESC");
  }

  /**
   * Changes the given settings of a connection. Of `browser`, members that are left out stay, and
   * null removes one, which is a guess.
   */
  setSettings({ id, settings }: AuthConnection, { browser, ...changes }: Partial<ConnectionSettings>): void {
    const merged = browser ? withValues({ ...settings.browser, ...browser }) : settings.browser;
    this.updateRow(id, { settings: { ...settings, ...changes, browser: merged } });
  }

  /** Chooses what its next logins play, by name or as a scenario of its own. */
  setScenario(id: string, scenario: string | LoginScenario): void {
    this.updateRow(id, scenarioColumns(scenario));
  }

  /** Records the result of a login. */
  setLoginResult(id: string, isSuccess: boolean, credentialsKept: boolean, atMs: number): void {
    this.updateRow(id, {
      status: isSuccess ? "AUTHENTICATED" : "NEEDS_AUTH",
      lastCheckedAt: new Date(atMs).toISOString(),
      // Both stay true.
      hasLoggedIn: isSuccess || undefined,
      hasStoredCredentials: credentialsKept || undefined,
    });
  }

  /** Records the result of a health check, also in the timeline. */
  addHealthCheck({ id, status: previous }: AuthConnection, status: AuthStatus): void {
    const now = this.#now();
    atomically(this.database, () => {
      this.updateRow(id, { status, lastCheckedAt: now.toISOString() });
      this.database
        .prepare(
          "INSERT INTO health_checks (id, connection_id, status, previous_status, checked_ms) VALUES (?, ?, ?, ?, ?)",
        )
        .run(newId(), id, status, previous, now.getTime());
    });
  }
}

function scenarioColumns(scenario: string | LoginScenario | undefined) {
  return typeof scenario === "object"
    ? { scenarioName: null, ownScenario: scenario }
    : { scenarioName: scenario ?? null, ownScenario: null };
}

/** A row of the timeline, with the members an entry has always. */
interface TimelineRow {
  readonly connectionId: string;
  readonly atMs: number;
  readonly updatedMs: number | null;
}

/** An entry of a timeline as the service sends it: members without a value are left out. */
function timelineEntry({ connectionId, atMs, updatedMs, ...row }: TimelineRow): Record<string, unknown> {
  const timestamp = new Date(atMs).toISOString();
  const updatedAt = updatedMs === null ? null : new Date(updatedMs).toISOString();
  return snakeCased(withValues({ ...row, timestamp, updatedAt }));
}
