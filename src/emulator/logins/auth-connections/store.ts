import { InputError } from "../../../errors.js";
import type { PoolTables } from "../../browsers/browser-pools/service.js";
import type { CredentialProviderStore } from "../../organization/credential-providers/store.js";
import { itemFor } from "../../organization/credential-providers/vault.js";
import { foldedName, newId } from "../../storage/ids-and-names.js";
import { fitting, ProjectTable, Table } from "../../storage/table.js";
import type { CredentialStore, EmulatedCredential } from "../credentials/store.js";
import type { LoginScenario } from "../scenarios/schema.js";
import type { HealthCheck } from "../timeline.js";
import {
  type AuthConnection,
  type AuthStatus,
  type ConnectionSettings,
  type ConnectionToStore,
  defaultConnectionSettings,
} from "./auth-connection.js";
import { mergedTelemetry } from "./telemetry.js";

/** Database, clock, and the tables of the objects that a connection names. */
export interface ConnectionTables extends Omit<PoolTables, "extensions" | "browsers"> {
  readonly credentials: CredentialStore;
  readonly credentialProviders: CredentialProviderStore;
}

export class AuthConnectionStore extends ProjectTable<AuthConnection> {
  readonly #healthChecks: Table<HealthCheck>;
  readonly #tables: ConnectionTables;

  constructor(tables: ConnectionTables) {
    super(tables.database, "authConnections", tables.now);
    this.#healthChecks = new Table(tables.database, "healthChecks");
    this.#tables = tables;
    tables.credentials.renamed = (before, name) => this.#relink(before, name);
  }

  /**
   * Stores a connection; undefined if the project already has a connection for the domain and the
   * profile, as compared by `findByKey`. The caller has checked that the id is free. Creates a
   * missing profile, as published. Throws `InputError` for a proxy or a credential that the project
   * does not have, and for an unknown credential provider: a guess.
   */
  insert(connection: ConnectionToStore): AuthConnection | undefined {
    const { id = newId(), projectId, domain, profileName, status, settings, scenario } = connection;
    if (this.findByKey(projectId, domain, profileName)) {
      return undefined;
    }
    const browser = this.#browser(projectId, settings);
    this.#checkCredential(projectId, settings);
    this.#tables.profiles.ensure(projectId, profileName);
    return this.add({
      id,
      projectId,
      domain,
      profileName,
      status: status ?? "NEEDS_AUTH",
      settings: { ...defaultConnectionSettings, ...settings, browser },
      ...chosenScenario(scenario),
      hasLoggedIn: connection.hasLoggedIn ?? status === "AUTHENTICATED",
      hasStoredCredentials: connection.hasStoredCredentials ?? false,
      lastCheckedAt: null,
    });
  }

  /**
   * Finds the connection of a project for a domain and a profile. Case and accents do not count, as
   * in names: a guess.
   */
  findByKey(projectId: string, domain: string, profileName: string): AuthConnection | undefined {
    const fits = fitting<AuthConnection>({ exact: { domain, profileName } }, () => []);
    return this.first((connection) => connection.projectId === projectId && fits(connection));
  }

  override existing(
    { id, domain, profileName }: Pick<ConnectionToStore, "id" | "domain" | "profileName">,
    projectId: string,
  ): AuthConnection | undefined {
    return id === undefined ? this.findByKey(projectId, domain, profileName) : this.find(id);
  }

  /**
   * Changes the given settings of a connection. Omitted members of `browser` are unchanged. Throws
   * `InputError` like {@link insert}.
   */
  setSettings({ id, projectId, settings }: AuthConnection, changes: Partial<ConnectionSettings>): void {
    const merged = this.#browser(projectId, changes, settings.browser);
    this.#checkCredential(projectId, changes);
    this.set(id, { settings: { ...settings, ...changes, browser: merged } });
  }

  /** Throws `InputError` like {@link insert} for settings of the browser of one login. Changes nothing. */
  checkLogin({ projectId, settings }: AuthConnection, given: Partial<ConnectionSettings>): void {
    this.#browser(projectId, given, settings.browser);
  }

  /**
   * Whether a login needs no input: values were kept, a credential is named, or the provider has an
   * item for the login. A provider that is gone, renamed or disabled has none: a guess.
   */
  hasLoginValues({ domain, settings: { credential }, hasStoredCredentials }: AuthConnection): boolean {
    const { provider: name, path } = credential ?? {};
    if (hasStoredCredentials || name === undefined) {
      return hasStoredCredentials || credential !== null;
    }
    const provider = this.#tables.credentialProviders.holderOf(undefined, name);
    const items = provider?.enabled ? this.#tables.credentialProviders.itemsOf(provider) : undefined;
    return itemFor(items ?? [], path, domain) !== undefined;
  }

