import { pipeline, Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";

/** Error for a compressed body that breaks off or does not match the header. */
export class UndecodableBody extends Error {}

/** Decoders, given the first byte: some servers send `deflate` without the head of zlib. */
const decoders: Readonly<Record<string, (firstByte: number) => Transform>> = {
  gzip: () => createGunzip(),
  "x-gzip": () => createGunzip(),
  deflate: (firstByte) => ((firstByte & 0x0f) === 8 ? createInflate() : createInflateRaw()),
  br: () => createBrotliDecompress(),
};

/** Whether a body with the content encoding can be read; empty: not compressed. */
export function isSupported(encoding: string): boolean {
  return encoding === "" || Object.hasOwn(decoders, encoding);
}

/**
 * Decompresses a body, on request only. The client asks for no compression, but a request without
 * `accept-encoding` accepts any (RFC 9110, section 12.5.3), and S3 sends an object as it was stored,
 * with its `content-encoding`. Throws `UndecodableBody`, and the errors of the body.
 */
export async function* decoded(
  body: AsyncGenerator<Uint8Array, void, undefined>,
  encoding: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  const decoder = decoders[encoding];
  if (decoder === undefined) {
    yield* body;
    return;
  }
  const first = await body.next();
  if (first.done === true) {
    // An empty body is empty under any label.
    return;
  }
  let bodyError: unknown;
  const whole = async function* () {
    yield first.value;
    try {
      yield* body;
    } catch (error) {
      bodyError = error;
      throw error;
    }
  };
  const decoding = decoder(first.value[0] ?? 0);
  // Errors reach the reader of the last stream.
  pipeline(Readable.from(whole(), { objectMode: false }), decoding, () => {});
  try {
    yield* decoding as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw error === bodyError ? error : new UndecodableBody();
  }
}
