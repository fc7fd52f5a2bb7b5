import type { SQLOutputValue } from "node:sqlite";
import type { LoginScenario } from "../scenarios/schema.js";

/** Where the credential of a connection is kept: `name` of one kept by the service, or `provider` with `path` or `auto`. */
export interface ConnectionCredential {
  readonly name?: string | undefined;
  readonly provider?: string | undefined;
  readonly path?: string | undefined;
  readonly auto?: boolean | undefined;
}

/** What requests set of a connection. */
export interface ConnectionSettings {
  /** Address of the login page; null when it is to be discovered. */
  readonly loginUrl: string | null;
  readonly allowedDomains: readonly string[];
  readonly credential: ConnectionCredential | null;
  /** Seconds between health checks, of which the emulator makes none by itself. */
  readonly healthCheckInterval: number;
  readonly healthChecks: boolean;
  readonly autoReauth: boolean;
  readonly saveCredentials: boolean;
  readonly recordSession: boolean;
  readonly proxyId: string | null;
  /** Kept and shown as it came. */
  readonly browserTelemetry: unknown;
  /** Browser settings of the newer interface, kept and shown as they came. */
  readonly browser: unknown;
}

/** Whether a profile is signed in. */
export type AuthStatus = "AUTHENTICATED" | "NEEDS_AUTH";

/** An auth connection as the emulator holds it. */
export interface AuthConnection {
  readonly id: string;
  readonly projectId: string;
  readonly domain: string;
  readonly profileName: string;
  readonly status: AuthStatus;
  readonly settings: ConnectionSettings;
  /** Name of the scenario its logins play; null for its own, or for the one that counts by default. */
  readonly scenarioName: string | null;
  readonly ownScenario: LoginScenario | null;
  /** A login has succeeded before. */
  readonly hasLoggedIn: boolean;
  /** Credentials that a login took are kept. */
  readonly hasStoredCredentials: boolean;
  /** When it was last seen whether the profile is signed in, as an ISO 8601 date-time. */
  readonly lastCheckedAt: string | null;
}

/** Settings of a connection that says nothing of them. Source: the service's published interface description. */
export const defaultConnectionSettings: ConnectionSettings = {
  loginUrl: null,
  allowedDomains: [],
  credential: null,
  healthCheckInterval: 3600,
  healthChecks: true,
  autoReauth: true,
  saveCredentials: true,
  recordSession: false,
  proxyId: null,
  browserTelemetry: null,
  browser: null,
};

/** True when a login needs nobody to type: a credential is named, or one was kept after a login. */
export function hasCredentials({ settings, hasStoredCredentials }: AuthConnection): boolean {
  return settings.credential !== null || hasStoredCredentials;
}

/** Says what is wrong with a domain, as the end of a sentence; undefined when nothing is. What the service takes is not published: a guess. */
export function domainProblem(domain: unknown): string | undefined {
  return typeof domain === "string" &&
    domain.length <= 253 &&
    /^[^\s/?#@:%\\]+$/u.test(domain) &&
    URL.canParse(`https://${domain}/`)
    ? undefined
    : "must be a domain, such as example.com, without a scheme or a path";
}

/** Reads a row of the table. */
export function authConnection(row: Record<string, SQLOutputValue>): AuthConnection {
  const text = (value: SQLOutputValue | undefined) => (typeof value === "string" ? value : null);
  const own = text(row.own_scenario);
  return {
    id: String(row.id),
    projectId: String(row.project_id),
    domain: String(row.domain),
    profileName: String(row.profile_name),
    status: row.status === "AUTHENTICATED" ? "AUTHENTICATED" : "NEEDS_AUTH",
    settings: { ...defaultConnectionSettings, ...JSON.parse(String(row.settings)) },
    scenarioName: text(row.scenario_name),
    ownScenario: own === null ? null : JSON.parse(own),
    hasLoggedIn: row.has_logged_in === 1,
    hasStoredCredentials: row.has_stored_credentials === 1,
    lastCheckedAt: text(row.last_checked_at),
  };
}
