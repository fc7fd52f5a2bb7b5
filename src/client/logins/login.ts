import { z } from "zod";
import type { Open } from "../open-enum.js";
import type {
  EventSchemas,
  StreamErrorEvent,
  StreamHeartbeatEvent,
} from "../operations/following/stream-events.js";
import { anyId, camelCased, dateTime, ifReadable, listOf, record } from "../schema.js";

export type {
  StreamErrorDetail as LoginErrorDetail,
  StreamErrorEvent as LoginErrorEvent,
  StreamHeartbeatEvent as LoginHeartbeatEvent,
} from "../operations/following/stream-events.js";

/** State of a login flow. `SUCCESS`, `FAILED`, `EXPIRED` and `CANCELED` are final. */
export type LoginFlowStatus = Open<"IN_PROGRESS" | "SUCCESS" | "FAILED" | "EXPIRED" | "CANCELED">;

export type LoginFlowStep = Open<
  "DISCOVERING" | "AWAITING_INPUT" | "AWAITING_EXTERNAL_ACTION" | "SUBMITTING" | "COMPLETED"
>;

/** Reason for a login flow: a caller started it, or the service renews a session by itself. */
export type LoginFlowType = Open<"LOGIN" | "REAUTH">;

/** Delivery of a second factor. `password` and `switch` occur on pages that offer a choice. */
export type MfaType = Open<"sms" | "call" | "email" | "totp" | "push" | "password" | "switch">;

/** Awaited value, in the canonical form. A submission refers to the field by `id`. */
export interface LoginField {
  /** Name of the field in a submission. */
  readonly id: string;
  /** Name under which the credential stores the submitted value. */
  readonly ref: string;
  /** Kind of the value to enter. */
  readonly type: Open<"identifier" | "password" | "code" | "totp_code" | "totp_secret" | "text">;
  readonly label: string | null;
  /** Whether a value is required. True if not reported. */
  readonly required: boolean;
  readonly observedSelector: string | null;
}

/** Awaited choice, in the canonical form. A submission refers to the choice by `id`. */
export interface LoginChoice extends SignInOption {
  readonly type: Open<
    | "mfa_method"
    | "sso_provider"
    | "sign_in_method"
    | "auth_method"
    | "identifier_method"
    | "account"
    | "other"
  >;
  readonly observedSelector: string | null;
}

/** A started login. All members except the id only inform: present if readable. */
export interface StartedLogin extends Pick<LoginFlowDetails, "hostedUrl" | "liveViewUrl"> {
  /** Id of the auth connection. */
  readonly id: string;
  readonly flowType: LoginFlowType | null;
  /** Expiry time of the login, as an ISO 8601 date-time. */
  readonly flowExpiresAt: string | null;
}

/** A field found on the page. Prefer `LoginField` where the service sends both. */
export interface DiscoveredField {
  readonly name: string;
  /** Type of the field, as in HTML, or `code` and `totp` for a second factor. */
  readonly type: Open<"text" | "email" | "password" | "tel" | "number" | "url" | "code" | "totp">;
  readonly label: string;
  readonly placeholder: string | null;
  /** Whether a value is required. True if not reported. */
  readonly required: boolean;
  /** CSS selector. */
  readonly selector: string;
  /** Second factor to which the field belongs. */
  readonly linkedMfaType: MfaType | null;
  readonly hint: string | null;
}

/** A way to get the second factor. Prefer `LoginChoice` where the service sends both. */
export interface MfaOption {
  /** Delivery of the second factor. */
  readonly type: MfaType;
  readonly label: string;
  /** Masked telephone number or e-mail address, if shown on the page. */
  readonly target: string | null;
  readonly description: string | null;
}

/** Further choice, such as an account. Prefer `LoginChoice` where the service sends both. */
export interface SignInOption {
  /** Name of the choice in a submission. */
  readonly id: string;
  readonly label: string;
  readonly description: string | null;
}

/** A button of an identity provider. Prefer `LoginChoice` where the service sends both. */
export interface SsoButton {
  /** XPath selector. */
  readonly selector: string;
  readonly provider: string;
  readonly label: string;
}

