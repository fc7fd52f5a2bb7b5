import type { CallOptions } from "../http/exchange.js";
import { readRecord } from "../http/read-record.js";
import type { Transport } from "../http/transport.js";
import type { AuthContext } from "../types.js";
import { authContextSchema } from "../wire/auth-context.js";

/** Asks the service who it takes the caller for (`GET /auth/context`). */
export function readAuthContext(transport: Transport, options: CallOptions): Promise<AuthContext> {
  return readRecord(transport, {
    path: "/auth/context",
    doing: "Asking the service whose API key this is",
    ifNotFound: "This service is of a generation that does not tell.",
    schema: authContextSchema,
    signal: options.signal,
  });
}
