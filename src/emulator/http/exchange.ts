import type { IncomingMessage, ServerResponse } from "node:http";
import type { OpenRequest, RequestContents } from "./request-log.js";

/**
 * Point in the life of a request at which a fault applies.
 *
 * - `before-reading`: the headers have arrived. Nothing of the body is read, and only host, origin
 *   and rate limit are checked.
 * - `before-commit`: the body is read, and everything is checked for which the route needs no
 *   database. Refused requests get no further.
 * - `after-commit`: the database has committed, and nothing of the response is sent. Only
 *   successful requests get here.
 * - `while-answering`: the headers and the first half of the body are sent, or the number of events
 *   in the rule for an event stream. Every answered request gets here.
 *
 * Requests that only read pass the same points.
 */
export type FaultPoint = "before-reading" | "before-commit" | "after-commit" | "while-answering";

/** Response that is not sent yet. */
export interface PreparedResponse {
  readonly status: number;
  /** Names in lower case. Sending adds `content-length`, except to a stream. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | StreamSource;
}

/** Request and response, from the arrival of the request to the end of the response. */
export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** Entry of the request log. */
  readonly record: OpenRequest;
  /** Headers and bodies, kept for the emulator's page. */
  readonly contents: RequestContents;
  /** Names of the query parameters that the route has read. Further parameters are refused. */
  readonly parameters: Set<string>;
  /** Aborted when the emulator closes. */
  readonly closing: AbortSignal;
  /** Longest time between two pieces of the request's body, in milliseconds. */
  readonly bodyTimeoutMs: number;
  /** Headers of any response to the request, even of a refusal or a fault. Names in lower case. */
  readonly headers: Record<string, string>;
  /** Reports that the response begins, or that the connection has ended. The first call counts. */
  readonly reportBegin: () => void;
  /**
   * Applies faults. At `before-commit`, first refuses input that the route has not read (`ServiceError`
   * 400). Throws `ConnectionEnded` or `RespondedByFault` if a fault ends the request.
   */
  readonly applyFaults: (point: FaultPoint) => Promise<void>;
}

/** Thrown if no response can be sent: the connection has ended, or the emulator closes. */
export class ConnectionEnded extends Error {
  override readonly name = "ConnectionEnded";
}

/** Thrown if a fault answers instead of the route. */
export class RespondedByFault extends Error {
  override readonly name = "RespondedByFault";
  readonly response: PreparedResponse;

  constructor(answer: PreparedResponse) {
    super("answered by a fault");
    this.response = answer;
  }
}

/** Part of Hono's context that the `http` folder needs. */
export interface ExchangeContext {
  readonly env: { readonly exchange: Exchange };
}

/**
 * Refuses unread input (`ServiceError` 400), then applies faults at `before-commit`. Called by a route
 * before the first database access, after all reads of parameters and body.
 */
export function beforeCommit({ env }: ExchangeContext): Promise<void> {
  return env.exchange.applyFaults("before-commit");
}

/** Receives the pieces of a stream. A piece is one event. */
export interface StreamSink {
  /** Sends a piece. False if the receiver is behind: the next piece must wait for `drained`. */
  send(piece: string): boolean;
  /** Ends the stream in order after all pieces are sent. */
  end(): void;
}

/** Sends the pieces of a stream. */
export interface StreamSource {
  /** Called when the headers are sent, and pieces may follow. */
  onOpen(sink: StreamSink): void;
  /** Called when the receiver has caught up. */
  onDrain(): void;
  /** Called once when the connection has ended, also after `end`. */
  onClose(): void;
}

/** Response of a route, sent piece by piece for as long as necessary. */
export class StreamResponse extends Response {
  readonly source: StreamSource;

  constructor(source: StreamSource, headers: Readonly<Record<string, string>>) {
    super(null, { status: 200, headers });
    this.source = source;
  }
}

export const eventStreamHeaders = {
  "content-type": "text/event-stream",
  "x-sse-content-type": "application/json",
  "cache-control": "no-store",
};

/** Frames a server-sent event as every official client accepts: kind, data in one line, LF. */
export function eventFrame(event: { readonly event: string }): string {
  return `event: ${event.event}\ndata: ${JSON.stringify(event)}\n\n`;
}
