import { snakeCased, withValues } from "../storage/members.js";
import { type AuthConnection, hasCredentials } from "./auth-connections/auth-connection.js";
import { formOf, formOnWire } from "./form.js";
import { interactionId, type Login, scriptStep } from "./login.js";

/** URL of a login's page. The code is in the query, where the request log hides the value. */
export function hostedUrl(origin: string, { connectionId, handoffCode }: Login): string {
  return `${origin}/login/${connectionId}?code=${handoffCode}`;
}

/**
 * Members that state events and the connection's record have in common, without empty members. The
 * members of a step are published. Guesses: the URLs are present while the login is in progress,
 * and an error of the website is present as long as the website shows the error.
 */
function loginMembers(login: Login, { domain }: AuthConnection, origin: string) {
  const step = scriptStep(login);
  const isOpen = login.status === "IN_PROGRESS";
  const form = formOf(step);
  const asks = isOpen && form.fields.length + form.choices.length > 0;
  const { liveViewUrl } = login.scenario;
  return withValues({
    flow_status: login.status,
    flow_step: login.step,
    flow_type: login.type,
    ...(asks && { ...formOnWire(form), interaction_id: interactionId(login) }),
    ...(isOpen && step.step === "AWAITING_EXTERNAL_ACTION" && { external_action_message: step.message }),
    website_error: login.websiteError,
    error_code: login.errorCode,
    error_message: login.errorMessage,
    ...(login.status === "SUCCESS" && { post_login_url: `https://${domain}/` }),
    ...(isOpen && { live_view_url: liveViewUrl, hosted_url: hostedUrl(origin, login) }),
  });
}

/**
 * Converts a state to an event. The timestamp is the time at which the login reached the state. A
 * client that reconnects therefore gets the same event again, word for word. Guess: the service
 * does so, too.
 */
export function stateEvent(login: Login, connection: AuthConnection, origin: string) {
  return {
    event: "managed_auth_state",
    timestamp: new Date(login.updatedMs).toISOString(),
    ...loginMembers(login, connection, origin),
  };
}

const withoutLogin = {
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

/** Converts a connection with its last login. Nullable members are always present. */
export function connectionOnWire(connection: AuthConnection, login: Login | undefined, origin: string) {
  const { id, domain, profileName, status, lastCheckedAt, settings } = connection;
  const { proxy, telemetry = null } = settings.browser;
  return {
    ...snakeCased(withValues({ id, domain, profileName, status, ...settings })),
    browser: withValues({ ...settings.browser }),
    // Deprecated, and still sent.
    ...(proxy?.id !== undefined && { proxy_id: proxy.id }),
    browser_telemetry: telemetry,
    ...reauthentication(connection),
    ...(lastCheckedAt !== null && { last_auth_check_at: lastCheckedAt, last_auth_at: lastCheckedAt }),
    ...withoutLogin,
    ...(login && loginMembers(login, connection, origin)),
    ...(login?.status === "IN_PROGRESS" && {
      flow_expires_at: new Date(login.expiresMs).toISOString(),
      browser_session_id: login.browserSessionId,
    }),
  };
}

/** Reports whether the service could sign in again by itself. Source: the published interface. */
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
