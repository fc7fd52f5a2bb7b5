import type { Open } from "./open.js";

/** State of a login flow. `SUCCESS`, `FAILED`, `EXPIRED` and `CANCELED` are final. */
export type LoginFlowStatus = Open<"IN_PROGRESS" | "SUCCESS" | "FAILED" | "EXPIRED" | "CANCELED">;

/** What a login flow is doing. */
export type LoginFlowStep = Open<
  "DISCOVERING" | "AWAITING_INPUT" | "AWAITING_EXTERNAL_ACTION" | "SUBMITTING" | "COMPLETED"
>;

/** Why a login flow runs: a caller started it, or the service renews a session by itself. */
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
