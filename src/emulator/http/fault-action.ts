import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { timerMsMax } from "../../text/duration.js";
import { type Answer, AnsweredByFault, ConnectionEnded, type Exchange } from "./exchange.js";
import type { RecordedRequest } from "./request-log.js";

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

/** Says what is wrong with an action, as the end of a sentence; undefined when nothing is. */
export function faultActionProblem(action: FaultAction, answering: boolean): string | undefined {
  if (action === "reset" || action === "close" || action === "hang") {
    return undefined;
  }
  if (action === "end") {
    return answering ? undefined : 'can be "end" only at while-answering';
  }
  if (typeof action !== "object" || action === null) {
    return 'must be "reset", "close", "end", "hang" or an object with answer, truncateAfterBytes, delayMs or call';
  }
  if ("answer" in action) {
    if (answering) {
      return "cannot be an answer at while-answering: the real one is already being sent";
    }
    const { status } = action.answer;
    return Number.isInteger(status) && status >= 200 && status <= 599
      ? undefined
      : "must answer with a status from 200 to 599";
  }
  if ("truncateAfterBytes" in action) {
    if (!answering) {
      return "can truncate only at while-answering";
    }
    return Number.isInteger(action.truncateAfterBytes) && action.truncateAfterBytes >= 0
      ? undefined
      : "must truncate after a whole number of bytes, at least 0";
  }
  if ("delayMs" in action) {
    return action.delayMs >= 0 && action.delayMs <= timerMsMax
      ? undefined
      : `must delay by 0 to ${timerMsMax} milliseconds`;
  }
  return "call" in action && typeof action.call === "function"
    ? undefined
    : "must have one of answer, truncateAfterBytes, delayMs and call";
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
