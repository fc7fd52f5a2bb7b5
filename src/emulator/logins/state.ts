import { type AuthConnection, hasCredentials } from "./connections/connection.js";
import { interactionId, type LoginFlow, scriptStep } from "./login.js";
import { formOf, formOnWire } from "./form.js";

/** Where the emulator serves its login pages; known once it listens. */
export type Origin = () => string;

/** The address of a login's page. The code is in the query, of which the request log keeps nothing. */
export function hostedUrl(origin: string, { connectionId, handoffCode }: LoginFlow): string {
  return `${origin}/login/${connectionId}?code=${handoffCode}`;
}

/**
 * What state events and the connection's record have in common: members that have something to say. Which of them go with which step is
 * published; that the addresses are there while the login is under way, and an error of the website as long as it is shown, is a guess.
 */
function flowMembers(flow: LoginFlow, { domain }: AuthConnection, origin: string) {
  const step = scriptStep(flow);
  const isOpen = flow.status === "IN_PROGRESS";
  const form = formOf(step);
  const asks = isOpen && form.fields.length + form.choices.length > 0;
  const { liveViewUrl, postLoginUrl = `https://${domain}/`, forms } = flow.scenario;
  return {
    ...(asks && { ...formOnWire(form, forms), interaction_id: interactionId(flow) }),
    ...(isOpen && step.step === "AWAITING_EXTERNAL_ACTION" && { external_action_message: step.message }),
    ...(flow.websiteError !== null && { website_error: flow.websiteError }),
    ...(flow.errorCode !== null && { error_code: flow.errorCode }),
    ...(flow.errorMessage !== null && { error_message: flow.errorMessage }),
    ...(flow.status === "SUCCESS" && { post_login_url: postLoginUrl }),
    ...(isOpen && liveViewUrl !== undefined && { live_view_url: liveViewUrl }),
    ...(isOpen && { hosted_url: hostedUrl(origin, flow) }),
  };
}

/**
 * A state as an event. Its timestamp is when the login came to the state, so that who connects anew gets the event that was sent before,
 * word for word; that the service does so is a guess.
 */
export function stateEvent(flow: LoginFlow, connection: AuthConnection, origin: string) {
  return {
    event: "managed_auth_state",
    timestamp: new Date(flow.updatedMs).toISOString(),
    flow_status: flow.status,
    flow_step: flow.step,
    flow_type: flow.type,
    ...flowMembers(flow, connection, origin),
  };
}

const nothingOfAFlow = {
  flow_status: null,
  flow_step: null,
  flow_type: null,
  flow_expires_at: null,
  fields: null,
  choices: null,
  discovered_fields: null,
  mfa_options: null,
  sign_in_options: null,
  pending_sso_buttons: null,
  external_action_message: null,
  website_error: null,
  error_code: null,
  error_message: null,
  live_view_url: null,
  hosted_url: null,
  browser_session_id: null,
};

/** A connection as the service sends it, with its last login. Nullable members are there, others only with something in them. */
export function connectionOnWire(connection: AuthConnection, flow: LoginFlow | undefined, origin: string) {
  const { settings } = connection;
  const isOpen = flow?.status === "IN_PROGRESS";
  return {
    id: connection.id,
    domain: connection.domain,
    profile_name: connection.profileName,
    status: connection.status,
    save_credentials: settings.saveCredentials,
    record_session: settings.recordSession,
    allowed_domains: settings.allowedDomains,
    health_check_interval: settings.healthCheckInterval,
    health_checks: settings.healthChecks,
    auto_reauth: settings.autoReauth,
    ...reauthentication(connection),
    ...(settings.loginUrl !== null && { login_url: settings.loginUrl }),
    ...(settings.credential !== null && { credential: settings.credential }),
    ...(settings.proxyId !== null && { proxy_id: settings.proxyId }),
    ...(settings.browser !== null && { browser: settings.browser }),
    browser_telemetry: settings.browserTelemetry,
    ...(connection.lastCheckedAt !== null && {
      last_auth_check_at: connection.lastCheckedAt,
      last_auth_at: connection.lastCheckedAt,
    }),
    ...nothingOfAFlow,
    ...(flow && {
      flow_status: flow.status,
      flow_step: flow.step,
      flow_type: flow.type,
      ...flowMembers(flow, connection, origin),
    }),
    ...(isOpen && {
      flow_expires_at: new Date(flow.expiresMs).toISOString(),
      browser_session_id: flow.browserSessionId,
    }),
  };
}

/** Whether the service could sign in again by itself. Source of the reasons: the service's published interface description. */
function reauthentication(connection: AuthConnection): { can_reauth: boolean; can_reauth_reason: string } {
  const { credential } = connection.settings;
  const reason = !connection.hasLoggedIn
    ? "no_prior_successful_login"
    : !hasCredentials(connection)
      ? "no_credential"
      : credential?.provider === undefined
        ? "has_credential"
        : "external_credential";
  return { can_reauth: !reason.startsWith("no_"), can_reauth_reason: reason };
}
