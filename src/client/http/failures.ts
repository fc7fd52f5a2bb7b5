import { errors } from "undici";

/** How a request ended without a whole answer. */
export type FaultKind =
  /** The caller's signal. */
  | "canceled"
  /** A deadline of ours: connecting, headers, body, or the whole request. */
  | "timeout"
  /** No connection: refused, no such name, no route. */
  | "unreachable"
  /** The peer could not prove who it is, or does not speak TLS. Does not pass by itself. */
  | "untrusted"
  /** An open connection broke, or what came was not HTTP. */
  | "broken"
  /** The client had been closed. */
  | "closed";

/** A request that ended without a whole answer. Internal: the transport turns it into an error of the public family. */
export class Fault extends Error {
  readonly kind: FaultKind;
  /** Whether any byte of the request may have left this machine. */
  readonly sent: boolean;

  constructor(kind: FaultKind, sent: boolean, message: string, cause: unknown) {
    super(message, { cause: plainCause(cause) });
    this.kind = kind;
    this.sent = sent;
  }
}

/** Sorts an error of undici or Node into a `Fault`. `sent` says whether the request may have left this machine. */
export function faultFrom(error: unknown, sent: boolean): Fault {
  const code = codeOf(error);
  if (error instanceof errors.ConnectTimeoutError) {
    return new Fault("timeout", sent, "no connection within the time allowed", error);
  }
  if (error instanceof errors.HeadersTimeoutError) {
    return new Fault("timeout", sent, "no answer within the time allowed", error);
  }
  if (error instanceof errors.BodyTimeoutError) {
    return new Fault("timeout", sent, "the answer stalled midway", error);
  }
  if (error instanceof errors.ClientClosedError || error instanceof errors.ClientDestroyedError) {
    return new Fault("closed", sent, "this client has been closed", error);
  }
  if (!sent) {
    if (
      /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO|HOSTNAME_MISMATCH|INVALID_CA)/.test(
        code,
      )
    ) {
      return new Fault("untrusted", sent, `the TLS handshake failed (${code})`, error);
    }
    if (code === "ENOTFOUND" || code === "EAI_AGAIN") {
      return new Fault("unreachable", sent, `the host name could not be resolved (${code})`, error);
    }
    return new Fault("unreachable", sent, `the connection could not be opened (${code})`, error);
  }
  if (code.startsWith("HPE_") || error instanceof errors.HeadersOverflowError) {
    return new Fault("broken", sent, `what came back is not an HTTP answer (${code})`, error);
  }
  return new Fault("broken", sent, `the connection broke before the answer was complete (${code})`, error);
}

/** The code of an error, or its name. Asks for members instead of classes: errors may come from another realm. */
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
 * A copy of an error that holds its code, or else its name, and nothing else. Errors of the HTTP stack carry the socket, the raw bytes
 * received or the request's headers, and with them the API key; an error of ours must be safe to log at any depth.
 */
export function plainCause(error: unknown): Error | undefined {
  if (error === undefined || error === null) {
    return undefined;
  }
  const code = codeOf(error);
  return Object.assign(new Error(code), { code });
}
