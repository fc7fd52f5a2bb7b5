/** What the service tells of a login flow, in the events of its stream and in the connection's record alike, by the rules of `wire.ts`. */
import { z } from "zod";

/** Text of a set that is known today and may grow: editors offer the known values, the type takes any. */
type Open<Known extends string> = Known | (string & Record<never, never>);

/** How a login flow stands. `SUCCESS`, `FAILED`, `EXPIRED` and `CANCELED` are final. */
export type LoginFlowStatus = Open<"IN_PROGRESS" | "SUCCESS" | "FAILED" | "EXPIRED" | "CANCELED">;

/** What a login flow is doing. */
export type LoginFlowStep = Open<
  "DISCOVERING" | "AWAITING_INPUT" | "AWAITING_EXTERNAL_ACTION" | "SUBMITTING" | "COMPLETED"
>;

/** Why a login flow runs: somebody started it, or the service renews a session by itself. */
export type LoginFlowType = Open<"LOGIN" | "REAUTH">;

/** How a second factor is delivered; `password` and `switch` stand on pages that choose among methods. */
export type MfaType = Open<"sms" | "call" | "email" | "totp" | "push" | "password" | "switch">;

/** A value the login waits for, in the canonical form that a submission names by `id`. */
export interface LoginField {
  readonly id: string;
  /** Name under which the credential keeps the submitted value. */
  readonly ref: string;
  readonly type: Open<"identifier" | "password" | "code" | "totp_code" | "totp_secret" | "text">;
  readonly label: string | null;
  /** Default true. */
  readonly required: boolean;
  /** Selector of the visible field; null when the service has none. */
  readonly observedSelector: string | null;
}

/** A choice the login waits for, in the canonical form that a submission names by `id`. */
export interface LoginChoice {
  readonly id: string;
  readonly type: Open<
    | "mfa_method"
    | "sso_provider"
    | "sign_in_method"
    | "auth_method"
    | "identifier_method"
    | "account"
    | "other"
  >;
  readonly label: string;
  readonly description: string | null;
  /** Selector of the visible choice; null when the service has none. */
  readonly observedSelector: string | null;
}

/** A field found on the page. `LoginField` is the better form where the service sends both. */
export interface DiscoveredField {
  readonly name: string;
  readonly type: Open<"text" | "email" | "password" | "tel" | "number" | "url" | "code" | "totp">;
  readonly label: string;
  readonly placeholder: string | null;
  /** Default true. */
  readonly required: boolean;
  /** CSS selector. */
  readonly selector: string;
  readonly linkedMfaType: MfaType | null;
  readonly hint: string | null;
}

/** A way to get the second factor. `LoginChoice` is the better form where the service sends both. */
export interface MfaOption {
  readonly type: MfaType;
  readonly label: string;
  /** Masked telephone number or e-mail address, when the page shows one. */
  readonly target: string | null;
  readonly description: string | null;
}

/** A choice that is no second factor, such as of an account or an organization. `LoginChoice` is the better form where both are sent. */
export interface SignInOption {
  readonly id: string;
  readonly label: string;
  readonly description: string | null;
}

/** A button that leads to an identity provider. `LoginChoice` is the better form where the service sends both. */
export interface SsoButton {
  /** XPath selector. */
  readonly selector: string;
  readonly provider: string;
  readonly label: string;
}

/** What a login flow waits for, says and leads to. A list is empty, and everything else null, where the service sends nothing. */
export interface LoginFlowDetails {
  readonly fields: readonly LoginField[];
  readonly choices: readonly LoginChoice[];
  readonly discoveredFields: readonly DiscoveredField[];
  readonly mfaOptions: readonly MfaOption[];
  readonly signInOptions: readonly SignInOption[];
  readonly pendingSsoButtons: readonly SsoButton[];
  /** What to do elsewhere, such as to approve on a telephone. */
  readonly externalActionMessage: string | null;
  /** Error that the website shows, such as a wrong password. */
  readonly websiteError: string | null;
  /** Why the flow failed, in words. */
  readonly errorMessage: string | null;
  /** Why the flow failed, as a code such as `credentials_invalid`. The set is open. */
  readonly errorCode: string | null;
  /** Where the browser was after the login. */
  readonly postLoginUrl: string | null;
  /** Secret: address at which the browser can be watched. */
  readonly liveViewUrl: string | null;
  /** Secret: address at which a person logs in. */
  readonly hostedUrl: string | null;
}

const text = z.string().nullish();
const list = <T extends z.ZodType>(row: T) => z.array(row).nullish();

/** The members shared by state events and the connection's record, as the service sends them; each may be absent or null. */
export const loginFlowWire = z.object({
  fields: list(
    z.object({
      id: z.string(),
      ref: z.string(),
      type: z.string(),
      label: text,
      required: z.boolean().nullish(),
      observed_selector: text,
    }),
  ),
  choices: list(
    z.object({
      id: z.string(),
      type: z.string(),
      label: z.string(),
      description: text,
      observed_selector: text,
    }),
  ),
  discovered_fields: list(
    z.object({
      name: z.string(),
      type: z.string(),
      label: z.string(),
      placeholder: text,
      required: z.boolean().nullish(),
      selector: z.string(),
      linked_mfa_type: text,
      hint: text,
    }),
  ),
  mfa_options: list(z.object({ type: z.string(), label: z.string(), target: text, description: text })),
  sign_in_options: list(z.object({ id: z.string(), label: z.string(), description: text })),
  pending_sso_buttons: list(z.object({ selector: z.string(), provider: z.string(), label: z.string() })),
  external_action_message: text,
  website_error: text,
  error_message: text,
  error_code: text,
  post_login_url: text,
  live_view_url: text,
  hosted_url: text,
});

/** Takes the shared members into our own names. */
export function loginFlowDetails(wire: z.output<typeof loginFlowWire>): LoginFlowDetails {
  return {
    fields: (wire.fields ?? []).map((row) => ({
      id: row.id,
      ref: row.ref,
      type: row.type,
      label: row.label ?? null,
      required: row.required ?? true,
      observedSelector: row.observed_selector ?? null,
    })),
    choices: (wire.choices ?? []).map((row) => ({
      id: row.id,
      type: row.type,
      label: row.label,
      description: row.description ?? null,
      observedSelector: row.observed_selector ?? null,
    })),
    discoveredFields: (wire.discovered_fields ?? []).map((row) => ({
      name: row.name,
      type: row.type,
      label: row.label,
      placeholder: row.placeholder ?? null,
      required: row.required ?? true,
      selector: row.selector,
      linkedMfaType: row.linked_mfa_type ?? null,
      hint: row.hint ?? null,
    })),
    mfaOptions: (wire.mfa_options ?? []).map((row) => ({
      type: row.type,
      label: row.label,
      target: row.target ?? null,
      description: row.description ?? null,
    })),
    signInOptions: (wire.sign_in_options ?? []).map((row) => ({
      id: row.id,
      label: row.label,
      description: row.description ?? null,
    })),
    pendingSsoButtons: (wire.pending_sso_buttons ?? []).map((row) => ({
      selector: row.selector,
      provider: row.provider,
      label: row.label,
    })),
    externalActionMessage: wire.external_action_message ?? null,
    websiteError: wire.website_error ?? null,
    errorMessage: wire.error_message ?? null,
    errorCode: wire.error_code ?? null,
    postLoginUrl: wire.post_login_url ?? null,
    liveViewUrl: wire.live_view_url ?? null,
    hostedUrl: wire.hosted_url ?? null,
  };
}
