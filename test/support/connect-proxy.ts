import { createServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";

/** Request received by a proxy. */
interface ProxiedRequest {
  readonly method: string;
  /** `host:port` of a tunnel; otherwise the absolute URL. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
}

/** A real HTTP proxy on loopback. */
export interface ConnectProxy {
  /** `127.0.0.1:<port>`. */
  readonly host: string;
  readonly requests: readonly ProxiedRequest[];
  readonly connections: () => number;
  readonly close: () => Promise<void>;
}

/**
 * Starts a proxy that opens tunnels (CONNECT). `route` returns the port of this machine for a
 * target, or a status with which the proxy refuses, or undefined for no response.
 */
export async function startConnectProxy(
  route: (target: string) => { readonly port: number } | { readonly status: number } | undefined,
): Promise<ConnectProxy> {
  const requests: ProxiedRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  };
  const note = ({ method = "", url = "", headers }: IncomingMessage) => {
    requests.push({ method, target: url, headers });
  };
  const server = createServer((request, response) => {
    note(request);
    response.writeHead(501).end();
  });
  server.on("connection", (socket) => {
    connections++;
    keep(socket);
  });
  server.on("connect", (request, client: Socket, head) => {
    note(request);
    const way = route(request.url ?? "");
    if (way === undefined) {
      return;
    }
    if ("status" in way) {
      client.end(`HTTP/1.1 ${way.status} Refused\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const upstream = connect(way.port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      upstream.write(head);
      upstream.pipe(client).pipe(upstream);
    });
    keep(upstream);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    connections: () => connections,
    close: async () => {
      for (const socket of sockets) {
        socket.destroy();
      }
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
