import { CanceledError, ConnectionError, ContractError, type RequestContext } from "../../errors.js";
import { isLoopbackHost } from "../../text/base-url.js";
import { paragraph } from "../../text/words.js";
import type { Failure, HttpCall, Outcome } from "./call.js";
import { type Connections, TunnelRefused } from "./connections/connections.js";

/** Ends of a request without a complete response, except by the caller's signal. */
const interruptions = {
  /** A time limit of ours: connecting, headers, body, or the request as a whole. */
  timeout: {
    code: "connection_timeout",
    isTransient: true,
    advice: "Check the network, or try again later.",
  },
  /** No connection: refused, no such name, no route, or a failed proxy. */
  unreachable: {
    code: "connection_failed",
    isTransient: true,
    advice: "Check the base URL and the network.",
  },
  /** Nothing listens at an address of the local machine. */
  notRunning: {
    code: "connection_failed",
    isTransient: true,
    advice: 'Is the emulator running? "npx browser-infra emulator" starts it. Otherwise, check the base URL.',
  },
  /** The peer could not prove its identity or does not speak TLS. */
  untrusted: {
    code: "connection_untrusted",
    isTransient: false,
    advice: "Check the base URL. For a private certificate authority, set NODE_EXTRA_CA_CERTS.",
  },
  /** An open connection broke, or the response was not HTTP. */
  broken: { code: "connection_broken", isTransient: true, advice: "Check the network, or try again later." },
  /** The proxy allows no connection to the service. */
  tunnelForbidden: {
    code: "connection_failed",
    isTransient: false,
    advice: "Check that the proxy allows this host, or name the host in NO_PROXY to connect directly.",
  },
  /** The proxy requires different credentials. */
  tunnelUnauthorized: {
    code: "connection_failed",
    isTransient: false,
    advice: "Check the user name and the password in the address of the proxy.",
  },
  closed: {
    code: "client_closed",
    isTransient: false,
    advice: "Create a new client; a closed one cannot be reopened.",
  },
};

type Interruption = keyof typeof interruptions;

/** The interrupted call, as far as needed for a message. */
export interface InterruptedCall {
  readonly call: HttpCall;
  readonly baseUrl: string;
  readonly proxy: Connections["proxy"];
  /** Whether any byte of the request may have been sent to the service. */
  readonly sent: boolean;
}

/** Creates the failure of a request without a complete response. `why`: what happened. */
export function interruptionFailure(
  { call, baseUrl, proxy, sent }: InterruptedCall,
  kind: Interruption | "canceled",
  why: string,
  error?: unknown,
): Failure {
  const cause = plainCause(error);
  const doubt = sent ? why : undefined;
  if (kind === "canceled") {
    return { error: () => canceledError(call, cause), isTransient: false, unknownOutcomeReason: doubt };
  }
  const { code, isTransient, advice } = interruptions[kind];
  const through = proxy === undefined ? "" : `, through the proxy ${proxy.host} (${proxy.variable})`;
  const what = `${call.operation} failed: ${why}, host ${new URL(baseUrl).host}${through}.`;
  const remedy = proxy === undefined ? advice : withProxy(advice);
  return {
    error: (note) => new ConnectionError(code, paragraph(what, note, remedy), contextOf(call), { cause }),
    isTransient,
    isTimeout: kind === "timeout",
    unknownOutcomeReason: doubt,
  };
}

/** Adds the proxy to advice about the network. */
function withProxy(advice: string): string {
  return advice.replace(/(?: and)? the network/, (words) =>
    words.startsWith(" and") ? ", the proxy and the network" : " the proxy and the network",
  );
}

/** Meanings of undici's errors, by code. */
const meanings: Readonly<Record<string, readonly [Interruption, why: string]>> = {
  UND_ERR_CONNECT_TIMEOUT: ["timeout", "could not connect within the time allowed"],
  UND_ERR_HEADERS_TIMEOUT: ["timeout", "no response within the time allowed"],
  UND_ERR_BODY_TIMEOUT: ["timeout", "the response stalled partway"],
  UND_ERR_CLOSED: ["closed", "this client has been closed"],
  UND_ERR_DESTROYED: ["closed", "this client has been closed"],
};

/** Beginnings of the codes of TLS errors. */
const tlsCodes =
  /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO|HOSTNAME_MISMATCH|INVALID_CA)/;

/** Creates the failure for an error of undici or Node. */
export function failureFrom(interruption: InterruptedCall, error: unknown): Failure {
  const failureOf = (kind: Interruption, why: string) => interruptionFailure(interruption, kind, why, error);
  const code = codeOf(error);
  const meaning = Object.hasOwn(meanings, code) ? meanings[code] : undefined;
  if (meaning !== undefined) {
    return failureOf(...meaning);
  }
  if (error instanceof TunnelRefused) {
    const { status } = error;
    const kind = status === 407 ? "tunnelUnauthorized" : status < 500 ? "tunnelForbidden" : "unreachable";
    return failureOf(kind, `the proxy answered ${status} and opened no connection`);
  }
  if (interruption.sent) {
    return code.startsWith("HPE_") || code === "UND_ERR_HEADERS_OVERFLOW"
      ? failureOf("broken", `the response is not HTTP (${code})`)
      : failureOf("broken", `the connection was lost before the response was complete (${code})`);
  }
  if (tlsCodes.test(code)) {
    return failureOf("untrusted", `the TLS handshake failed (${code})`);
  }
  const { baseUrl, proxy } = interruption;
  if (code === "ECONNREFUSED" && proxy === undefined && isLoopbackHost(new URL(baseUrl).hostname)) {
    return failureOf("notRunning", `the connection could not be opened (${code})`);
  }
  return code === "ENOTFOUND" || code === "EAI_AGAIN"
    ? failureOf("unreachable", `the host name could not be resolved (${code})`)
    : failureOf("unreachable", `the connection could not be opened (${code})`);
}

export function canceledError(call: Pick<HttpCall, "operation">, cause?: unknown): CanceledError {
  return new CanceledError(`${call.operation} was canceled.`, { cause });
}

/** Facts about a request that got no response. */
export function contextOf({ method, path }: HttpCall): RequestContext {
  return { method, path };
}

/** Creates the error for a success response that breaks the contract. `what`: the deviation. */
export function unexpectedResponseError(
  call: Pick<HttpCall, "operation">,
  context: RequestContext,
  what: string,
): ContractError {
  const report = context.requestId === undefined ? "." : ` with request id ${context.requestId}.`;
  return new ContractError(
    `${call.operation} got an unexpected response: ${what}. Check that the base URL is the service's. ` +
      `If so, this is a bug in the service or in this package: please report it${report}`,
    context,
  );
}

/** Converts an unusable response to a failure, for callers that retry in their own rhythm. */
export async function catchUnusable<T>(work: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ContractError) {
      return { failure: unusableFailure(error) };
    }
    throw error;
  }
}

/** Creates the failure for an unusable response: transient, as the error page of a proxy is. */
export function unusableFailure(error: ContractError): Failure {
  return { error: () => error, isTransient: true };
}

/** Code or else name of an error. Reads members: errors may come from a different realm. */
function codeOf(error: unknown): string {
  const { code, name } = Object(error) as { readonly code?: unknown; readonly name?: unknown };
  return [code, name].find((each) => typeof each === "string") ?? "unknown";
}

/** Copies only the code or name of an error: undici's errors carry headers with the API key. */
export function plainCause(error: unknown): Error | undefined {
  if (error === undefined || error === null) {
    return undefined;
  }
  const code = codeOf(error);
  return Object.assign(new Error(code), { code });
}
