import type { DatabaseSync } from "node:sqlite";
import { newId } from "../../storage/ids-and-names.js";
import { type Page, type PageRequest, ProjectTable } from "../../storage/table.js";
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

/** What a list of connections asks for. */
interface ConnectionQuery extends PageRequest {
  readonly projectId: string;
  readonly profileName?: string | undefined;
  readonly domain?: string | undefined;
  /** Only those with this text in domain or profile, in any case, or with exactly this id. */
  readonly query?: string | undefined;
}

/** The auth connections in the database. */
export class AuthConnectionStore extends ProjectTable<AuthConnection> {
  readonly #now: () => Date;

  constructor(database: DatabaseSync, now: () => Date) {
    super(database, "auth_connections", {
      json: ["settings", "ownScenario"],
      flags: ["hasLoggedIn", "hasStoredCredentials"],
    });
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
      settings: {
        ...defaultConnectionSettings,
        ...settings,
        browser: { ...defaultConnectionSettings.browser, ...settings?.browser },
      },
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

  /** Changes the given settings of a connection. Of `browser`, members that are left out stay. */
  setSettings({ id, settings }: AuthConnection, { browser, ...changes }: Partial<ConnectionSettings>): void {
    const merged = { ...settings.browser, ...browser };
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

  /** Records the result of a health check. */
  setHealthCheck(id: string, status: AuthStatus): void {
    this.updateRow(id, { status, lastCheckedAt: this.#now().toISOString() });
  }
}

function scenarioColumns(scenario: string | LoginScenario | undefined) {
  return typeof scenario === "object"
    ? { scenarioName: null, ownScenario: scenario }
    : { scenarioName: scenario ?? null, ownScenario: null };
}
