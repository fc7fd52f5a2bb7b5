import { errors } from "undici";
import {
  type BrowserInfraError,
  CanceledError,
  ConnectionError,
  ContractError,
  type RequestContext,
} from "../../errors.js";
import type { Call, Failure, Outcome } from "./call.js";

/** How a request ended without a complete answer. */
type Interruption =
  /** The caller's signal ended it. */
  | "canceled"
  /** A time limit of ours: connecting, headers, body, or the request as a whole. */
  | "timeout"
  /** No connection: refused, no such name, no route. */
  | "unreachable"
  /** The peer could not prove its identity or does not speak TLS. Does not pass by itself. */
  | "untrusted"
  /** An open connection broke, or the answer was not HTTP. */
  | "broken"
  /** The client had been closed. */
  | "closed";

const remedies: Readonly<Record<Exclude<Interruption, "canceled">, { code: string; advice: string }>> = {
  timeout: { code: "connection_timeout", advice: "Check the network, or try again later." },
  unreachable: { code: "connection_failed", advice: "Check the base URL and the network." },
  untrusted: {
    code: "connection_untrusted",
    advice: "Check the base URL. For a private certificate authority, set NODE_EXTRA_CA_CERTS.",
  },
  broken: { code: "connection_broken", advice: "Check the network, or try again later." },
  closed: { code: "client_closed", advice: "Create a new client; a closed one cannot be reopened." },
};

const passing: readonly Interruption[] = ["timeout", "unreachable", "broken"];

/** The call that was interrupted, as far as a message needs it. */
interface InterruptedCall {
  readonly call: Call;
  readonly baseUrl: string;
  /** Whether any byte of the request may have left this machine. */
  readonly sent: boolean;
}

/** The failure of a request without a complete answer. `why` says what happened. */
export function interrupted(
  { call, baseUrl, sent }: InterruptedCall,
  kind: Interruption,
  why: string,
  cause?: unknown,
): Failure {
  const plain = plainCause(cause);
  const error = (note: string): BrowserInfraError => {
    if (kind === "canceled") {
      return canceled(call, plain);
    }
    const { code, advice } = remedies[kind];
    const what = `${call.operation} failed: ${why}, host ${new URL(baseUrl).host}.`;
    const message = [what, note, advice].filter(Boolean).join(" ");
    return new ConnectionError(code, message, contextOf(call), { cause: plain });
  };
  return {
    error,
    mayPass: passing.includes(kind),
    timedOut: kind === "timeout",
    doubt: sent ? why : undefined,
  };
}

/** Beginnings of the codes of TLS errors. */
const tlsCodes =
  /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO|HOSTNAME_MISMATCH|INVALID_CA)/;

/** The failure for an error of undici or Node. */
export function failureFrom(interruption: InterruptedCall, error: unknown): Failure {
  const is = (kind: Interruption, why: string) => interrupted(interruption, kind, why, error);
  const code = codeOf(error);
  if (error instanceof errors.ConnectTimeoutError) {
    return is("timeout", "could not connect within the time allowed");
  }
  if (error instanceof errors.HeadersTimeoutError) {
    return is("timeout", "no response within the time allowed");
  }
  if (error instanceof errors.BodyTimeoutError) {
    return is("timeout", "the response stalled partway");
  }
  if (error instanceof errors.ClientClosedError || error instanceof errors.ClientDestroyedError) {
    return is("closed", "this client has been closed");
  }
  if (interruption.sent) {
    return code.startsWith("HPE_") || error instanceof errors.HeadersOverflowError
      ? is("broken", `the response is not HTTP (${code})`)
      : is("broken", `the connection was lost before the response was complete (${code})`);
  }
  if (tlsCodes.test(code)) {
    return is("untrusted", `the TLS handshake failed (${code})`);
  }
  return code === "ENOTFOUND" || code === "EAI_AGAIN"
    ? is("unreachable", `the host name could not be resolved (${code})`)
    : is("unreachable", `the connection could not be opened (${code})`);
}

/** The error for a call that its caller canceled. */
export function canceled(call: Pick<Call, "operation">, cause?: unknown): CanceledError {
  return new CanceledError(`${call.operation} was canceled.`, { cause });
}

/** What is known about a request that got no answer. */
export function contextOf(call: Call): RequestContext {
  return { method: call.method, path: call.path };
}

/** The error for a success answer that is not as agreed. `what` says what is wrong. */
export function unexpectedAnswer(
  call: Pick<Call, "operation">,
  context: RequestContext,
  what: string,
): ContractError {
  const report = context.requestId === undefined ? "." : ` with request id ${context.requestId}.`;
  return new ContractError(
    `${call.operation} got an unexpected response: ${what}. Check that the base URL is the service's. ` +
      `If it is, this is a bug in the service or in this package: please report it${report}`,
    context,
  );
}

/**
 * For callers that retry in their own rhythm: an answer that cannot be used becomes a failure that
 * may pass, because an error page from a proxy in between looks the same.
 */
export async function orUnusable<T>(work: Promise<Outcome<T>>): Promise<Outcome<T>> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ContractError) {
      return { failure: unusable(error) };
    }
    throw error;
  }
}

/** The failure for an answer that cannot be used. */
export function unusable(error: ContractError): Failure {
  return { error: () => error, mayPass: true };
}

/** The code of an error, or its name. Reads members, because errors may come from another realm. */
function codeOf(error: unknown): string {
  const { code, name } = (typeof error === "object" && error !== null ? error : {}) as {
    code?: unknown;
    name?: unknown;
  };
  if (typeof code === "string") {
    return code;
  }
  return typeof name === "string" ? name : "unknown";
}

/**
 * A copy of an error that holds only its code, or else its name. Errors of the HTTP stack carry the
 * socket, the bytes received or the request's headers, and with them the API key. Our errors must
 * be safe to log at any depth.
 */
export function plainCause(error: unknown): Error | undefined {
  if (error === undefined || error === null) {
    return undefined;
  }
  const code = codeOf(error);
  return Object.assign(new Error(code), { code });
}
