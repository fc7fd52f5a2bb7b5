import { z } from "zod";
import type { Open } from "../open-enum.js";
import { anyId, camelCased, dateTime, ifReadable, listOf, orNull, record, recordId } from "../schema.js";
import {
  type LoginFlowDetails,
  type LoginFlowStatus,
  type LoginFlowStep,
  type LoginFlowType,
  loginFlowShape,
  type StartedLogin,
} from "./login.js";

/** Login status of a profile. The service may add more. */
export type AuthConnectionStatus = Open<"AUTHENTICATED" | "NEEDS_AUTH">;

/** Identity of an auth connection in a project. Cannot be changed. */
export interface AuthConnectionKey {
  /** Domain of the login, such as `example.com`. */
  readonly domain: string;
  /** Name of the browser profile that logs in. The service creates a missing profile. */
  readonly profileName: string;
}

/**
 * Settings of an auth connection. An omitted setting gets the service's default in a new
 * connection, and stays unchanged in an update. Source: the service's interface description.
 */
export interface AuthConnectionSettings {
  /** URL of the login page. Null (default): the service discovers the page. */
  readonly loginUrl?: string | null | undefined;
  /**
   * Further domains, with subdomains, that a login may visit. The service drops a leading `www.` or
   * `*.`. Empty (default): no restriction.
   */
  readonly allowedDomains?: readonly string[] | undefined;
  /**
   * Credential to log in with: a `name`, or a `provider` with `path` or `auto`. Cannot be cleared.
   */
  readonly credential?:
    | { readonly [M in keyof AuthConnectionCredential]?: AuthConnectionCredential[M] | undefined }
    | undefined;
  /** Whether the service checks regularly that the profile is still logged in. Default: true. */
  readonly healthChecks?: boolean | undefined;
  /** Seconds between checks, 300 to 86400. Default: 3600, or the plan's minimum if larger. */
  readonly healthCheckInterval?: number | undefined;
  /** Whether the service logs in again by itself after a failed check. Default: true. */
  readonly autoReauth?: boolean | undefined;
  /** Whether the service stores the values entered during a login. Default: true. */
  readonly saveCredentials?: boolean | undefined;
  /** Whether the service records login sessions. Default: false. */
  readonly recordSession?: boolean | undefined;
  /** Id of the proxy for logins. Null (default): the service's own choice. */
  readonly proxyId?: string | null | undefined;
  /** `direct`: logins use no proxy. Not together with `proxyId`. Null (default): the service's own choice. */
  readonly proxyMode?: "direct" | null | undefined;
  /** Region of the login browsers. Default: `us-east`. Other regions depend on the plan. */
  readonly region?: string | undefined;
  /** Whether the login browsers hide their automation. Default: true. */
  readonly stealth?: boolean | undefined;
  /**
   * Categories of telemetry to capture. Omitted categories follow the service's default set. In an
   * update, replaces all telemetry of the connection, with `telemetryDestinationId`. Null (default):
   * no telemetry, or the default set with a `telemetryDestinationId`.
   */
  readonly telemetry?: Readonly<Record<string, boolean | undefined>> | null | undefined;
  /**
   * Id of the destination to which logins export telemetry. In an update, replaces all telemetry of
   * the connection, with `telemetry`. Null (default): no export.
   */
  readonly telemetryDestinationId?: string | null | undefined;
}

/** Location of a credential: `name` in the service, otherwise `provider` with `path` or `auto`. */
export interface AuthConnectionCredential {
  /** Name of a credential that the service stores. */
  readonly name: string | null;
  /** External provider of the credential. */
  readonly provider: string | null;
  /** Path of the item at the provider. */
  readonly path: string | null;
  /** Whether the provider finds the item by the domain. */
  readonly auto: boolean | null;
}

