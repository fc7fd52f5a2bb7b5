import { type BrowserInfraError, CanceledError, ConnectionError, type RequestContext } from "../../errors.js";
import type { Call } from "./exchange.js";
import type { Fault } from "./failures.js";

const remedies: Readonly<Record<Exclude<Fault["kind"], "canceled">, { code: string; advice: string }>> = {
  timeout: { code: "connection_timeout", advice: "Check the network, or try again later." },
  unreachable: { code: "connection_failed", advice: "Check the base URL and the network." },
  untrusted: {
    code: "connection_untrusted",
    advice: "Check the base URL; a private certificate authority is named to Node with NODE_EXTRA_CA_CERTS.",
  },
  broken: { code: "connection_broken", advice: "Check the network, or try again later." },
  closed: { code: "client_closed", advice: "Make a new client; one that was closed stays closed." },
};

/** The error for a request without a whole answer. `note` is a sentence on repeats, or empty. */
export function connectionFailure(
  call: Call,
  fault: Fault,
  note: string,
  baseUrl: string,
): BrowserInfraError {
  if (fault.kind === "canceled") {
    return canceled(call, fault.cause);
  }
  const host = new URL(baseUrl).host;
  const { code, advice } = remedies[fault.kind];
  const message = [`${call.doing} failed: ${fault.message}, host ${host}.`, note, advice]
    .filter(Boolean)
    .join(" ");
  return new ConnectionError(code, message, contextOf(call), { cause: fault.cause });
}

/** The error for a call that its caller ended. */
export function canceled(call: Call, cause: unknown): CanceledError {
  return new CanceledError(`${call.doing} was canceled by its caller.`, { cause });
}

/** What is known of a request that no answer told of. */
export function contextOf(call: Call): RequestContext {
  return { method: call.method, path: call.path };
}
