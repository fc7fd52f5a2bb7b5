import { pipeline, Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";

/** A compressed body breaks off or is not what its header says. */
export class UndecodableBody extends Error {}

/**
 * What decodes each content encoding, given the first byte. `deflate` means the format of zlib, but
 * some servers send the bare one, whose first byte differs. Source: RFC 9110, section 8.4.1.
 */
const decoders: Readonly<Record<string, (firstByte: number) => Transform>> = {
  gzip: () => createGunzip(),
  "x-gzip": () => createGunzip(),
  deflate: (firstByte) => ((firstByte & 0x0f) === 8 ? createInflate() : createInflateRaw()),
  br: () => createBrotliDecompress(),
};

/** Whether a body with this content encoding can be read; empty: not compressed. */
export function isSupported(encoding: string): boolean {
  return encoding === "" || Object.hasOwn(decoders, encoding);
}

/**
 * The pieces of a body without its compression, which `isSupported`. Decodes only what is asked
 * for: whoever stops reading stops the body too. Throws what the body throws, and
 * `UndecodableBody`.
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
    // An empty body is empty however it is labelled.
    return;
  }
  const origin = new ErrorOrigin();
  const source = Readable.from(origin.watch(rejoined(first.value, body)), { objectMode: false });
  const decoding = decoder(first.value[0] ?? 0);
  // Errors reach the reader of the last stream.
  pipeline(source, decoding, () => {});
  try {
    yield* decoding as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw origin.isOf(error) ? error : new UndecodableBody();
  }
}

/** Remembers the error of a body, to tell it from those of its decoder. */
class ErrorOrigin {
  #error: unknown;

  async *watch(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      yield* body;
    } catch (error) {
      this.#error = error;
      throw error;
    }
  }

  isOf(error: unknown): boolean {
    return error === this.#error;
  }
}

async function* rejoined(
  first: Uint8Array,
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield first;
  yield* rest;
}
