import { createServer as createHttp2Server, type Http2Server } from "node:http2";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { status } from "@grpc/grpc-js";
import { canTellUsers, peerUser } from "./peer-user.js";

const address = "127.0.0.1";

/** Port of the plugin, and the knowledge about the callers. */
export interface Listening {
  readonly port: number;
  /** Whether every accepted connection comes from the user of this process. */
  readonly isOwnUserOnly: boolean;
}

/**
 * Listens on a free port of this machine, and hands accepted connections to `accept`. Every user of
 * the machine can reach the port, so on Linux a connection is accepted only from a process of the
 * user of this process. Any other connection reads PERMISSION_DENIED in response to every call, and
 * no byte of the connection reaches `accept`.
 *
 * Root has other means to read this process, and no reason to call: root is another user as well.
 */
export async function listenForOwnUser(accept: (socket: Socket) => void): Promise<Listening> {
  let isOwnUserOnly = true;
  const server = createServer({ pauseOnConnect: true }, async (socket) => {
    // A caller may end the connection at any time.
    socket.on("error", () => undefined);
    const refusal = isOwnUserOnly ? await refusalOf(socket) : undefined;
    if (refusal === undefined) {
      accept(socket);
    } else {
      refusing(refusal).emit("connection", socket);
    }
    // The server has taken over the socket, so no byte is lost.
    socket.resume();
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, address, resolve);
  });
  const { port } = server.address() as AddressInfo;
  isOwnUserOnly = await canTellUsers(address, port);
  return { port, isOwnUserOnly };
}

/** Reason to refuse a connection; undefined for a connection of the user of this process. */
async function refusalOf(socket: Socket): Promise<string | undefined> {
  const own = process.geteuid?.();
  const user = await peerUser(socket).catch(() => undefined);
  if (user !== undefined && user === own) {
    return undefined;
  }
  const caller =
    user === undefined
      ? "The user of this call is unknown: /proc/net/tcp does not list the connection."
      : `This call comes from the user ${user}.`;
  return (
    `The provider plugin answers only the user ${own}, who started the plugin. ${caller} ` +
    "Run Pulumi and the plugin as the same user, in the same container."
  );
}

/** Server that refuses every call, of any service. */
function refusing(message: string): Http2Server {
  const server = createHttp2Server();
  server.on("stream", (stream) => {
    stream.on("error", () => undefined);
    stream.respond(
      {
        ":status": 200,
        "content-type": "application/grpc",
        "grpc-status": String(status.PERMISSION_DENIED),
        "grpc-message": message,
      },
      { endStream: true },
    );
  });
  server.on("sessionError", () => undefined);
  return server;
}
