import type { IncomingMessage, ServerResponse } from "node:http";
import type { OpenRequest } from "./request-log.js";

/**
 * Where in a request's life a fault strikes.
 *
 * - `before-reading`: its headers have arrived; nothing of its body is read, and nothing is checked
 *   but its host and origin.
 * - `before-commit`: its body is read, and everything is checked that needs no look into the
 *   database. Refused requests get no further.
 * - `after-commit`: the database has committed, and nothing of the answer is sent. Only requests
 *   that succeed get here.
 * - `while-answering`: the answer's headers and the first half of its body are sent, or of an event
 *   stream as many events as the rule says. Every answered request gets here.
 *
 * Requests that only read pass the same points.
 */
export type FaultPoint = "before-reading" | "before-commit" | "after-commit" | "while-answering";

/** An answer that is not sent yet. */
export interface Answer {
  readonly status: number;
  /** Names in lower case. Sending adds `content-length`, except to a stream. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | StreamSource;
}

/** One request and its answer, from the request's arrival to the answer's end. */
export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** What the request log shows of it. */
  readonly record: OpenRequest;
  /** Names of the query's parameters that its route has read. Others are refused. */
  readonly parameters: Set<string>;
  /** Longest time between two pieces of the request's body, in milliseconds. */
  readonly bodyTimeoutMs: number;
  /** Headers that its answer has, whichever it is. Names in lower case. */
  readonly headers: Record<string, string>;
  /** Reports that the answer begins, or that the connection has ended. The first call counts. */
  readonly begun: () => void;
  /** Lets faults strike. Throws `ConnectionEnded` or `AnsweredByFault` if one ends the request. */
  readonly reach: (point: FaultPoint) => Promise<void>;
}

/** Thrown when there is nothing left to answer: the connection is gone, or the emulator closes. */
export class ConnectionEnded extends Error {
  override readonly name = "ConnectionEnded";
}

/** Thrown when a fault answers instead of the route. */
export class AnsweredByFault extends Error {
  override readonly name = "AnsweredByFault";
  readonly answer: Answer;

  constructor(answer: Answer) {
    super("answered by a fault");
    this.answer = answer;
  }
}

/** Hono's context, as far as this folder needs it. */
export interface WithExchange {
  readonly env: { readonly exchange: Exchange };
}

/** Lets a fault strike at `before-commit`. A route calls this before it looks into the database. */
export function beforeCommit({ env }: WithExchange): Promise<void> {
  return env.exchange.reach("before-commit");
}

/** Receives a stream's pieces, one event each. */
export interface StreamSink {
  /** Sends a piece. False when its receiver is behind: then the next must wait for `drained`. */
  send(piece: string): boolean;
  /** Ends the stream in order, once everything is sent. */
  end(): void;
}

/** Sends a stream's pieces. */
export interface StreamSource {
  /** The headers are sent, and pieces may follow. */
  opened(sink: StreamSink): void;
  /** The receiver has caught up. */
  drained(): void;
  /** The connection is gone. Called once, also after `end`. */
  closed(): void;
}

/** A route's answer that is sent piece by piece, for as long as it takes. */
export class StreamResponse extends Response {
  readonly source: StreamSource;

  constructor(source: StreamSource, headers: Readonly<Record<string, string>>) {
    super(null, { status: 200, headers });
    this.source = source;
  }
}

/** Headers of an answer that is an event stream. */
export const eventStreamHeaders = {
  "content-type": "text/event-stream",
  "x-sse-content-type": "application/json",
  "cache-control": "no-store",
};

/** A server-sent event, framed as every official client accepts it: kind, data in one line, LF. */
export function eventFrame(event: { readonly event: string }): string {
  return `event: ${event.event}\ndata: ${JSON.stringify(event)}\n\n`;
}