/**
 * Login of a profile at a domain. The members from `flowStatus` on, and the members of
 * `LoginFlowDetails`, describe the login flow in progress, otherwise the last flow. All members
 * except `id`, `domain`, `profileName`, `status` and `flowStatus` only inform: present if readable.
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
  /** URL of the login page, when the service need not discover the page. */
  readonly loginUrl: string | null;
  /** Location of the credential. */
  readonly credential: AuthConnectionCredential | null;
  /** Identity provider in use, such as `google`. */
  readonly ssoProvider: string | null;
  /** Id of the proxy for the login. Null: the service's own choice. */
  readonly proxyId: string | null;
  /** `direct`: logins use no proxy. */
  readonly proxyMode: "direct" | null;
  /** Region of the browsers that log in. */
  readonly region: string | null;
  /** Whether the login browsers hide their automation. */
  readonly stealth: boolean | null;
  /** Categories of telemetry, true if captured; no value without telemetry. */
  readonly telemetry: Readonly<Record<string, boolean>> | null;
  /** Id of the destination to which logins export telemetry. */
  readonly telemetryDestinationId: string | null;
  /** Whether the service checks regularly that the profile is still logged in. */
  readonly healthChecks: boolean | null;
  /** Time between health checks, in seconds. */
  readonly healthCheckInterval: number | null;
  /** Time of the last check, whatever the result, as an ISO 8601 date-time. */
  readonly lastAuthCheckAt: string | null;
  /** Whether the service may log in again by itself. */
  readonly autoReauth: boolean | null;
  /** Whether the service has everything needed to log in again. */
  readonly canReauth: boolean | null;
  /** Reason for `canReauth`, as a code such as `has_credential`. The service may add more. */
  readonly canReauthReason: string | null;
  /** Browser session of the flow in progress. */
  readonly browserSessionId: string | null;
  /** State of the flow; no value when the service reports no flow. */
  readonly flowStatus: LoginFlowStatus | null;
  /** Step of the flow. */
  readonly flowStep: LoginFlowStep | null;
  /** Reason for the flow. */
  readonly flowType: LoginFlowType | null;
  /** Expiry time of the flow in progress, as an ISO 8601 date-time. */
  readonly flowExpiresAt: string | null;
}

const text = ifReadable(z.string());
const flag = ifReadable(z.boolean());

const otlp = record({ enabled: flag, destination: ifReadable(record({ id: ifReadable(anyId) })) });
const telemetry = record({
  enabled: flag,
  browser: ifReadable(z.record(z.string(), ifReadable(record({ enabled: flag })))),
  export: ifReadable(record({ otlp: ifReadable(otlp) })),
});

/** An auth connection. The members up to `status`, and `flow_status`, are certain. @internal */
export const authConnectionSchema: z.ZodType<AuthConnection> = z
  .object({
    id: recordId,
    domain: z.string(),
    profile_name: z.string(),
    status: z.string().min(1),
    save_credentials: flag,
    record_session: flag,
    allowed_domains: listOf(z.string()),
    login_url: text,
    credential: ifReadable(record({ name: text, provider: text, path: text, auto: flag })),
    sso_provider: text,
    proxy_id: ifReadable(anyId),
    browser: ifReadable(
      record({
        region: text,
        stealth: flag,
        proxy: ifReadable(record({ id: ifReadable(anyId), mode: text })),
        telemetry: ifReadable(telemetry),
      }),
    ),
    health_checks: flag,
    health_check_interval: ifReadable(z.int().nonnegative()),
    last_auth_at: ifReadable(dateTime),
    last_auth_check_at: ifReadable(dateTime),
    auto_reauth: flag,
    can_reauth: flag,
    can_reauth_reason: text,
    browser_session_id: ifReadable(anyId),
    flow_status: orNull(z.string()),
    flow_step: text,
    flow_type: text,
    flow_expires_at: ifReadable(dateTime),
    ...loginFlowShape,
  })
  // `last_auth_at`, the older name, has always meant the last check, not the last login.
  .transform(({ last_auth_at, last_auth_check_at, browser, proxy_id, ...wire }) => ({
    ...camelCased(wire),
    proxyId: browser?.proxy?.id ?? proxy_id,
    proxyMode: browser?.proxy?.mode === "direct" ? ("direct" as const) : null,
    region: browser?.region ?? null,
    stealth: browser?.stealth ?? null,
    telemetry: capturedIn(browser?.telemetry ?? null),
    telemetryDestinationId: exportedTo(browser?.telemetry ?? null),
    lastAuthCheckAt: last_auth_check_at ?? last_auth_at,
  }));

/** Selection of categories, in the form of a request. Without `enabled`, a category switches telemetry on. */
function capturedIn(given: z.output<typeof telemetry> | null): Readonly<Record<string, boolean>> | null {
  const categories = Object.entries(given?.browser ?? {}).flatMap(([name, category]) =>
    category?.enabled == null ? [] : [[name, category.enabled] as const],
  );
  const isOn = given?.enabled ?? categories.some(([, isCaptured]) => isCaptured);
  return isOn ? Object.fromEntries(categories) : null;
}

/** Destination of an export that is switched on. */
function exportedTo(captured: z.output<typeof telemetry> | null): string | null {
  const otlp = captured?.export?.otlp;
  const isOff = captured?.enabled === false || otlp?.enabled === false;
  return isOff ? null : (otlp?.destination?.id ?? null);
}

/** Response to the start of a login. Only the id is certain. @internal */
export const startedLoginSchema: z.ZodType<StartedLogin> = record({
  id: recordId,
  flow_type: text,
  flow_expires_at: ifReadable(dateTime),
  hosted_url: text,
  live_view_url: text,
});
