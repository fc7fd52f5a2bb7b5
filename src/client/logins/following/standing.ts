import type { AuthConnection } from "../auth-connection.js";
import type { LoginStateEvent } from "../login.js";

const finalStatuses: ReadonlySet<string> = new Set(["SUCCESS", "FAILED", "EXPIRED", "CANCELED"]);

/** Whether a flow in this state is over. An unknown status counts as in progress. */
export function isFinal({ flowStatus }: Pick<LoginStateEvent, "flowStatus">): boolean {
  return finalStatuses.has(flowStatus);
}

/**
 * Whether there is a login to follow. `begun`: a login is in progress, or has ended and still fits
 * the profile's status. `not_needed`: there is none, and the profile is logged in.
 */
export type LoginStanding = "begun" | "not_begun" | "not_needed";

/** Determines whether an auth connection has a login to follow. */
export function loginStanding({ flowStatus, status }: AuthConnection): LoginStanding {
  if (flowStatus !== null) {
    // An old login does not count once the profile's status contradicts the end: logged out after a
    // success, or logged in after any other end.
    const contradiction = flowStatus === "SUCCESS" ? "NEEDS_AUTH" : "AUTHENTICATED";
    if (!isFinal({ flowStatus }) || status !== contradiction) {
      return "begun";
    }
  }
  return status === "AUTHENTICATED" ? "not_needed" : "not_begun";
}
