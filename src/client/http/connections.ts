import { Agent, type Dispatcher } from "undici";

/**
 * The sockets of one client. Reads keep their sockets alive. Every event stream has its own socket,
 * so that streams neither wait for each other nor block anything else. Every write opens its own
 * socket and closes it afterwards: if the service were about to close a kept-alive socket, a plain
 * write would end with an unknown outcome (measured: a POST on a socket that is reset while idle
 * fails with ECONNRESET, and undici rightly does not retry it).
 */
export class Connections {
  readonly #reads: Agent;
  readonly #writes: Agent;
  readonly #streams: Agent;
  #closing: Promise<unknown> | undefined;

  /** `connectMs`: time for opening a connection, TLS included, in milliseconds. */
  constructor(connectMs: number) {
    const connect = {
      timeout: connectMs,
      // Explicit, because Node's default lets NODE_TLS_REJECT_UNAUTHORIZED switch the check off.
      rejectUnauthorized: true,
    };
    // HTTP/1.1 only: a broken socket that many writes share would put all of them in doubt.
    this.#reads = new Agent({ allowH2: false, connect, pipelining: 1 });
    this.#writes = new Agent({ allowH2: false, connect, pipelining: 0 });
    this.#streams = new Agent({ allowH2: false, connect, pipelining: 0 });
  }

  /**
   * The dispatcher for one request. `onSent` is called right before the first byte of the request
   * goes to an open socket. A failure before that proves that the service has seen nothing.
   */
  dispatcher(use: "read" | "write" | "stream", onSent: () => void): Dispatcher {
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

  /** Ends event streams, waits for requests in progress, then closes every socket. */
  async close(): Promise<void> {
    this.#closing ??= Promise.all([this.#streams.destroy(), this.#reads.close(), this.#writes.close()]);
    await this.#closing;
  }
}
