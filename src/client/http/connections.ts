import { Agent, type Dispatcher } from "undici";

/** How many milliseconds one connection attempt may take, TLS included, unless told otherwise. */
export const connectMsDefault = 10_000;

/** What a request does with its socket. */
export type SocketUse = "read" | "write" | "stream";

/**
 * The sockets of one client. Reads keep sockets alive. Every event stream has a socket of its own for as long as it lasts, however many there
 * are, so that streams neither wait for each other nor hold up anything else. Every write opens a socket of its own and closes it after: a kept-alive
 * socket that the service is about to close would turn a plain write into one with an unknown outcome
 * (measured: a POST on a socket reset while idle fails with ECONNRESET, as undici rightly does not send it again).
 */
export class Connections {
  readonly #reads: Agent;
  readonly #writes: Agent;
  readonly #streams: Agent;
  #closing: Promise<unknown> | undefined;

  constructor(connectMs: number) {
    const connect = {
      timeout: connectMs,
      // Said out loud, because Node's default lets the variable NODE_TLS_REJECT_UNAUTHORIZED switch the check off.
      rejectUnauthorized: true,
    };
    // HTTP/1.1 only: on a shared HTTP/2 connection one broken socket would end many writes in doubt at once.
    this.#reads = new Agent({ allowH2: false, connect, pipelining: 1 });
    this.#writes = new Agent({ allowH2: false, connect, pipelining: 0 });
    this.#streams = new Agent({ allowH2: false, connect, pipelining: 0 });
  }

  /**
   * The dispatcher for one request. `onSent` is called right before the first byte of the request goes to an open socket;
   * until then a failure proves that the service has seen nothing.
   */
  dispatcher(use: SocketUse, onSent: () => void): Dispatcher {
    const agent = { read: this.#reads, write: this.#writes, stream: this.#streams }[use];
    return agent.compose((dispatch) => (options, handler) => {
      const start = handler.onRequestStart;
      handler.onRequestStart = function (controller, context) {
        start?.call(this, controller, context);
        // A request that was aborted while it waited for a connection ends here, unsent.
        if (!controller.aborted) {
          onSent();
        }
      };
      return dispatch(options, handler);
    });
  }

  /** Ends event streams, waits for requests under way, then closes every socket. Later calls wait for the same end. */
  async close(): Promise<void> {
    this.#closing ??= Promise.all([this.#streams.destroy(), this.#reads.close(), this.#writes.close()]);
    await this.#closing;
  }
}
