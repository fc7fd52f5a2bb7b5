import type { IncomingMessage } from "node:http";
import type { z } from "zod";
import { timerMsMax } from "../../text/duration.js";
import { ConnectionEnded, type Exchange, type ExchangeContext } from "./exchange.js";
import { keptBody } from "./request-log.js";
import { invalidInput, ServiceError } from "./service-error.js";
import { nothing, readShape } from "./shapes.js";

/** Most bytes read of an oversized body (256 MiB), so that the sender receives the response. */
const discardedBytesMax = 268_435_456;

/**
 * Longest time for a whole body, as a multiple of the time between two pieces. Without the limit, a
 * sender of one byte a second keeps a connection for years.
 */
const bodyTimeoutsMax = 10;

/** Largest JSON body accepted, in bytes (1 MiB). A guess: the service publishes no figure. */
const jsonBytesMax = 1_048_576;

/**
 * Ends the connection unless the body arrives within ten times `bodyTimeoutMs`. Returns a function
 * that lifts the limit. No limit if the body has arrived.
 */
export function limitBodyTime({ incoming, bodyTimeoutMs }: Exchange): () => void {
  const { socket } = incoming;
  const end = () => incoming.complete || socket.destroy();
  const timer = incoming.complete
    ? undefined
    : setTimeout(end, Math.min(bodyTimeoutsMax * bodyTimeoutMs, timerMsMax)).unref();
  return () => clearTimeout(timer);
}

/** Refuses a body that announces more bytes than are ever read. Throws `ServiceError` 413. */
export function refuseEndless({ headers }: IncomingMessage): void {
  if (Number(headers["content-length"]) > discardedBytesMax) {
    throw largerThan(discardedBytesMax);
  }
}

/**
 * Reads the whole body of a request into unshared memory. Throws `refusal` if the body is larger
 * than `bytesMax`, after reading and dropping the rest, and `ConnectionEnded` if the body stops or
 * takes too long.
 */
export async function readBody(
  exchange: Exchange,
  bytesMax: number,
  refusal: () => ServiceError,
): Promise<Buffer<ArrayBuffer>> {
  const { incoming, record, contents, bodyTimeoutMs } = exchange;
  const announced = Number(incoming.headers["content-length"] ?? 0);
  // One piece: a list of chunks needs twice the memory of a large body.
  let body = Buffer.allocUnsafeSlow(announced <= bytesMax ? announced : 0);
  let length = 0;
  // Without a listener for the timeout, Node ends the connection.
  incoming.setTimeout(bodyTimeoutMs);
  const liftLimit = limitBodyTime(exchange);
  try {
    // The end of the loop must not end the connection, which the response needs.
    for await (const chunk of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      const at = length;
      length += chunk.byteLength;
      record.bodyBytes += chunk.byteLength;
      if (length > body.byteLength) {
        body = enlarged(body, length > bytesMax ? 0 : Math.min(2 * length, bytesMax));
      }
      chunk.copy(body, at);
      if (length > discardedBytesMax) {
        break;
      }
    }
  } catch {
    throw new ConnectionEnded();
  } finally {
    liftLimit();
  }
  incoming.setTimeout(0);
  if (length > bytesMax) {
    throw refusal();
  }
  contents.body = keptBody(body.subarray(0, length));
  return body.subarray(0, length);
}

/** Returns a larger copy of a buffer, or an empty buffer. */
function enlarged(body: Buffer, bytes: number): Buffer<ArrayBuffer> {
  const copy = Buffer.allocUnsafeSlow(bytes);
  body.copy(copy);
  return copy;
}

/**
 * Reads a JSON body of a shape. No body counts as `{}`: a guess. The shape is built with `exactly`,
 * so that unknown members are refused instead of ignored. Throws `ServiceError` 400, naming the
 * invalid member.
 */
export async function readJson<Shape>(
  { env }: ExchangeContext,
  shape: z.ZodType<Shape>,
  bytesMax = jsonBytesMax,
): Promise<Shape> {
  const body = await readBody(env.exchange, bytesMax, () => largerThan(bytesMax));
  let json: unknown = {};
  try {
    if (body.byteLength > 0) {
      json = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
    }
  } catch {
    throw invalidInput("The request body is not JSON in UTF-8.");
  }
  const sentence = (problem: string) => `The request body is invalid: ${problem}.`;
  return readShape(shape, json, (first, all) => invalidInput(sentence(first), all.map(sentence)));
}

function largerThan(bytesMax: number): ServiceError {
  return tooLarge(`The request body is larger than ${bytesMax / 1_048_576} MiB (${bytesMax} bytes).`);
}

/** Refusal 413 of an oversized body or archive. Status and code are guesses. */
export function tooLarge(message: string): ServiceError {
  return new ServiceError(413, "payload_too_large", message);
}

/**
 * Refuses input that a route would ignore: unread query parameters, and an unread body, unless
 * empty or `{}`. Throws `ServiceError` 400, naming the first parameter or member.
 */
export async function refuseUnread(exchange: Exchange): Promise<void> {
  const { incoming, parameters } = exchange;
  const given = new URLSearchParams(incoming.url?.split("?").slice(1).join("?"));
  const unread = [...given.keys()].find((name) => !parameters.has(name));
  if (unread !== undefined) {
    throw invalidInput(`The query has an unknown parameter ${JSON.stringify(unread)}.`);
  }
  if (!incoming.readableDidRead) {
    await readJson({ env: { exchange } }, nothing);
  }
}
