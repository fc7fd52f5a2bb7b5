import type { Socket } from "node:net";

/** Longest wait for a response after a failed write, in milliseconds: it has come or never will. */
const responseMsMax = 1_000;

/** Codes of a failed write on a connection that the peer has closed. */
const closedCodes: ReadonlySet<unknown> = new Set(["EPIPE", "ECONNRESET"]);

type WriteCallback = (error?: Error | null) => void;

/**
 * Makes a response readable that came before the whole request was sent. nginx refuses a body over
 * `client_max_body_size` with 413 before reading the body, and closes the connection. The next write
 * then fails, and Node would drop the response.
 */
export function readResponseFirst(socket: Socket): void {
  const write = socket._write.bind(socket);
  socket._write = (chunk, encoding, done) => {
    write(chunk, encoding, afterResponse(socket, done));
  };
  const writev = socket._writev?.bind(socket);
  if (writev !== undefined) {
    socket._writev = (chunks, done) => {
      writev(chunks, afterResponse(socket, done));
    };
  }
}

function afterResponse(socket: Socket, done: WriteCallback): WriteCallback {
  return (error) => {
    if (!closedCodes.has((error as NodeJS.ErrnoException | null | undefined)?.code)) {
      done(error);
      return;
    }
    let late: NodeJS.Immediate | undefined;
    const finish = () => {
      clearTimeout(timer);
      clearImmediate(late);
      socket.off("close", finish);
      done(error);
    };
    // A busy process runs overdue timers before it reads, so that the response may be there unread.
    const timer = setTimeout(() => {
      late = setImmediate(finish);
    }, responseMsMax);
    // Reading goes on, and ends with the end of the connection.
    socket.once("close", finish);
  };
}
