import type { Dispatcher } from "undici";
import type { HttpCall, HttpResponse, HttpResponseHead } from "../call.js";
import { unexpectedResponseError } from "../failures.js";
import { jsonBytesMax } from "../json.js";
import { decoded, isSupported, UndecodableBody } from "./content-encoding.js";

/** Largest error body to read, in bytes, decoded. A larger body explains nothing: the rest is dropped. */
const errorBodyBytesMax = 1_048_576;

type Body = Dispatcher.ResponseData["body"];

/**
 * Reads a body. Before an archive, calls `expectBytes` with the maximum length, to extend the deadline.
 * Throws `ContractError` if unusable.
 */
export async function readBody(
  call: HttpCall,
  { header, context }: HttpResponseHead,
  body: Body,
  expectBytes: (length: number) => void,
): Promise<Uint8Array> {
  const { bodyBytesMax = jsonBytesMax } = call;
  const refuse = (what: string) => unexpectedResponseError(call, context, what);
  const encoding = contentEncoding(header);
  if (!isSupported(encoding)) {
    throw refuse("the body has an unsupported compression");
  }
  const tooLarge = `the body is larger than ${bodyBytesMax} bytes`;
  // Without a declared length, any length up to the limit may come.
  const declared = Number(header("content-length") ?? bodyBytesMax);
  if (declared > bodyBytesMax) {
    throw refuse(tooLarge);
  }
  if (call.carriesArchive) {
    expectBytes(declared);
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    // A throw drops the body and the socket, so an endless body costs only the limit.
    for await (const chunk of decodedWithin(body, bodyBytesMax, encoding)) {
      length += chunk.byteLength;
      chunks.push(chunk);
      call.onBodyBytes?.(length);
    }
  } catch (error) {
    throw error instanceof BodyTooLarge
      ? refuse(tooLarge)
      : error instanceof UndecodableBody
        ? refuse(`the body is not valid ${encoding}`)
        : error;
  }
  return Buffer.concat(chunks, length);
}

/** Reads an error body as far as possible. A body that breaks off only explains less. */
export async function readErrorBody({ header }: HttpResponseHead, body: Body): Promise<Uint8Array> {
  const encoding = contentEncoding(header);
  if (!isSupported(encoding)) {
    discard(body);
    return new Uint8Array();
  }
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of decodedWithin(body, errorBodyBytesMax, encoding)) {
      chunks.push(chunk);
    }
  } catch {
    // The bytes read so far are the explanation.
  } finally {
    discard(body);
  }
  return Buffer.concat(chunks);
}

/** Drops the rest of a body, and the socket with the body. */
export function discard(body: Body | undefined): void {
  body?.on("error", () => {});
  body?.destroy();
}

/** Compression of a body, in lower case; empty when not compressed. */
export function contentEncoding(header: HttpResponse["header"]): string {
  const encoding = header("content-encoding")?.trim().toLowerCase() ?? "";
  return encoding === "identity" ? "" : encoding;
}

class BodyTooLarge extends Error {}

/** Decompresses a body. Throws `BodyTooLarge` for more than `bytesMax`, as sent or decompressed. */
function decodedWithin(body: Body, bytesMax: number, encoding: string): AsyncIterable<Uint8Array> {
  return limitBytes(decoded(limitBytes(body, bytesMax), encoding), bytesMax);
}

/** Yields the chunks of a body. Throws `BodyTooLarge` for a body of more than `bytesMax`. */
async function* limitBytes(
  body: AsyncIterable<Uint8Array>,
  bytesMax: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let length = 0;
  for await (const chunk of body) {
    length += chunk.byteLength;
    if (length > bytesMax) {
      throw new BodyTooLarge();
    }
    yield chunk;
  }
}
