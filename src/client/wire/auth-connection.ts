/** The shape of auth connections on the wire, by the rules of `wire.ts`. */
import { z } from "zod";
import { dateTime } from "./extension.js";
import {
  type LoginFlowDetails,
  type LoginFlowStatus,
  type LoginFlowStep,
  type LoginFlowType,
  loginFlowDetails,
  loginFlowWire,
} from "./login.js";

const text = z.string().nullish();
const flag = z.boolean().nullish();

/**
 * An auth connection as the service sends it. Only the first six members are certain; the others may be absent or null.
 * Source: the service's published interface description. Browser settings and telemetry are left unread.
 */
export const authConnectionWire = z.object({
  id: z.string().min(1).max(255),
  domain: z.string(),
  profile_name: z.string(),
  status: z.string().min(1),
  save_credentials: z.boolean(),
  record_session: z.boolean(),
  allowed_domains: z.array(z.string()).nullish(),
  login_url: text,
  credential: z.object({ name: text, provider: text, path: text, auto: flag }).nullish(),
  sso_provider: text,
  proxy_id: text,
  health_checks: flag,
  health_check_interval: z.int().nonnegative().nullish(),
  last_auth_at: dateTime.nullish(),
  last_auth_check_at: dateTime.nullish(),
  auto_reauth: flag,
  can_reauth: flag,
  can_reauth_reason: text,
  browser_session_id: text,
  flow_status: text,
  flow_step: text,
  flow_type: text,
  flow_expires_at: dateTime.nullish(),
  ...loginFlowWire.shape,
});

/** Whether the profile is logged in. The set is open, since the service may add to it. */
export type AuthConnectionStatus = "AUTHENTICATED" | "NEEDS_AUTH" | (string & Record<never, never>);

/** Where the credential of a connection is kept: `name` of one kept by the service, or `provider` with `path` or `auto`. */
export interface AuthConnectionCredential {
  readonly name: string | null;
  readonly provider: string | null;
  readonly path: string | null;
  /** The provider finds the item by the domain. */
  readonly auto: boolean | null;
}

/**
 * A profile's login at one domain, and the login flow under way or the last one. Members from `flowStatus` on, and those of `LoginFlowDetails`, are of
 * the flow; null, or an empty list, where the service says nothing.
 */
export interface AuthConnection extends LoginFlowDetails {
  /** Unique id; treat it as opaque. */
  readonly id: string;
  /** Domain the login is for. */
  readonly domain: string;
  /** Browser profile that is logged in. */
  readonly profileName: string;
  /** Whether the profile is logged in. Health checks of the service change it at any time. */
  readonly status: AuthConnectionStatus;
  /** Whether the service keeps the credentials that a login takes. */
  readonly saveCredentials: boolean;
  /** Whether login sessions are recorded. */
  readonly recordSession: boolean;
  /** Further domains that the login may lead to. */
  readonly allowedDomains: readonly string[];
  /** Address of the login page, when it need not be discovered. */
  readonly loginUrl: string | null;
  readonly credential: AuthConnectionCredential | null;
  /** Identity provider in use, such as `google`. */
  readonly ssoProvider: string | null;
  readonly proxyId: string | null;
  /** Whether the service checks from time to time that the login still holds. */
  readonly healthChecks: boolean | null;
  /** Time between those checks, in seconds. */
  readonly healthCheckInterval: number | null;
  /** When the last check ran, whatever it found, as an ISO 8601 date-time; null when the service does not say. */
  readonly lastAuthCheckAt: string | null;
  /** Whether the service may log in again by itself. */
  readonly autoReauth: boolean | null;
  /** Whether it has what it needs for that. */
  readonly canReauth: boolean | null;
  /** Why, or why not, as a code such as `has_credential`. The set is open. */
  readonly canReauthReason: string | null;
  /** Browser session that the flow under way uses. */
  readonly browserSessionId: string | null;
  /** How the flow stands; null when none is under way and the service tells of none before. */
  readonly flowStatus: LoginFlowStatus | null;
  readonly flowStep: LoginFlowStep | null;
  readonly flowType: LoginFlowType | null;
  /** When the flow under way ends by itself, as an ISO 8601 date-time. */
  readonly flowExpiresAt: string | null;
}

/** Reads an auth connection into our own names. */
export const authConnectionSchema: z.ZodType<AuthConnection> = authConnectionWire.transform((wire) => ({
  id: wire.id,
  domain: wire.domain,
  profileName: wire.profile_name,
  status: wire.status,
  saveCredentials: wire.save_credentials,
  recordSession: wire.record_session,
  allowedDomains: wire.allowed_domains ?? [],
  loginUrl: wire.login_url ?? null,
  credential:
    wire.credential == null
      ? null
      : {
          name: wire.credential.name ?? null,
          provider: wire.credential.provider ?? null,
          path: wire.credential.path ?? null,
          auto: wire.credential.auto ?? null,
        },
  ssoProvider: wire.sso_provider ?? null,
  proxyId: wire.proxy_id ?? null,
  healthChecks: wire.health_checks ?? null,
  healthCheckInterval: wire.health_check_interval ?? null,
  // The older name says login and has always meant the check.
  lastAuthCheckAt: wire.last_auth_check_at ?? wire.last_auth_at ?? null,
  autoReauth: wire.auto_reauth ?? null,
  canReauth: wire.can_reauth ?? null,
  canReauthReason: wire.can_reauth_reason ?? null,
  browserSessionId: wire.browser_session_id ?? null,
  flowStatus: wire.flow_status ?? null,
  flowStep: wire.flow_step ?? null,
  flowType: wire.flow_type ?? null,
  flowExpiresAt: wire.flow_expires_at ?? null,
  ...loginFlowDetails(wire),
}));
