import { Agent, buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from "undici";
import { LocalError } from "../../../errors.js";
import { readAnswerFirst } from "./early-answer.js";
import type { HttpProxy } from "./proxy.js";
import { removeContinue } from "./unasked-continue.js";

/** What a socket is for; see `Connections`. */
type ConnectionUse = "read" | "write" | "stream";

/** The proxy refused to open a tunnel to the service. Nothing was sent to the service. */
export class TunnelRefused extends Error {
  override readonly name = "TunnelRefused";
  /** HTTP status of the proxy's answer. */
  readonly status: number;

  constructor(status: number) {
    super(`status ${status}`);
    this.status = status;
  }
}

/**
 * The sockets of one client. Reads keep their sockets alive. Every event stream has its own socket,
 * so that streams block nothing. So has every write: a kept-alive socket that the service is about
 * to close would leave its outcome unknown (measured: a POST on a socket that is reset while idle
 * fails with ECONNRESET, and undici rightly does not retry it).
 */
export class Connections {
  readonly #agents: Readonly<Record<ConnectionUse, Dispatcher>>;
  readonly #proxy: HttpProxy | undefined;
  #isProxied = false;
  #closing: Promise<unknown> | undefined;

  /**
   * `connectMs`: time for opening a connection, TLS included, in milliseconds. Throws `LocalError`
   * `runtime_unsupported` where undici is not undici.
   */
  constructor(connectMs: number, proxy?: HttpProxy) {
    if (typeof Agent.prototype.compose !== "function") {
      const message =
        'This runtime replaces the package "undici", as Bun does, and its own has no connections that this ' +
        'package can check. Run the program with Node: "runtime: nodejs" in Pulumi.yaml.';
      throw new LocalError("runtime_unsupported", message);
    }
    this.#proxy = proxy;
    // HTTP/1.1 only: a broken socket that many writes share would put all of them in doubt. Always
    // checked: Node's default lets NODE_TLS_REJECT_UNAUTHORIZED switch the check off.
    const tls = { allowH2: false, timeout: connectMs, rejectUnauthorized: true };
    const agent = (pipelining: 0 | 1) => {
      const options = {
        allowH2: false,
        pipelining,
        factory: (origin: string | URL, given: Pool.Options) =>
          new Pool(origin, { ...given, connect: this.#connector(given.connect, tls) }),
      };
      return proxy === undefined
        ? new Agent(options)
        : new EnvHttpProxyAgent({
            ...options,
            // Empty strings, or undici would look into the environment itself.
            httpProxy: "",
            httpsProxy: proxy.address,
            noProxy: proxy.noProxy,
            requestTls: tls,
            proxyTls: tls,
            // A proxy that does not answer must not hold a connection for longer.
            clientFactory: (origin: URL, given: object) =>
              new Pool(origin, { ...given, headersTimeout: connectMs }),
          });
    };
    this.#agents = { read: agent(1), write: agent(0), stream: agent(0) };
  }

  /** The proxy that connections go through, by host; undefined if they go to the service itself. */
  get proxy(): Pick<HttpProxy, "host" | "variable"> | undefined {
    return this.#isProxied ? this.#proxy : undefined;
  }

  /**
   * The dispatcher for one request. Calls `onSent` right before the first byte goes to an open
   * socket: after a failure before that, the service has certainly seen nothing.
   */
  dispatcher(use: ConnectionUse, onSent: () => void): Dispatcher {
    return this.#agents[use].compose((dispatch) => (options, handler) => {
      const start = handler.onRequestStart;
      handler.onRequestStart = function (controller, context) {
        start?.call(this, controller, context);
        onSent();
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

  /** What opens the connections of a pool. For one behind a proxy, undici gives a `tunnel`. */
  #connector(tunnel: Pool.Options["connect"], tls: buildConnector.BuildOptions): buildConnector.connector {
    const isTunnel = typeof tunnel === "function";
    this.#isProxied ||= isTunnel;
    const connect = isTunnel ? tunnel : buildConnector(tls);
    return (options, callback) => {
      connect(options, (...[error, socket]) => {
        if (error === null) {
          removeContinue(socket);
          readAnswerFirst(socket);
          callback(null, socket);
          return;
        }
        // undici names the status only in the message.
        const status = /^Proxy response \((\d{3})\)/.exec(error.message)?.[1];
        callback(status === undefined ? error : new TunnelRefused(Number(status)), null);
      });
    };
  }
}
