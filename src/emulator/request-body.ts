import type { IncomingMessage } from "node:http";
import { ConnectionEnded } from "./exchange.js";
import { ServiceError } from "./service-error.js";

/** How far a body that is too large is read on, in bytes (256 MiB), so that its sender gets to see the answer. */
const discardedBytesMax = 268_435_456;

/**
 * Reads a request's body whole. Throws `ServiceError` 413 when it is larger than `bytesMax`; then its rest is read and dropped first.
 * The status is what HTTP means for this; whether the service answers so, and with which code, is not published.
 */
export async function readBody(
  incoming: IncomingMessage,
  bytesMax: number,
  onBytes: (count: number) => void,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      length += chunk.byteLength;
      onBytes(chunk.byteLength);
      if (length <= bytesMax) chunks.push(chunk);
      else chunks.length = 0;
      if (length > discardedBytesMax) break;
    }
  } catch {
    throw new ConnectionEnded();
  }
  if (length > bytesMax) throw tooLarge();
  return Buffer.concat(chunks, length);
}

/** Refuses a body, or an archive in it, that is too large. */
export function tooLarge(): ServiceError {
  return new ServiceError(
    413,
    "payload_too_large",
    "The extension archive is larger than 50 MiB (52428800 bytes).",
  );
}
