import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import {
  ConnectionEnded,
  type Exchange,
  type FaultPoint,
  type PreparedResponse,
  RespondedByFault,
} from "./exchange.js";
import type { RecordedRequest } from "./request-log.js";

/** Rule for a fault: the requests affected, the point, and the action. */
export interface FaultRule {
  /** HTTP method, upper case. Default: any. */
  readonly method?: string | undefined;
  /** Start of the percent-encoded path, or pattern in the path, without the query. Default: any. */
  readonly path?: string | RegExp | undefined;
  /** First request affected, counted among the requests that match and reach `at`. Default 1. */
  readonly nth?: number | undefined;
  /** Number of requests affected from `nth` on. Default 1; `Infinity` for all. */
  readonly times?: number | undefined;
  readonly at: FaultPoint;
  /**
   * Number of events of a stream sent before the fault applies, heartbeats included; 0 for the
   * headers alone. Default 1. Only for `while-answering`, and not for `truncateAfterBytes`.
   */
  readonly afterEvents?: number | undefined;
  readonly action: FaultAction;
}

/**
 * Effect of a fault on a request.
 *
 * - `"reset"`: the connection ends with a TCP reset.
 * - `"close"`: the connection ends in order, without a response or without the rest of the
 *   response.
 * - `"end"`: a stream ends as if complete, although the login continues. Same as `"close"` for a
 *   response that is no stream. Only while answering.
 * - `"hang"`: nothing more is sent, and the connection stays open until the emulator closes or the
 *   client leaves. A stream falls silent.
 * - `{ answer }`: the given response replaces the real response. Not while answering.
 * - `{ truncateAfterBytes }`: the body is cut after the given number of bytes and the connection
 *   closed in order, although the header `content-length` promises more or the stream continues.
 *   Only while answering.
 * - `{ delayMs }`: the request waits, then continues.
 * - `{ call }`: a function of the test runs to its end, then the request continues. An error from
 *   the function becomes a response 500, or ends the connection while answering.
 */
export type FaultAction =
  | "reset"
  | "close"
  | "end"
  | "hang"
  | { readonly answer: FaultAnswer }
  | { readonly truncateAfterBytes: number }
  | { readonly delayMs: number }
  | { readonly call: (request: RecordedRequest) => void | Promise<void> };

/** Response instead of the real response. */
export interface FaultAnswer {
  /** HTTP status, 200 to 599. */
  readonly status: number;
  /** Strings and bytes are sent unchanged, other values as JSON. Default: no body. */
  readonly body?: unknown;
  /** Headers, which override the emulator's own. The default media type follows from the body. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Number of bytes after which an action truncates; undefined for an action without truncation. */
export function truncation(action: FaultAction): number | undefined {
  return typeof action === "object" && "truncateAfterBytes" in action ? action.truncateAfterBytes : undefined;
}

/**
 * Carries out an action. Throws `ConnectionEnded` or `RespondedByFault` if the action ends the
 * request. The close of the emulator ends waits.
 */
export async function perform(action: FaultAction, exchange: Exchange): Promise<void> {
  const { incoming, outgoing, record, closing } = exchange;
  const { socket } = incoming;
  if (action === "reset") {
    socket.resetAndDestroy();
    throw new ConnectionEnded();
  }
  if (
    action === "close" ||
    action === "end" ||
    (typeof action === "object" && "truncateAfterBytes" in action)
  ) {
    // Drops data that still arrives: a socket closed with unread data would send a reset.
    incoming.resume();
    socket.end();
    throw new ConnectionEnded();
  }
  if (action === "hang") {
    if (!outgoing.closed) {
      await once(outgoing, "close", { signal: closing }).catch(() => undefined);
    }
    throw new ConnectionEnded();
  }
  if ("answer" in action) {
    throw new RespondedByFault(faultResponseOf(action.answer));
  }
  if ("delayMs" in action) {
    await wait(action.delayMs, undefined, { signal: closing }).catch(() => {
      throw new ConnectionEnded();
    });
    return;
  }
  await action.call({ ...record });
}

function faultResponseOf({ status, body, headers }: FaultAnswer): PreparedResponse {
  const [bytes, mediaType] =
    body === undefined
      ? [Buffer.alloc(0)]
      : typeof body === "string"
        ? [Buffer.from(body), "text/plain; charset=utf-8"]
        : body instanceof Uint8Array
          ? [body, "application/octet-stream"]
          : [Buffer.from(JSON.stringify(body)), "application/json"];
  const given = Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    status,
    body: bytes,
    headers: { ...(mediaType && { "content-type": mediaType }), ...Object.fromEntries(given) },
  };
}
