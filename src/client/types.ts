/**
 * The records of the service in our own names, without zod; the schemas in `wire/` must produce
 * exactly these types. A value that the service leaves out is null (in the results of functions
 * undefined), a list that it leaves out is empty.
 *
 * Ids are 1 to 255 visible ASCII characters, those that a path names without `/ \ ? # %`. Times are
 * strings as ISO 8601 and RFC 3339 write them, such as `2026-11-21T10:00:00Z`; they may also have a
 * leap second (`:60`), a comma before the fraction, or an offset of hours alone (`+02`), which
 * `Date.parse` does not read. An answer with anything else in an id is refused as a whole.
 *
 * "If readable" marks what only informs: it also has no value when the service sends something of
 * another type or form, so that it never costs the rest of the record or of a list.
 */
/** A string from a set that may grow: editors suggest the known values, the type takes any. */
type Open<Known extends string> = Known | (string & Record<never, never>);

/** An extension. */
export interface Extension {
  /** Unique id. The service uses 24 characters of a-z and 0-9; treat it as opaque. */
  readonly id: string;
  /** Name, unique within the project; no value when it was uploaded without one. */
  readonly name: string | null;
  /**
   * SHA-256 of the exact bytes of the uploaded archive, 64 lowercase hexadecimal digits; no value
   * for old records and for extensions that the service packed itself.
   */
  readonly checksum: string | null;
  /** Size of the uploaded archive, in bytes. */
  readonly sizeBytes: number;
  /** When it was uploaded, as an ISO 8601 date-time, if readable. */
  readonly createdAt: string | null;
  /** When a browser last loaded it, as an ISO 8601 date-time, if the service says so readably. */
  readonly lastUsedAt: string | null;
}

/** Status of a project: `active` or `archived` so far. The service may add more. */
export type ProjectStatus = Open<"active" | "archived">;

/** A project of the organization. */
export interface Project {
  /** Unique id. The service uses 24 characters of a-z and 0-9; treat it as opaque. */
  readonly id: string;
  /** Name, unique within the organization. */
  readonly name: string;
  /** Whether the project is in use: `active` or `archived`. */
  readonly status: ProjectStatus;
  /** When it was created, as an ISO 8601 date-time, if readable. */
  readonly createdAt: string | null;
  /** When it was last changed, as an ISO 8601 date-time, if readable. */
  readonly updatedAt: string | null;
}

/** The caps that a project sets for itself. No value: only the organization's limit applies. */
export interface ProjectLimits {
  /** Browsers at the same time, on demand and reserved by browser pools together. */
  readonly maxConcurrentSessions: number | null;
  /** App invocations at the same time. */
  readonly maxConcurrentInvocations: number | null;
  /** @deprecated Pooled browsers count toward `maxConcurrentSessions` under the unified limit. */
  readonly maxPooledSessions: number | null;
}

/** What the organization may use, and what it uses now. */
export interface OrganizationLimits {
  /** Browsers at the same time in all projects, those of browser pools included. */
  readonly maxConcurrentSessions: number | null;
  /** The same in each project that sets no cap of its own. No value: only the one above counts. */
  readonly defaultProjectMaxConcurrentSessions: number | null;
  /** Browsers that count toward the limit now, if the service says so. */
  readonly concurrentSessionsUsed: number | null;
  /** Browsers that can still be started, if the service says so. */
  readonly concurrentSessionsAvailable: number | null;
  /** Auth connections in all projects. No value: no limit, or the service does not say. */
  readonly maxAuthConnections: number | null;
  /** Auth connections that there are now, if the service says so. */
  readonly authConnectionsUsed: number | null;
  /** Shortest interval between health checks of an auth connection, in seconds, if told. */
  readonly minHealthCheckIntervalSeconds: number | null;
}

/** The person who created an API key. */
export interface ApiKeyCreator {
  /** The person's id. */
  readonly id: string;
  /** The person's e-mail address. */
  readonly email: string;
  /** The person's name; no value when the service has no name. */
  readonly name: string | null;
}