  /** Lists the connections that use a proxy, as the end of a sentence; undefined if none do. */
  connectionsWithProxyText(proxyId: string): string | undefined {
    return this.#text(({ settings }) => settings.browser.proxy?.id === proxyId);
  }

  /** Lists the connections that export to a telemetry destination, or select its name, in the same form. */
  connectionsExportingTo(destinationId: string, byName = false): string | undefined {
    return this.#text(({ settings }) => {
      const { id, name } = settings.browser.telemetry?.export?.otlp?.destination ?? {};
      return id === destinationId && (name !== undefined || !byName);
    });
  }

  #text(condition: (connection: AuthConnection) => boolean): string | undefined {
    const named = this.select(condition).map(({ id, domain }) => `"${domain}" (id ${id})`);
    return named.length === 0 ? undefined : `the auth connections ${named.join(", ")}`;
  }

  override remove(id: string): void {
    for (const check of this.healthChecks(id)) {
      this.#healthChecks.remove(check.id);
    }
    super.remove(id);
  }

  protected override searched({ domain, profileName }: AuthConnection) {
    return [domain, profileName];
  }

  /** Replaces the references to a credential that is renamed or removed. A guess for a new name. */
  #relink(credential: EmulatedCredential, name: string | null): void {
    for (const { id, settings } of this.all(credential.projectId)) {
      const given = settings.credential?.name;
      if (given !== undefined && foldedName(given) === foldedName(credential.name)) {
        this.set(id, { settings: { ...settings, credential: name === null ? null : { name } } });
      }
    }
  }

  /** Throws `InputError` for a credential that the project does not have, or an unknown provider. */
  #checkCredential(projectId: string, { credential }: Partial<ConnectionSettings> = {}): void {
    const { name, provider } = credential ?? {};
    if (
      provider !== undefined &&
      this.#tables.credentialProviders.holderOf(undefined, provider) === undefined
    ) {
      const problem = `The organization has no credential provider named "${provider}". Create it first.`;
      throw new InputError("credential_provider_unknown", "credential", problem);
    }
    if (name !== undefined && this.#tables.credentials.holderOf(projectId, name) === undefined) {
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
    const proxy = chosen === undefined ? undefined : this.#tables.proxies.requireIn(projectId, chosen);
    return {
      ...before,
      ...browser,
      ...(proxy && { proxy: { id: proxy.id, name: proxy.name ?? undefined } }),
      telemetry: mergedTelemetry(before.telemetry ?? null, this.#withDestination(browser?.telemetry)),
    };
  }

  /** Adds the id of the telemetry destination that a request selects. Throws `InputError`. */
  #withDestination(telemetry: ConnectionSettings["browser"]["telemetry"]) {
    const { destination, ...otlp } = telemetry?.export?.otlp ?? {};
    if (destination === undefined) {
      return telemetry;
    }
    const member = "browser.telemetry.export.otlp.destination";
    const { id } = this.#tables.telemetryDestinations.selected(
      undefined,
      destination,
      "telemetry destination",
      (problem) => new InputError("auth_connection_invalid", member, `${member} ${problem}.`),
    );
    return { ...telemetry, export: { otlp: { ...otlp, destination: { ...destination, id } } } };
  }

  /** Chooses the scenario of the next logins, by name or as a scenario of the connection only. */
  setScenario(id: string, scenario: string | LoginScenario): void {
    this.set(id, chosenScenario(scenario));
  }

  setLoginResult(id: string, isSuccess: boolean, credentialsKept: boolean, atMs: number): void {
    this.set(id, {
      status: isSuccess ? "AUTHENTICATED" : "NEEDS_AUTH",
      lastCheckedAt: new Date(atMs).toISOString(),
      // Once true, both stay true.
      hasLoggedIn: isSuccess || undefined,
      hasStoredCredentials: credentialsKept || undefined,
    });
  }

  /** Every health check of a connection, newest first. */
  healthChecks(connectionId: string): readonly HealthCheck[] {
    return this.#healthChecks.select((check) => check.connectionId === connectionId);
  }

  /** Records the result of a health check. */
  setHealthCheck({ id, status: previousStatus }: AuthConnection, status: AuthStatus): void {
    const checkedAt = this.now().toISOString();
    this.set(id, { status, lastCheckedAt: checkedAt });
    this.#healthChecks.add({ id: newId(), connectionId: id, status, previousStatus, checkedAt });
  }
}

function chosenScenario(scenario: string | LoginScenario | undefined) {
  return typeof scenario === "object"
    ? { scenarioName: null, ownScenario: scenario }
    : { scenarioName: scenario ?? null, ownScenario: null };
}
