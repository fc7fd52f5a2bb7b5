/** Record of an auth connection: the request to read it, and the state of the login in it. */
import { pathSegment } from "../../http/path.js";
import type { RecordRequest } from "../../http/record-calls.js";
import { type AuthConnection, authConnectionSchema } from "../auth-connection.js";
import { type LoginFlowDetails, type LoginStateEvent, loginFlowMembers } from "../login.js";

/** Advice for an auth connection that the service does not find. */
export const noAuthConnectionAdvice =
  "Check the auth connection's id (a domain or a profile name is not an id), the project, and that this " +
  "API key has access to it.";

/** Returns the path of an auth connection. Throws `InputError` for `property`. */
export function authConnectionPath(property: string, id: string): string {
  return `/auth/connections/${pathSegment(property, id, "the auth connection's id")}`;
}

/** Request that reads an auth connection. @internal */
export function authConnectionRequest(id: string, signal?: AbortSignal): RecordRequest<AuthConnection> {
  return {
    path: authConnectionPath("id", id),
    operation: `Reading the auth connection "${id}"`,
    notFoundAdvice: noAuthConnectionAdvice,
    schema: authConnectionSchema,
    wrongIf: [(connection) => connection.id !== id, "it describes another auth connection"],
    signal,
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