/** An API key, without its secret. */
export interface ApiKey {
  /** Unique id; treat it as opaque. Keys are addressed by id only. */
  readonly id: string;
  /** Label, 1 to 255 characters. Not unique: a rotation leaves two keys with the same name. */
  readonly name: string;
  /** When it was created, as an ISO 8601 date-time, if readable. */
  readonly createdAt: string | null;
  /** The person who created it, if readable. */
  readonly createdBy: ApiKeyCreator | null;
  /**
   * When it expires or expired, as an ISO 8601 date-time; no value when it never expires. So a
   * record with a time that cannot be read is refused: a key that expires must not pass for one
   * that never does. Only in the result of a creation, a rotation or a rename it then has no value,
   * as do `deletedAt` and `projectId`: that is done, whatever else the response says.
   */
  readonly expiresAt: string | null;
  /** When it was deleted, as an ISO 8601 date-time; no value when it was not deleted. */
  readonly deletedAt: string | null;
  /** Project that the key is limited to; no value for a key of the organization. */
  readonly projectId: string | null;
  /** Name of that project, if readable; no value for a key of the organization. */
  readonly projectName: string | null;
  /** Beginning and end of the secret, such as `sk_1234...abcd`, if readable. */
  readonly maskedKey: string | null;
}

/** A new API key, with its secret, which the service shows this once. */
export interface CreatedApiKey extends ApiKey {
  /** The secret, as it follows `Bearer ` in a request: visible ASCII characters. */
  readonly key: string;
}

/** The identity of a caller and what it may reach, as the service sees it. */
export interface AuthContext {
  /** How the caller authenticated: `api_key` or `jwt`. The service may add more. */
  readonly method: string;
  /** Where the credential came from: `api_key`, `oauth` or `dashboard`, and perhaps more. */
  readonly source: string;
  /** Id of the credential, for an API key probably the key's own id; null when it has no id. */
  readonly credentialId: string | null;
  /** Project that the credential is limited to; null for the organization. */
  readonly credentialProjectId: string | null;
  /** Project that this request acted in; null when neither credential nor request names one. */
  readonly effectiveProjectId: string | null;
  /** Id of the organization. */
  readonly organizationId: string;
  /** The caller: an `api_key` or a `user`, with its id. The service may add more types. */
  readonly principal: { readonly id: string; readonly type: string };
}

/** Whether a profile is logged in. The service may add more. */
export type AuthConnectionStatus = Open<"AUTHENTICATED" | "NEEDS_AUTH">;

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
  /** Proxy that the login goes through. */
  readonly proxyId: string | null;
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

/** State of a login flow. `SUCCESS`, `FAILED`, `EXPIRED` and `CANCELED` are final. */
export type LoginFlowStatus = Open<"IN_PROGRESS" | "SUCCESS" | "FAILED" | "EXPIRED" | "CANCELED">;

/** What a login flow is doing. */
export type LoginFlowStep = Open<
  "DISCOVERING" | "AWAITING_INPUT" | "AWAITING_EXTERNAL_ACTION" | "SUBMITTING" | "COMPLETED"
>;

/** Why a login flow runs: somebody started it, or the service renews a session by itself. */
export type LoginFlowType = Open<"LOGIN" | "REAUTH">;

/** How a second factor is delivered. `password` and `switch` occur on pages that offer a choice. */
export type MfaType = Open<"sms" | "call" | "email" | "totp" | "push" | "password" | "switch">;

/** A value that the login waits for, in the canonical form that a submission refers to by `id`. */
export interface LoginField {
  /** What a submission names the field by. */
  readonly id: string;
  /** Name under which the credential stores the submitted value. */
  readonly ref: string;
  /** What is to be entered. */
  readonly type: Open<"identifier" | "password" | "code" | "totp_code" | "totp_secret" | "text">;
  /** Words beside the field. */
  readonly label: string | null;
  /** True when the service does not say. */
  readonly required: boolean;
  /** Selector of the visible field. */
  readonly observedSelector: string | null;
}

/** A choice that the login waits for, in the canonical form that a submission refers to by `id`. */
export interface LoginChoice extends SignInOption {
  /** What is chosen by it. */
  readonly type: Open<
    | "mfa_method"
    | "sso_provider"
    | "sign_in_method"
    | "auth_method"
    | "identifier_method"
    | "account"
    | "other"
  >;
  /** Selector of the visible choice. */
  readonly observedSelector: string | null;
}

/** A login that was started. All but the id only informs: it is there if readable. */
export interface StartedLogin {
  /** Id of the auth connection. */
  readonly id: string;
  /** Why the flow runs. */
  readonly flowType: LoginFlowType | null;
  /** When the login expires, as an ISO 8601 date-time. */
  readonly flowExpiresAt: string | null;
  /** Secret: URL where a person logs in. */
  readonly hostedUrl: string | null;
  /** Secret: URL for watching the browser. */
  readonly liveViewUrl: string | null;
}

