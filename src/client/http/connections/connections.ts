import { Agent, buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from "undici";
import { LocalError } from "../../../errors.js";
import { readResponseFirst } from "./early-response.js";
import type { HttpProxy } from "./proxy.js";

type ConnectionUse = "read" | "write" | "stream";

/** Refusal of a proxy to open a tunnel to the service. Nothing was sent to the service. */
export class TunnelRefused extends Error {
  override readonly name = "TunnelRefused";
  readonly status: number;

  constructor(status: number) {
    super(`status ${status}`);
    this.status = status;
  }
}

/**
 * Sockets of a client. Reads keep sockets alive. Every event stream and every write has a separate
 * socket: a POST on a kept-alive socket that the service closes fails with ECONNRESET, in doubt.
 */
export class Connections {
  readonly #agents: Readonly<Record<ConnectionUse, Dispatcher>>;
  readonly #proxy: HttpProxy | undefined;
  #isProxied = false;
  #closing: Promise<unknown> | undefined;

  /** `connectMs`: limit for opening a connection. Throws `LocalError` `runtime_unsupported`. */
  constructor(connectMs: number, proxy?: HttpProxy) {
    if (typeof Agent.prototype.compose !== "function") {
      const message =
        'This runtime replaces the package "undici", as Bun does, and this package cannot check ' +
        'the connections of the replacement. Run the program with Node: "runtime: nodejs" in Pulumi.yaml.';
      throw new LocalError("runtime_unsupported", message);
    }
    this.#proxy = proxy;
    // HTTP/1.1 only: a broken socket shared by many writes puts all in doubt. Certificates are
    // always checked: Node's default lets NODE_TLS_REJECT_UNAUTHORIZED switch the check off.
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
            // Empty strings, or undici would read the environment itself.
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

  /** Host and variable of the proxy in use; undefined while no connection goes through a proxy. */
  get proxy(): Pick<HttpProxy, "host" | "variable"> | undefined {
    return this.#isProxied ? this.#proxy : undefined;
  }

  /** Dispatcher of a request. Calls `onSent` right before the first byte goes to an open socket. */
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

  /** Creates the connector of a pool. For a pool behind a proxy, undici passes a `tunnel`. */
  #connector(tunnel: Pool.Options["connect"], tls: buildConnector.BuildOptions): buildConnector.connector {
    const isTunnel = typeof tunnel === "function";
    this.#isProxied ||= isTunnel;
    const connect = isTunnel ? tunnel : buildConnector(tls);
    return (options, callback) => {
      connect(options, (...[error, socket]) => {
        if (error === null) {
          readResponseFirst(socket);
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
