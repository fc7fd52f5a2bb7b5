import type { DatabaseSync } from "node:sqlite";
import { InputError } from "../../../errors.js";
import type { ProfileStore } from "../../browsers/profiles/store.js";
import type { ProxyStore } from "../../browsers/proxies/store.js";
import { newId } from "../../storage/ids-and-names.js";
import { type Page, type PageRequest, ProjectTable } from "../../storage/table.js";
import type { CredentialStore } from "../credentials/credentials/store.js";
import type { LoginScenario } from "../scenarios/schema.js";
import { HealthCheckStore } from "../timeline.js";
import {
  type AuthConnection,
  type AuthStatus,
  type ConnectionSettings,
  defaultConnectionSettings,
} from "./connection.js";
import { mergedTelemetry } from "./telemetry.js";

/** Connection to store. */
export interface ConnectionToStore {
  readonly id?: string | undefined;
  readonly projectId: string;
  readonly domain: string;
  readonly profileName: string;
  readonly status?: AuthStatus | undefined;
  readonly settings?: Partial<ConnectionSettings> | undefined;
  readonly scenario?: string | LoginScenario | undefined;
}

/** Parameters of a list of connections. */
interface ConnectionQuery extends PageRequest {
  readonly projectId: string;
  readonly profileName?: string | undefined;
  readonly domain?: string | undefined;
  /** Only connections with the given text in domain or profile, in any case, or as exact id. */
  readonly query?: string | undefined;
}

/** Stores of objects that a connection refers to, and the clock. */
interface ConnectionStoreParts {
  readonly profiles: ProfileStore;
  readonly proxies: ProxyStore;
  readonly credentials: CredentialStore;
  readonly now: () => Date;
}

/** Auth connections in the database. */
export class AuthConnectionStore extends ProjectTable<AuthConnection> {
  /** Health checks of all connections. */
  readonly healthChecks: HealthCheckStore;
  readonly #profiles: ProfileStore;
  readonly #proxies: ProxyStore;
  readonly #credentials: CredentialStore;
  readonly #now: () => Date;

  constructor(database: DatabaseSync, { profiles, proxies, credentials, now }: ConnectionStoreParts) {
    super(database, "auth_connections", {
      json: ["settings", "ownScenario"],
      flags: ["hasLoggedIn", "hasStoredCredentials"],
    });
    this.healthChecks = new HealthCheckStore(database);
    this.#profiles = profiles;
    this.#proxies = proxies;
    this.#credentials = credentials;
    this.#now = now;
  }

  /**
   * Stores a connection; undefined if the project already has a connection for the domain and the
   * profile, as compared by `findTwin`. The caller has checked that the id is free. Creates a
   * missing profile, as published. Throws `InputError` for a proxy or a credential that the project
   * does not have: a guess.
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
    const browser = this.#browser(rest.projectId, settings);
    this.#checkCredential(rest.projectId, settings);
    this.#profiles.ensure(rest.projectId, rest.profileName);
    return this.insertRow({
      ...rest,
      id,
      status: status ?? "NEEDS_AUTH",
      settings: {
        ...defaultConnectionSettings,
        ...settings,
        browser,
      },
      ...scenarioColumns(scenario),
      hasLoggedIn: status === "AUTHENTICATED",
    });
  }

  /**
   * Finds the connection of a project for a domain and a profile. Case and accents do not count, as
   * in names: a guess.
   */
  findTwin(projectId: string, domain: string, profileName: string): AuthConnection | undefined {
    const condition = "project_id = ? AND folded(domain) = folded(?) AND folded(profile_name) = folded(?)";
    return this.selectOne(condition, projectId, domain, profileName);
  }

  /** Returns one page, newest first. The order is a guess. */
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

  /**
   * Changes the given settings of a connection. Omitted members of `browser` are unchanged. Throws
   * `InputError` like {@link insert}.
   */
  setSettings({ id, projectId, settings }: AuthConnection, changes: Partial<ConnectionSettings>): void {
    const merged = this.#browser(projectId, changes, settings.browser);
    this.#checkCredential(projectId, changes);
    this.updateRow(id, { settings: { ...settings, ...changes, browser: merged } });
  }

  /** Lists the connections that use a proxy, as the end of a sentence; undefined if none do. */
  usersOfProxy(proxyId: string): string | undefined {
    const users = this.select("settings ->> '$.browser.proxy.id' = ?", proxyId);
    const named = users.map(({ id, domain }) => `"${domain}" (id ${id})`);
    return named.length === 0 ? undefined : `the auth connections ${named.join(", ")}`;
  }

  /** Throws `InputError` for a stored credential that the project does not have. */
  #checkCredential(projectId: string, { credential }: Partial<ConnectionSettings> = {}): void {
    const { name } = credential ?? {};
    if (name !== undefined && this.#credentials.holder(projectId, name) === undefined) {
      const problem = `The project has no credential named "${name}". Create it first.`;
      throw new InputError("credential_unknown", "credential", problem);
    }
  }

  /** Browser settings after a change, with the named proxy. */
  #browser(
    projectId: string,
    { browser }: Partial<ConnectionSettings> = {},
    before = defaultConnectionSettings.browser,
  ): ConnectionSettings["browser"] {
    const { id, name } = browser?.proxy ?? {};
    const chosen = id ?? name;
    const proxy = chosen === undefined ? undefined : this.#proxies.used(projectId, chosen);
    return {
      ...before,
      ...browser,
      ...(proxy && { proxy: { id: proxy.id, name: proxy.name ?? undefined } }),
      telemetry: mergedTelemetry(before.telemetry ?? null, browser?.telemetry),
    };
  }

  /** Chooses the scenario of the next logins, by name or as a scenario of the connection only. */
  setScenario(id: string, scenario: string | LoginScenario): void {
    this.updateRow(id, scenarioColumns(scenario));
  }

  /** Records the result of a login. */
  setLoginResult(id: string, isSuccess: boolean, credentialsKept: boolean, atMs: number): void {
    this.updateRow(id, {
      status: isSuccess ? "AUTHENTICATED" : "NEEDS_AUTH",
      lastCheckedAt: new Date(atMs).toISOString(),
      // Once true, both stay true.
      hasLoggedIn: isSuccess || undefined,
      hasStoredCredentials: credentialsKept || undefined,
    });
  }

  /** Records the result of a health check. */
  setHealthCheck({ id, status: previousStatus }: AuthConnection, status: AuthStatus): void {
    const checkedAt = this.#now().toISOString();
    this.updateRow(id, { status, lastCheckedAt: checkedAt });
    this.healthChecks.insert({ connectionId: id, status, previousStatus, checkedAt });
  }
}

function scenarioColumns(scenario: string | LoginScenario | undefined) {
  return typeof scenario === "object"
    ? { scenarioName: null, ownScenario: scenario }
    : { scenarioName: scenario ?? null, ownScenario: null };
}
