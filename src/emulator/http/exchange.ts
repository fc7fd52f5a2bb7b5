import type { IncomingMessage, ServerResponse } from "node:http";
import type { FaultPoint } from "./faults.js";
import type { OpenRequest } from "./request-log.js";
import type { StreamSource } from "./stream-response.js";

/** An answer before it is on the wire. */
export interface Answer {
  readonly status: number;
  /** Names in lower case; `content-length` is added when it is sent, but for a stream. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | StreamSource;
}

/** One request and its answer to be, from its arrival to its end. */
export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** What the request log shows of it. */
  readonly record: OpenRequest;
  /**
   * Called where a fault may strike: a route does so once it has checked everything that needs no write, with `before-commit`.
   * Returns when the request goes on; throws `ConnectionEnded` or `AnsweredByFault` when it does not.
   */
  readonly reach: (point: FaultPoint) => Promise<void>;
}

/** Thrown when nothing can or shall be answered any more: the connection is gone, or held without an answer until the emulator closed. */
export class ConnectionEnded extends Error {
  override readonly name = "ConnectionEnded";
}

/** Thrown when a fault answers in the place of the route. */
export class AnsweredByFault extends Error {
  override readonly name = "AnsweredByFault";
  readonly answer: Answer;

  constructor(answer: Answer) {
    super("answered by a fault");
    this.answer = answer;
  }
}
