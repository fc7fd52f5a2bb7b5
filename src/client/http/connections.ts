import { Agent, type Dispatcher } from "undici";

/**
 * The sockets of one client. Reads keep their sockets alive. Every event stream has its own socket,
 * so that streams block nothing. So has every write: a kept-alive socket that the service is about
 * to close would leave its outcome unknown (measured: a POST on a socket that is reset while idle
 * fails with ECONNRESET, and undici rightly does not retry it).
 */
export class Connections {
  readonly #agents: Readonly<Record<"read" | "write" | "stream", Agent>>;
  #closing: Promise<unknown> | undefined;

  /** `connectMs`: time for opening a connection, TLS included, in milliseconds. */
  constructor(connectMs: number) {
    // Explicit, because Node's default lets NODE_TLS_REJECT_UNAUTHORIZED switch the check off.
    const connect = { timeout: connectMs, rejectUnauthorized: true };
    // HTTP/1.1 only: a broken socket that many writes share would put all of them in doubt.
    const agent = (pipelining: 0 | 1) => new Agent({ allowH2: false, connect, pipelining });
    this.#agents = { read: agent(1), write: agent(0), stream: agent(0) };
  }

  /**
   * The dispatcher for one request. Calls `onSent` right before the first byte goes to an open
   * socket: after a failure before that, the service has certainly seen nothing.
   */
  dispatcher(use: "read" | "write" | "stream", onSent: () => void): Dispatcher {
    return this.#agents[use].compose((dispatch) => (options, handler) => {
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
    const { read, write, stream } = this.#agents;
    this.#closing ??= Promise.all([stream.destroy(), read.close(), write.close()]);
    await this.#closing;
  }
}
