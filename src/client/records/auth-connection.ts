import type { LoginFlowDetails, LoginFlowStatus, LoginFlowStep, LoginFlowType } from "./login.js";
import type { Open } from "./open.js";

/** Whether a profile is logged in. The service may add more. */
export type AuthConnectionStatus = Open<"AUTHENTICATED" | "NEEDS_AUTH">;

/** What identifies an auth connection in its project. None of it can be changed. */
export interface AuthConnectionKey {
  /** Domain of the login, such as `example.com`. */
  readonly domain: string;
  /** Name of the browser profile that logs in. The service makes one that does not exist. */
  readonly profileName: string;
}

/**
 * The settings of an auth connection. One that is left out gets the service's default in a new
 * connection, and stays as it is in an update. Source: the service's interface description.
 */
export interface AuthConnectionSettings {
  /** URL of the login page. Null, and by default: the service discovers it. */
  readonly loginUrl?: string | null | undefined;
  /**
   * Further domains, with their subdomains, that a login may visit. The service leaves out a
   * leading `www.` or `*.`. Empty, and by default: no restriction.
   */
  readonly allowedDomains?: readonly string[] | undefined;
  /** The credential to log in with: a `name`, or a `provider` with `path` or `auto`. It cannot be cleared. */
  readonly credential?:
    | { readonly [M in keyof AuthConnectionCredential]?: AuthConnectionCredential[M] | undefined }
    | undefined;
  /** Whether the service checks regularly that the profile is still logged in. Default: true. */
  readonly healthChecks?: boolean | undefined;
  /** Seconds between those checks, 300 to 86400. Default: 3600, or the plan's minimum if larger. */
  readonly healthCheckInterval?: number | undefined;
  /** Whether the service logs in again by itself after a failed check. Default: true. */
  readonly autoReauth?: boolean | undefined;
  /** Whether the service stores what is entered during a login. Default: true. */
  readonly saveCredentials?: boolean | undefined;
  /** Whether the service records login sessions. Default: false. */
  readonly recordSession?: boolean | undefined;
  /** Id of the proxy that logins go through. Null, and by default: the service's own choice. */
  readonly proxyId?: string | null | undefined;
  /** Region of the browsers that log in. Default: `us-east`. Others depend on the plan. */
  readonly region?: string | undefined;
  /** Whether those browsers hide that they are automated. Default: true. */
  readonly stealth?: boolean | undefined;
}

/** Where a credential is stored: `name` in the service, else `provider` with `path` or `auto`. */
export interface AuthConnectionCredential {
  /** Name of a credential that the service stores. */
  readonly name: string | null;
  /** External provider of the credential. */
  readonly provider: string | null;
  /** Path of the item at that provider. */
  readonly path: string | null;
  /** Whether the provider finds the item by the domain. */
  readonly auto: boolean | null;
}

/**
 * A profile's login at one domain. The members from `flowStatus` on, and those of
 * `LoginFlowDetails`, describe the login flow in progress or else the last one. All but `id`,
 * `domain`, `profileName`, `status` and `flowStatus` only inform: they are there if readable.
 */
export interface AuthConnection extends LoginFlowDetails {
  /** Unique id; treat it as opaque. */
  readonly id: string;
  /** Domain of the login. */
  readonly domain: string;
  /** Browser profile that logs in. */
  readonly profileName: string;
  /** Whether the profile is logged in. The service's health checks can change it at any time. */
  readonly status: AuthConnectionStatus;
  /** Whether the service stores the credentials entered during a login. */
  readonly saveCredentials: boolean | null;
  /** Whether the service records login sessions. */
  readonly recordSession: boolean | null;
  /** Further domains that the login may redirect to. */
  readonly allowedDomains: readonly string[];
  /** URL of the login page, when the service need not discover it. */
  readonly loginUrl: string | null;
  /** Where the credential is stored. */
  readonly credential: AuthConnectionCredential | null;
  /** Identity provider in use, such as `google`. */
  readonly ssoProvider: string | null;
  /** Id of the proxy that the login goes through. Null: the service's own choice. */
  readonly proxyId: string | null;
  /** Region of the browsers that log in. */
  readonly region: string | null;
  /** Whether those browsers hide that they are automated. */
  readonly stealth: boolean | null;
  /** Whether the service checks regularly that the profile is still logged in. */
  readonly healthChecks: boolean | null;
  /** Time between those checks, in seconds. */
  readonly healthCheckInterval: number | null;
  /** When the last check ran, whatever its result, as an ISO 8601 date-time. */
  readonly lastAuthCheckAt: string | null;
  /** Whether the service may log in again by itself. */
  readonly autoReauth: boolean | null;
  /** Whether the service has what it needs to log in again. */
  readonly canReauth: boolean | null;
  /** Why, or why not, as a code such as `has_credential`. The service may add more. */
  readonly canReauthReason: string | null;
  /** Browser session of the flow in progress. */
  readonly browserSessionId: string | null;
  /** State of the flow; no value when the service reports no flow. */
  readonly flowStatus: LoginFlowStatus | null;
  /** Step of the flow. */
  readonly flowStep: LoginFlowStep | null;
  /** Why the flow runs. */
  readonly flowType: LoginFlowType | null;
  /** When the flow in progress expires, as an ISO 8601 date-time. */
  readonly flowExpiresAt: string | null;
}
