import type { Socket } from "node:net";

/** Longest head of an interim response to inspect, in bytes: as long as Node's own limit. */
const headBytesMax = 16_384;

/** Beginning of a response 100. */
const continueLine = Buffer.from("HTTP/1.1 100");
const headEnd = Buffer.from("\r\n\r\n");

/**
 * Removes `100 Continue` responses from the bytes that a socket receives. A client must accept such
 * responses, requested or not (RFC 9110, section 15.2), but undici closes the connection at a 100,
 * which would leave a write in doubt. undici itself skips the remaining interim responses.
 *
 * undici takes everything from the socket by `read`, and writes the head of a request as a string
 * and bodies as bytes; a response begins after a head.
 */
export function removeContinue(socket: Socket): void {
  const filter = new ContinueFilter();
  const read = socket.read.bind(socket);
  const write = socket.write.bind(socket) as (...given: unknown[]) => boolean;
  socket.write = (...given: unknown[]) => {
    if (typeof given[0] === "string") {
      filter.expectResponse();
    }
    return write(...given);
  };
  socket.read = (size?: number) => {
    // Node itself calls `read(0)`, which only requests more bytes.
    if (size === 0) {
      return read(0);
    }
    for (;;) {
      const piece: Uint8Array | null = read(size);
      const rest = piece === null ? null : filter.push(piece);
      if (rest === null || rest.byteLength > 0) {
        return rest;
      }
    }
  };
}

class ContinueFilter {
  #atStart = false;
  #held: Uint8Array = new Uint8Array();

  expectResponse(): void {
    this.#atStart = true;
  }

  /** Returns the rest of a piece. Holds back an incomplete head that may belong to a 100. */
  push(piece: Uint8Array): Buffer {
    let bytes = Buffer.concat([this.#held, piece]);
    this.#held = new Uint8Array();
    while (this.#atStart) {
      const length = Math.min(bytes.byteLength, continueLine.byteLength);
      const isContinue = bytes.subarray(0, length).equals(continueLine.subarray(0, length));
      if (!isContinue || bytes.byteLength > headBytesMax) {
        this.#atStart = false;
        break;
      }
      const end = bytes.indexOf(headEnd);
      if (end < 0) {
        this.#held = bytes;
        return Buffer.alloc(0);
      }
      bytes = bytes.subarray(end + headEnd.byteLength);
    }
    return bytes;
  }
}
