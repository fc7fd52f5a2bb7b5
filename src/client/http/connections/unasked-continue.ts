import type { Socket } from "node:net";

/** Longest head of an interim answer that is looked at, in bytes: as long as Node's own limit. */
const headBytesMax = 16_384;

/** How an answer 100 begins. */
const continueLine = Buffer.from("HTTP/1.1 100");
const headEnd = Buffer.from("\r\n\r\n");

/**
 * Removes answers `100 Continue` from what a socket receives. A client must accept any that come,
 * asked for or not (RFC 9110, section 15.2), but undici closes the connection at one, which would
 * leave a write in doubt. It skips the other interim answers by itself.
 *
 * undici takes everything from the socket by `read`. It writes the head of a request as a string,
 * and bodies as bytes; an answer begins after a head.
 */
export function removeContinue(socket: Socket): void {
  const filter = new ContinueFilter();
  const read = socket.read.bind(socket);
  const write = socket.write.bind(socket) as (...given: unknown[]) => boolean;
  socket.write = (...given: unknown[]) => {
    if (typeof given[0] === "string") {
      filter.expectAnswer();
    }
    return write(...given);
  };
  socket.read = (size?: number) => {
    // Node itself calls `read(0)`, which only asks for more.
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

  expectAnswer(): void {
    this.#atStart = true;
  }

  /** What is left of a piece. Holds back an incomplete head that may be a 100's. */
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