/** A field found on the page. Prefer `LoginField` where the service sends both. */
export interface DiscoveredField {
  /** Name of the field in the form. */
  readonly name: string;
  /** Type of the field, as HTML knows it, or `code` and `totp` for a second factor. */
  readonly type: Open<"text" | "email" | "password" | "tel" | "number" | "url" | "code" | "totp">;
  /** Words beside the field. */
  readonly label: string;
  /** Words in the empty field. */
  readonly placeholder: string | null;
  /** True when the service does not say. */
  readonly required: boolean;
  /** CSS selector. */
  readonly selector: string;
  /** Second factor that the field belongs to. */
  readonly linkedMfaType: MfaType | null;
  /** What the page says about the field. */
  readonly hint: string | null;
}

/** A way to get the second factor. Prefer `LoginChoice` where the service sends both. */
export interface MfaOption {
  /** How it is delivered. */
  readonly type: MfaType;
  /** Words on the choice. */
  readonly label: string;
  /** Masked telephone number or e-mail address, when the page shows one. */
  readonly target: string | null;
  /** Further words. */
  readonly description: string | null;
}

/** Another choice, such as an account. Prefer `LoginChoice` where the service sends both. */
export interface SignInOption {
  /** What a submission names the choice by. */
  readonly id: string;
  /** Words on the choice. */
  readonly label: string;
  /** Further words. */
  readonly description: string | null;
}

/** A button of an identity provider. Prefer `LoginChoice` where the service sends both. */
export interface SsoButton {
  /** XPath selector. */
  readonly selector: string;
  /** The identity provider, such as `google`. */
  readonly provider: string;
  /** Words on the button. */
  readonly label: string;
}

/**
 * What a login flow waits for and reports. All of it only informs: a value is there if readable,
 * and a list holds the rows that are.
 */
export interface LoginFlowDetails {
  /** Values that it waits for. */
  readonly fields: readonly LoginField[];
  /** Choices that it waits for. */
  readonly choices: readonly LoginChoice[];
  /** The fields as the page has them. */
  readonly discoveredFields: readonly DiscoveredField[];
  /** Ways to get the second factor. */
  readonly mfaOptions: readonly MfaOption[];
  /** Other choices, such as accounts. */
  readonly signInOptions: readonly SignInOption[];
  /** Buttons of identity providers. */
  readonly pendingSsoButtons: readonly SsoButton[];
  /** What a person must do elsewhere, such as approve on a phone. */
  readonly externalActionMessage: string | null;
  /** Error that the website shows, such as a wrong password. */
  readonly websiteError: string | null;
  /** Why the flow failed, in words. */
  readonly errorMessage: string | null;
  /** Why the flow failed, as a code such as `credentials_invalid`. The service may add more. */
  readonly errorCode: string | null;
  /** URL of the browser after the login. */
  readonly postLoginUrl: string | null;
  /** Secret: URL for watching the browser. */
  readonly liveViewUrl: string | null;
  /** Secret: URL where a person logs in. */
  readonly hostedUrl: string | null;
}

/** The state of a login flow. */
export interface LoginStateEvent extends LoginFlowDetails {
  /** The kind of event. */
  readonly event: "managed_auth_state";
  /** The stream, or the connection's record, read when the stream may have missed a state. */
  readonly origin: "stream" | "connection";
  /**
   * When the service reported it, if readable, or when the record was read. An ISO 8601 date-time.
   */
  readonly timestamp: string | null;
  /** State of the flow. */
  readonly flowStatus: LoginFlowStatus;
  /** In an event of the stream, null only when it is not readable. */
  readonly flowStep: LoginFlowStep | null;
  /** Why the flow runs. */
  readonly flowType: LoginFlowType | null;
}

/** A code and words, either of which the service may leave out. */
export interface LoginErrorDetail {
  /** The code, such as `no_active_flow`. */
  readonly code: string | null;
  /** The words. */
  readonly message: string | null;
}

/** An error that the service reports inside an open stream. It does not tell how the login ends. */
export interface LoginErrorEvent {
  /** The kind of event. */
  readonly event: "error";
  /** When the service reported it, as an ISO 8601 date-time, if readable. */
  readonly timestamp: string | null;
  /** What the service reported, with details and an error underneath if it sent any. */
  readonly error: LoginErrorDetail & {
    readonly details: readonly LoginErrorDetail[];
    readonly innerError: LoginErrorDetail | null;
  };
}

/** A sign of life while nothing happens. */
export interface LoginHeartbeatEvent {
  /** The kind of event. */
  readonly event: "sse_heartbeat";
  /** When the service sent it, as an ISO 8601 date-time, if readable. */
  readonly timestamp: string | null;
}

/** An event of a login that is followed; `event` tells the kinds apart. */
export type LoginEvent = LoginStateEvent | LoginErrorEvent | LoginHeartbeatEvent;
