import { snakeCased, withValues } from "../storage/members.js";
import { type AuthConnection, hasCredentials } from "./auth-connections/auth-connection.js";
import { formOf, formOnWire } from "./form.js";
import { interactionId, type Login, scriptStep } from "./login.js";

/** URL of a login's page. The code is in the query, where the request log hides the value. */
export function hostedUrl(origin: string, { connectionId, handoffCode }: Login): string {
  return `${origin}/login/${connectionId}?code=${handoffCode}`;
}

/**
 * Members of the connection's record about the last login, null without a value. The members of a step
 * are published. Guesses: the URLs are present while the login is in progress, and an error of the
 * website is present as long as the website shows the error.
 */
function loginMembers(login: Login | undefined, { domain }: AuthConnection, origin: string) {
  const open = login?.status === "IN_PROGRESS" ? login : undefined;
  const step = open && scriptStep(open);
  const form = formOf(step);
  const asks = form.fields.length + form.choices.length > 0;
  return {
    flow_status: login?.status ?? null,
    flow_step: login?.step ?? null,
    flow_type: login?.type ?? null,
    flow_expires_at: open ? new Date(open.expiresMs).toISOString() : null,
    ...formOnWire(form),
    ...(open && asks && { interaction_id: interactionId(open) }),
    external_action_message: step?.step === "AWAITING_EXTERNAL_ACTION" ? step.message : null,
    website_error: login?.websiteError ?? null,
    error_code: login?.errorCode ?? null,
    error_message: login?.errorMessage ?? null,
    ...(login?.status === "SUCCESS" && { post_login_url: `https://${domain}/` }),
    live_view_url: open?.scenario.liveViewUrl ?? null,
    hosted_url: open ? hostedUrl(origin, open) : null,
    browser_session_id: open?.browserSessionId ?? null,
  };
}

/**
 * Converts a state to an event, without empty members. The timestamp is the time at which the login
 * reached the state. A client that reconnects therefore gets the same event again, word for word.
 * Guess: the service does so, too.
 */
export function stateEvent(login: Login, connection: AuthConnection, origin: string) {
  const { flow_expires_at, browser_session_id, ...members } = loginMembers(login, connection, origin);
  return {
    event: "managed_auth_state",
    timestamp: new Date(login.updatedMs).toISOString(),
    ...withValues(members),
  };
}

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
    ...loginMembers(login, connection, origin),
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
