import type { Socket } from "node:net";

const continueLine = Buffer.from("HTTP/1.1 100");
const headEnd = Buffer.from("\r\n\r\n");

/**
 * Removes `100 Continue` responses, which a client must accept (RFC 9110, section 15.2), and at
 * which undici closes the connection. A 100 that arrives in pieces is not removed.
 *
 * undici takes everything from the socket by `read`, and writes the head of a request as a string
 * and bodies as bytes; a response begins after a head.
 */
export function removeContinue(socket: Socket): void {
  let isAtStart = false;
  const read = socket.read.bind(socket);
  const write = socket.write.bind(socket) as (...given: unknown[]) => boolean;
  socket.write = (...given: unknown[]) => {
    isAtStart ||= typeof given[0] === "string";
    return write(...given);
  };
  socket.read = (size?: number) => {
    let piece: Buffer | null = read(size);
    // Node itself calls `read(0)`, which only requests more bytes.
    while (isAtStart && size !== 0 && piece !== null) {
      const end = piece.subarray(0, continueLine.byteLength).equals(continueLine)
        ? piece.indexOf(headEnd)
        : -1;
      if (end < 0) {
        isAtStart = false;
        break;
      }
      const rest: Buffer = piece.subarray(end + headEnd.byteLength);
      piece = rest.byteLength > 0 ? rest : read(size);
    }
    return piece;
  };
}
