/** History of auth connections: logins and health checks. */
import { withValues } from "../storage/members.js";
import type { AuthStatus } from "./auth-connections/auth-connection.js";
import type { Login } from "./login.js";

/** Types of events in a timeline. Source: the published interface. */
export const timelineTypes = ["login", "reauth", "health_check"] as const;

export interface HealthCheck {
  readonly id: string;
  readonly connectionId: string;
  readonly status: AuthStatus;
  readonly previousStatus: AuthStatus;
  /** ISO 8601 date-time. */
  readonly checkedAt: string;
}

/** Events of a timeline, newest first. Source of the order: the published clients. */
export function timelineOf(logins: readonly Login[], checks: readonly HealthCheck[]) {
  const events = [...logins.map(loginEvent), ...checks.map(checkEvent)];
  return events.sort((a, b) => Date.parse(b.timestamp) - Date.parse(a.timestamp));
}

/** Guess: the timestamp is the start. No login captures telemetry: no browser runs. */
function loginEvent(login: Login) {
  const { id, status, step, startedMs, updatedMs, browserSessionId } = login;
  const updatedAt = new Date(updatedMs).toISOString();
  return {
    id,
    type: login.type === "REAUTH" ? "reauth" : "login",
    status,
    timestamp: new Date(startedMs).toISOString(),
    step,
    updated_at: updatedAt,
    browser_session_id: browserSessionId,
    telemetry_captured: false,
    ...(status !== "IN_PROGRESS" && { completed_at: updatedAt }),
    ...withValues({
      error_code: login.errorCode,
      error_message: login.errorMessage,
      website_error: login.websiteError,
    }),
  };
}

function checkEvent({ id, status, previousStatus, checkedAt }: HealthCheck) {
  return { id, type: "health_check", status, previous_status: previousStatus, timestamp: checkedAt };
}
