import { pathSegment } from "../http/path.js";
import type { RecordRequest } from "../http/read-record.js";
import type { AuthConnection } from "../types.js";
import { authConnectionSchema } from "../wire/auth-connection.js";

/** What to do when the service knows no such connection. */
export const ifNoAuthConnection =
  "Check the auth connection's id (a domain or a profile name is not an id), the project, and that this API key may see it.";

/** The path of one auth connection. `property` names the argument in the `InputError` for an id that cannot be one. */
export function authConnectionPath(property: string, id: string): string {
  return `/auth/connections/${pathSegment(property, id, "the auth connection's id")}`;
}

/** The request that reads one auth connection; `path` is its own path. */
export function authConnectionRequest(
  id: string,
  path: string,
  signal: AbortSignal | undefined,
): RecordRequest<AuthConnection> {
  return {
    path,
    doing: `Reading the auth connection "${id}"`,
    ifNotFound: ifNoAuthConnection,
    schema: authConnectionSchema,
    mistaken: (connection) =>
      connection.id === id ? undefined : "it describes another auth connection than was asked for",
    signal,
  };
}
