import type { LoginScenario } from "../scenarios/schema.js";
import type { ConnectionTelemetry } from "./telemetry.js";

/** Credential: the `name` of a stored credential, or a `provider` with `path` or `auto`. */
export interface ConnectionCredential {
  readonly name?: string | undefined;
  readonly provider?: string | undefined;
  readonly path?: string | undefined;
  readonly auto?: boolean | undefined;
}

/** Browser settings of a connection, as in requests and responses. */
export interface ConnectionBrowser {
  readonly stealth?: boolean | undefined;
  readonly region?: string | undefined;
  /** Mode, id or name. If omitted, the service derives the proxy from `stealth`. */
  readonly proxy?: { readonly [K in "mode" | "id" | "name"]?: string | undefined } | undefined;
  /** Null without telemetry. */
  readonly telemetry?: ConnectionTelemetry | null | undefined;
}

export interface ConnectionSettings {
  /** URL of the login page; null if the page must be discovered. */
  readonly loginUrl: string | null;
  readonly allowedDomains: readonly string[];
  readonly credential: ConnectionCredential | null;
  /** Seconds between health checks. The emulator makes no checks by itself. */
  readonly healthCheckInterval: number;
  readonly healthChecks: boolean;
  readonly autoReauth: boolean;
  readonly saveCredentials: boolean;
  readonly recordSession: boolean;
  /** Settings of the connection's browsers. The emulator starts no browsers. */
  readonly browser: ConnectionBrowser;
}

/** Whether a profile is signed in. */
export type AuthStatus = "AUTHENTICATED" | "NEEDS_AUTH";

export interface AuthConnection {
  readonly id: string;
  readonly projectId: string;
  readonly domain: string;
  readonly profileName: string;
  readonly status: AuthStatus;
  readonly settings: ConnectionSettings;
  /** Name of the scenario of the logins; null for `ownScenario` or the default scenario. */
  readonly scenarioName: string | null;
  readonly ownScenario: LoginScenario | null;
  /** Whether a login has succeeded, or the connection was created as `AUTHENTICATED`. */
  readonly hasLoggedIn: boolean;
  /** Whether credentials of a login are kept. */
  readonly hasStoredCredentials: boolean;
  /** Time of the last check whether the profile is signed in, as an ISO 8601 date-time. */
  readonly lastCheckedAt: string | null;
}

/** Default settings. Source: the published interface. */
export const defaultConnectionSettings: ConnectionSettings = {
  loginUrl: null,
  allowedDomains: [],
  credential: null,
  healthCheckInterval: 3600,
  healthChecks: true,
  autoReauth: true,
  saveCredentials: true,
  recordSession: false,
  browser: { stealth: true, region: "us-east" },
};

/**
 * Whether a credential is named, or was kept after a login: the reason that the service reports as
 * `can_reauth_reason`. Whether a login needs input: see `AuthConnectionStore.hasLoginValues`.
 */
export function hasCredentials({ settings, hasStoredCredentials }: AuthConnection): boolean {
  return settings.credential !== null || hasStoredCredentials;
}

export const notADomain = "must be a domain, such as example.com, without a scheme or a path";

/** Describes the problem of a domain, as the end of a sentence. The accepted form is a guess. */
export function domainProblem(domain: unknown): string | undefined {
  return typeof domain === "string" &&
    domain.length <= 253 &&
    /^[^\s/?#@:%\\]+$/u.test(domain) &&
    URL.canParse(`https://${domain}/`)
    ? undefined
    : notADomain;
}

export interface ConnectionToStore {
  /** Default: a new id. */
  readonly id?: string | undefined;
  readonly projectId: string;
  readonly domain: string;
  readonly profileName: string;
  /** Default `NEEDS_AUTH`. With `AUTHENTICATED`, the connection counts as logged in before. */
  readonly status?: AuthStatus | undefined;
  /** Whether a login has succeeded. Default: whether the status is `AUTHENTICATED`. */
  readonly hasLoggedIn?: boolean | undefined;
  /** Whether the credentials of a login were kept. Default: false. */
  readonly hasStoredCredentials?: boolean | undefined;
  readonly settings?: Partial<ConnectionSettings> | undefined;
  /**
   * Scenario of the logins: a name, or a scenario for this connection only. Default: the seed's
   * `defaultLoginScenario`, or `password`.
   */
  readonly scenario?: string | LoginScenario | undefined;
}
