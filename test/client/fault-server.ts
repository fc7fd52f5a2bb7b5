import { type AddressInfo, createServer, type Socket } from "node:net";

/** Request as read by the server, byte for byte. */
export interface SeenRequest {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Number of the connection, from 0. */
  readonly connection: number;
}

/** Reaction of the server to a complete request. */
export type Script = (socket: Socket, request: SeenRequest) => void;

/** Server with faults: follows the scripts exactly. */
export interface FaultServer {
  readonly url: string;
  readonly port: number;
  /** Every complete request, in order. */
  readonly requests: readonly SeenRequest[];
  readonly connections: () => number;
  /** Bytes received on all connections. */
  readonly bytes: () => number;
  readonly close: () => Promise<void>;
}

/** Behaviour outside of complete requests. */
export interface FaultServerOptions {
  /** Called for each new connection before any read. True: the server ignores the connection. */
  readonly onConnection?: (socket: Socket, number: number) => boolean;
  /** Called once per connection, after the head of the first request. */
  readonly onHead?: (socket: Socket) => void;
}

/** Starts a server on loopback. Request number n gets script number n, later ones the last. */
export async function startFaultServer(
  scripts: readonly Script[],
  options: FaultServerOptions = {},
): Promise<FaultServer> {
  const requests: SeenRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  let bytes = 0;
  const server = createServer((socket) => {
    const connection = connections++;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    if (options.onConnection?.(socket, connection)) {
      return;
    }
    let pending = Buffer.alloc(0);
    let headSeen = false;
    socket.on("data", (chunk) => {
      bytes += chunk.byteLength;
      pending = Buffer.concat([pending, chunk]);
      for (;;) {
        const end = pending.indexOf("\r\n\r\n");
        if (end < 0) {
          return;
        }
        if (!headSeen) {
          options.onHead?.(socket);
        }
        headSeen = true;
        const [line = "", ...lines] = pending.subarray(0, end).toString("latin1").split("\r\n");
        const headers = Object.fromEntries(
          lines.map((text) => [
            text.slice(0, text.indexOf(":")).toLowerCase(),
            text.slice(text.indexOf(":") + 1).trim(),
          ]),
        );
        const length = Number(headers["content-length"] ?? 0);
        if (pending.byteLength < end + 4 + length) {
          return;
        }
        const [method = "", target = ""] = line.split(" ");
        const body = Buffer.from(pending.subarray(end + 4, end + 4 + length));
        pending = pending.subarray(end + 4 + length);
        const request = { method, target, headers, body, connection };
        requests.push(request);
        scripts[Math.min(requests.length, scripts.length) - 1]?.(socket, request);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    connections: () => connections,
    bytes: () => bytes,
    close: async () => {
      for (const socket of sockets) {
        socket.destroy();
      }
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Writes exactly the given text. */
export function raw(text: string | Buffer): Script {
  return (socket) => socket.write(text);
}

/** A complete answer with a declared length. */
export function answer(
  status: number,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): Script {
  const bytes = Buffer.from(body);
  const all = { "content-type": "application/json", "content-length": String(bytes.byteLength), ...headers };
  const lines = Object.entries(all)
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `${name}: ${value}\r\n`);
  return raw(Buffer.concat([Buffer.from(`HTTP/1.1 ${status} Status\r\n${lines.join("")}\r\n`), bytes]));
}

/** A complete JSON answer. */
export function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Script {
  return answer(status, JSON.stringify(value), headers);
}

/** Confirms a deletion. */
export const noContent: Script = raw("HTTP/1.1 204 No Content\r\n\r\n");

/** Answers success, and stops within the body. */
export const stalled: Script = raw(
  "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{",
);

/** Resets the connection after the request was read. */
export const reset: Script = (socket) => {
  socket.resetAndDestroy();
};

/** Reads the request and never answers. */
export const hang: Script = () => {};

/** Answers, then closes the connection properly without an announcement. */
export function thenClose(script: Script): Script {
  return (socket, request) => {
    script(socket, request);
    socket.end();
  };
}

/** Sends zeros until the client closes the connection. */
export function endless(head: string): Script {
  return (socket) => {
    socket.write(head);
    const block = Buffer.alloc(65_536);
    const pump = () => {
      while (!socket.destroyed && socket.write(block)) {}
    };
    socket.on("drain", pump);
    pump();
  };
}

/** Port of this machine without a listener. */
export async function closedPort(): Promise<number> {
  const probe = await startFaultServer([]);
  await probe.close();
  return probe.port;
}