/**
 * Awaited inputs and reports of a login flow. All members only inform: a value is present if
 * readable, and a list contains the readable rows.
 */
export interface LoginFlowDetails {
  readonly fields: readonly LoginField[];
  readonly choices: readonly LoginChoice[];
  /** The fields as found on the page. */
  readonly discoveredFields: readonly DiscoveredField[];
  /** Ways to get the second factor. */
  readonly mfaOptions: readonly MfaOption[];
  /** Further choices, such as accounts. */
  readonly signInOptions: readonly SignInOption[];
  readonly pendingSsoButtons: readonly SsoButton[];
  /** Action that a person must take elsewhere, such as an approval on a phone. */
  readonly externalActionMessage: string | null;
  /** Error that the website shows, such as a wrong password. */
  readonly websiteError: string | null;
  /** Reason for the failure, as a message. */
  readonly errorMessage: string | null;
  /** Reason for the failure, as a code such as `credentials_invalid`. The service may add more. */
  readonly errorCode: string | null;
  readonly postLoginUrl: string | null;
  /** Secret: URL for watching the browser. */
  readonly liveViewUrl: string | null;
  /** Secret: URL where a person logs in. */
  readonly hostedUrl: string | null;
}

export interface LoginStateEvent extends LoginFlowDetails {
  readonly event: "managed_auth_state";
  /** The stream, or the connection's record, read when the stream may have missed a state. */
  readonly origin: "stream" | "connection";
  /** Time of the service's report, if readable, or of reading the record. ISO 8601 date-time. */
  readonly timestamp: string | null;
  readonly flowStatus: LoginFlowStatus;
  /** Step of the flow. In an event of the stream, null only when unreadable. */
  readonly flowStep: LoginFlowStep | null;
  readonly flowType: LoginFlowType | null;
}

/** Event of a followed login; `event` distinguishes the kinds. */
export type LoginEvent = LoginStateEvent | StreamErrorEvent | StreamHeartbeatEvent;

const text = ifReadable(z.string());
const required = ifReadable(z.boolean()).transform((value) => value ?? true);

const field = record({
  id: anyId,
  ref: z.string(),
  type: z.string(),
  label: text,
  required,
  observed_selector: text,
});

const option = { id: anyId, label: z.string(), description: text };

const discoveredField = record({
  name: z.string(),
  type: z.string(),
  label: z.string(),
  placeholder: text,
  required,
  selector: z.string(),
  linked_mfa_type: text,
  hint: text,
});

/**
 * Members shared by state events and the connection's record. Every member may be absent or null.
 * The members inform a person and decide nothing, so an unreadable member counts as absent.
 * @internal
 */
export const loginFlowShape = {
  fields: listOf(field),
  choices: listOf(record({ ...option, type: z.string(), observed_selector: text })),
  discovered_fields: listOf(discoveredField),
  mfa_options: listOf(record({ type: z.string(), label: z.string(), target: text, description: text })),
  sign_in_options: listOf(record(option)),
  pending_sso_buttons: listOf(record({ selector: z.string(), provider: z.string(), label: z.string() })),
  external_action_message: text,
  website_error: text,
  error_message: text,
  error_code: text,
  post_login_url: text,
  live_view_url: text,
  hosted_url: text,
};

/** Names of the shared members, in our own form. @internal */
export const loginFlowMembers = Object.keys(camelCased(loginFlowShape)) as (keyof LoginFlowDetails)[];

const timestamp = ifReadable(dateTime);

const stateEvent = z
  .object({
    event: z.literal("managed_auth_state"),
    timestamp,
    flow_status: z.string().min(1),
    flow_step: ifReadable(z.string().min(1)),
    flow_type: text,
    ...loginFlowShape,
  })
  .transform((wire) => Object.assign(camelCased(wire), { origin: "stream" as const }));

/** Schemas of the events, besides errors and heartbeats. @internal */
export const loginEventSchemas: EventSchemas<LoginStateEvent> = { managed_auth_state: stateEvent };
