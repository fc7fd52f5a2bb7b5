import type { LoginScenario } from "../scenarios/schema.js";
import type { ConnectionTelemetry } from "./telemetry.js";

/** A credential: the `name` of a stored one, or a `provider` with `path` or `auto`. */
export interface ConnectionCredential {
  readonly name?: string | undefined;
  readonly provider?: string | undefined;
  readonly path?: string | undefined;
  readonly auto?: boolean | undefined;
}

/** Browser settings of a connection, as requests and answers have them. */
export interface ConnectionBrowser {
  readonly stealth?: boolean | undefined;
  readonly region?: string | undefined;
  /** One of the three. Without it, the service derives it from `stealth`. */
  readonly proxy?: { readonly [K in "mode" | "id" | "name"]?: string | undefined } | undefined;
  /** Null without any. */
  readonly telemetry?: ConnectionTelemetry | null | undefined;
}

/** What requests set of a connection. */
export interface ConnectionSettings {
  /** URL of the login page; null when it must be discovered. */
  readonly loginUrl: string | null;
  readonly allowedDomains: readonly string[];
  readonly credential: ConnectionCredential | null;
  /** Seconds between health checks. The emulator makes none by itself. */
  readonly healthCheckInterval: number;
  readonly healthChecks: boolean;
  readonly autoReauth: boolean;
  readonly saveCredentials: boolean;
  readonly recordSession: boolean;
  /** How its browsers are made. The emulator starts none. */
  readonly browser: ConnectionBrowser;
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
  /** Name of the scenario its logins play; null for its own scenario or the default one. */
  readonly scenarioName: string | null;
  readonly ownScenario: LoginScenario | null;
  /** True once a login has succeeded. */
  readonly hasLoggedIn: boolean;
  /** True when credentials of a login are kept. */
  readonly hasStoredCredentials: boolean;
  /** When the profile was last checked for being signed in, as an ISO 8601 date-time. */
  readonly lastCheckedAt: string | null;
}

/** Settings by default. Source: the published interface. */
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

/** True when a login needs no input: a credential is named, or one was kept after a login. */
export function hasCredentials({ settings, hasStoredCredentials }: AuthConnection): boolean {
  return settings.credential !== null || hasStoredCredentials;
}

/** What is wrong with what is no domain, as the end of a sentence. */
export const notADomain = "must be a domain, such as example.com, without a scheme or a path";

/** Says what is wrong with a domain, as the end of a sentence. What is accepted is a guess. */
export function domainProblem(domain: unknown): string | undefined {
  return typeof domain === "string" &&
    domain.length <= 253 &&
    /^[^\s/?#@:%\\]+$/u.test(domain) &&
    URL.canParse(`https://${domain}/`)
    ? undefined
    : notADomain;
}
