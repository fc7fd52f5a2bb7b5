import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { type Answer, AnsweredByFault, ConnectionEnded, type Exchange, type FaultPoint } from "./exchange.js";
import type { RecordedRequest } from "./request-log.js";

/** Which requests a fault strikes, where, and what happens then. */
export interface FaultRule {
  /** HTTP method, upper case. Default: any. */
  readonly method?: string | undefined;
  /** Start of the percent-encoded path, or a pattern in it. The query is ignored. Default: any. */
  readonly path?: string | RegExp | undefined;
  /** The first request to strike, counted among those that match and reach it. Default 1. */
  readonly nth?: number | undefined;
  /** How many of them are struck from that one on. Default 1; `Infinity` for all. */
  readonly times?: number | undefined;
  readonly at: FaultPoint;
  /**
   * How many events of a stream are sent before it strikes, heartbeats included; 0 for the headers
   * alone. Default 1. Only for `while-answering`, and not for an action that counts bytes.
   */
  readonly afterEvents?: number | undefined;
  readonly action: FaultAction;
}

/**
 * What a fault does to a request.
 *
 * - `"reset"`: the connection ends with a TCP reset.
 * - `"close"`: the connection ends in order, without an answer or without the rest of it.
 * - `"end"`: a stream ends as if it were complete, although its login continues. For any other
 *   answer the same as `"close"`. Only while answering.
 * - `"hang"`: nothing more is sent, and the connection stays open until the emulator closes or the
 *   client leaves. A stream falls silent.
 * - `{ answer }`: this answer instead of the real one. Not while answering.
 * - `{ truncateAfterBytes }`: the answer's body is cut after this many bytes and the connection
 *   closed in order, although the header `content-length` promises more or the stream continues.
 *   Only while answering.
 * - `{ delayMs }`: the request waits, then continues.
 * - `{ call }`: a function of the test runs to its end, then the request continues. An error it
 *   throws becomes an answer 500, or ends the connection while answering.
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

/** An answer instead of the real one. */
export interface FaultAnswer {
  /** HTTP status, 200 to 599. */
  readonly status: number;
  /** Strings and bytes are sent as they are, anything else as JSON. Default: no body. */
  readonly body?: unknown;
  /** Headers, which override the emulator's own. The default media type is that of the body. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** After how many bytes an action truncates; undefined when it does not. */
export function truncation(action: FaultAction): number | undefined {
  return typeof action === "object" && "truncateAfterBytes" in action ? action.truncateAfterBytes : undefined;
}

/**
 * Carries out an action. Throws `ConnectionEnded` or `AnsweredByFault` if it ends the request.
 * `closing` ends waits.
 */
export async function perform(action: FaultAction, exchange: Exchange, closing: AbortSignal): Promise<void> {
  const { incoming, outgoing, record } = exchange;
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
    // Drop what still arrives: a socket closed with unread data would send a reset.
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
    throw new AnsweredByFault(answerOf(action.answer));
  }
  if ("delayMs" in action) {
    await wait(action.delayMs, undefined, { signal: closing }).catch(() => {
      throw new ConnectionEnded();
    });
    return;
  }
  await action.call({ ...record });
}

function answerOf({ status, body, headers }: FaultAnswer): Answer {
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
