import type { Dispatcher } from "undici";

type Body = Dispatcher.ResponseData["body"];

/** Largest error body that is read, in bytes. What does not fit is left unread. */
export const errorBodyBytesMax = 65_536;

/**
 * Reads a success body whole; undefined, and the rest dropped, when it has more than `bytesMax` bytes. `onBytes` is called with the bytes
 * that have come so far, after each piece.
 */
export async function readBody(
  body: Body,
  bytesMax: number,
  onBytes?: (length: number) => void,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop destroys the body and its socket, so an endless body costs no more than its limit.
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    length += chunk.byteLength;
    if (length > bytesMax) {
      return undefined;
    }
    chunks.push(chunk);
    onBytes?.(length);
  }
  return Buffer.concat(chunks, length);
}

/** Reads an error body as far as it comes: the status has decided already, a body that breaks off only explains less. */
export async function readErrorBody(body: Body): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      chunks.push(chunk.subarray(0, errorBodyBytesMax - length));
      length += chunk.byteLength;
      if (length >= errorBodyBytesMax) {
        break;
      }
    }
  } catch {
    // What was read until here is the explanation.
  }
  return Buffer.concat(chunks);
}

/** Drops a body unread, and its socket with it. */
export function discardBody(body: Body): void {
  body.on("error", () => {});
  body.destroy();
}
