/** Record of an auth connection: the request to read it, and the login that the record describes. */
import { pathSegment } from "../../http/path.js";
import type { RecordRequest } from "../../http/record-calls.js";
import { type AuthConnection, authConnectionSchema } from "../auth-connection.js";
import { type LoginFlowDetails, type LoginStateEvent, loginFlowMembers } from "../login.js";

/** Advice for an auth connection that the service does not find. */
export const noAuthConnectionAdvice =
  "Check the auth connection's id (a domain or a profile name is not an id), the project, and that this " +
  "API key has access to it.";

/** Request that reads an auth connection. Throws `InputError` for an id that no connection has. @internal */
export function authConnectionRequest(connectionId: string): RecordRequest<AuthConnection> {
  return {
    path: `/auth/connections/${pathSegment("connectionId", connectionId, "the auth connection's id")}`,
    operation: `Reading the auth connection "${connectionId}"`,
    notFoundAdvice: noAuthConnectionAdvice,
    schema: authConnectionSchema,
    wrongIf: [({ id }) => id !== connectionId, "it describes another auth connection"],
  };
}

/** State of the flow in a record read at the time `now`; undefined without a flow. */
export function loginStateOf(connection: AuthConnection, now: number): LoginStateEvent | undefined {
  const { flowStatus, flowStep, flowType } = connection;
  if (flowStatus === null) {
    return undefined;
  }
  const details = Object.fromEntries(loginFlowMembers.map((name) => [name, connection[name]]));
  return {
    event: "managed_auth_state",
    origin: "connection",
    timestamp: new Date(now).toISOString(),
    flowStatus,
    flowStep,
    flowType,
    ...(details as unknown as LoginFlowDetails),
  };
}

const finalStatuses: ReadonlySet<string> = new Set(["SUCCESS", "FAILED", "EXPIRED", "CANCELED"]);

/** Whether a flow in this state is over. An unknown status counts as in progress. */
export function isFinal({ flowStatus }: Pick<LoginStateEvent, "flowStatus">): boolean {
  return finalStatuses.has(flowStatus);
}

/**
 * Whether there is a login to follow. `begun`: a login is in progress, or has ended and still fits
 * the profile's status. `not_needed`: otherwise, if the profile is logged in. `not_begun`: otherwise.
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
