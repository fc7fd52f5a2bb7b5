import { type Dispatcher, request } from "undici";
import { ContractError, type RequestContext } from "../../errors.js";
import { type Connections, connectMsDefault } from "./connections.js";
import { type Deadline, startDeadline, untilAborted } from "./deadline.js";
import { Fault, faultFrom } from "./failures.js";
import { discardBody, readBody, readErrorBody } from "./reply-body.js";
import { unexpectedAnswer } from "./unexpected-answer.js";

/** Time limits of one request, in milliseconds. Waits between the repeats of a read are not part of it. */
export interface Deadlines {
  /** Opening a connection, TLS included. Default 10 000. */
  readonly connectMs: number;
  /** From the request to the headers of the answer. Default 30 000. Does not apply while an archive is being uploaded. */
  readonly headersMs: number;
  /** Between two pieces of the answer's body. Default 30 000. */
  readonly bodyIdleMs: number;
  /** The whole request. Default 60 000; grows with an archive, up or down, by its size at `archiveBytesPerSecondMin`. */
  readonly requestMs: number;
  /** Slowest line an archive is still carried over, in bytes per second. Default 32 000 (256 kbit/s). */
  readonly archiveBytesPerSecondMin: number;
}

/** The defaults of `Deadlines`. */
export const defaultDeadlines: Deadlines = {
  connectMs: connectMsDefault,
  headersMs: 30_000,
  bodyIdleMs: 30_000,
  requestMs: 60_000,
  archiveBytesPerSecondMin: 32_000,
};

/** What every operation accepts. */
export interface CallOptions {
  /** Ends the operation early. A read then throws `CanceledError`, a write that may have been sent `OutcomeUnknownError`. */
  readonly signal?: AbortSignal | undefined;
}

/** A body to send: its exact length, and its pieces each time it is asked for them. */
export interface RequestBody {
  readonly contentType: string;
  readonly byteLength: number;
  /** The body is an archive: sending it may take longer than `headersMs`. */
  readonly carriesArchive?: boolean;
  readonly chunks: () => AsyncIterable<Uint8Array>;
}

/** One request, fully described. */
export interface Call {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Percent-encoded path below the base URL, with a leading slash, without the query. */
  readonly path: string;
  readonly query?: URLSearchParams;
  /** What the call does, as the beginning of a sentence: `Reading the extension "ad-blocker"`. */
  readonly doing: string;
  /** For a write: how to find out what became of it, as a sentence. */
  readonly ifUnknown?: string;
  /** What to do when the service answers 404 `not_found`, as a sentence, where there is something more exact to say than "check the id". */
  readonly ifNotFound?: string;
  readonly accept: string;
  readonly body?: RequestBody;
  /** Largest body taken from a success answer, in bytes; 0 when its body is of no interest. */
  readonly bodyBytesMax: number;
  /** The body of the answer is an archive: its length extends the deadline. */
  readonly carriesArchive?: boolean;
  /** Called after each piece of a success answer's body with the bytes that have come so far; from the beginning again when the call is repeated. */
  readonly onBodyBytes?: ((length: number) => void) | undefined;
  /** The answer is an event stream: it has a socket of its own and may be silent for any time. */
  readonly opensStream?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** A complete answer. */
export interface Reply {
  readonly status: number;
  /** A header by its lower-case name; several values are joined with a comma. */
  readonly header: (name: string) => string | undefined;
  /** The body; of an error answer at most `errorBodyBytesMax`, of a call with `bodyBytesMax` 0 nothing. */
  readonly bytes: Uint8Array;
  readonly context: RequestContext;
}

/** What an exchange needs besides the call. */
export interface ExchangeSettings {
  readonly connections: Connections;
  readonly deadlines: Deadlines;
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly cleanRequestId: (id: string) => string;
}

/**
 * Sends one call once and reads its answer whole. Follows no redirect and decodes no compression.
 * Throws `Fault` when no whole answer came, and `ContractError` when a success answer is encoded or too large to be taken.
 */
export async function exchange(settings: ExchangeSettings, call: Call): Promise<Reply> {
  const { deadlines } = settings;
  let sent = false;
  const allowedMs = deadlines.requestMs + transferMs(call.body?.byteLength ?? 0, deadlines);
  const deadline = startDeadline(allowedMs, call.signal);
  try {
    call.signal?.throwIfAborted();
    const onSent = () => {
      sent = true;
    };
    const response = await untilAborted(deadline.signal, send(settings, call, deadline.signal, onSent));
    return await readReply(settings, call, response, deadline.extend);
  } catch (error) {
    if (error instanceof ContractError) {
      throw error;
    }
    throw exchangeFault(error, sent, call.signal, deadline);
  } finally {
    deadline.stop();
  }
}

/** The `Fault` for whatever ended an exchange: the caller and the deadline are asked first, since they end it in many ways. */
export function exchangeFault(
  error: unknown,
  sent: boolean,
  caller: AbortSignal | undefined,
  deadline: Deadline,
): Fault {
  if (caller?.aborted) {
    return new Fault("canceled", sent, "the caller canceled it", caller.reason);
  }
  if (deadline.passed()) {
    return new Fault("timeout", sent, `it took longer than ${deadline.seconds()} s`, undefined);
  }
  return faultFrom(error, sent);
}

/** Sends a call and waits for the head of its answer. */
export function send(
  settings: ExchangeSettings,
  call: Call,
  signal: AbortSignal,
  onSent: () => void,
): Promise<Dispatcher.ResponseData> {
  const { body } = call;
  const use = call.opensStream ? "stream" : call.method === "GET" ? "read" : "write";
  const query = call.query === undefined ? "" : `?${call.query.toString().replaceAll("+", "%20")}`;
  return request(`${settings.baseUrl}${call.path}${query}`, {
    method: call.method,
    headers: {
      ...settings.headers,
      accept: call.accept,
      "accept-encoding": "identity",
      ...(body && { "content-type": body.contentType, "content-length": String(body.byteLength) }),
    },
    // undici sends any async iterable; its type names only the stream classes.
    body: (body?.chunks() ?? null) as (Dispatcher.RequestOptions["body"] & AsyncIterable<Uint8Array>) | null,
    // undici counts from the first byte of the request, so for an archive only the whole deadline applies.
    headersTimeout: body?.carriesArchive ? 0 : settings.deadlines.headersMs,
    bodyTimeout: call.opensStream ? 0 : settings.deadlines.bodyIdleMs,
    signal,
    dispatcher: settings.connections.dispatcher(use, onSent),
  });
}

async function readReply(
  settings: ExchangeSettings,
  call: Call,
  response: Dispatcher.ResponseData,
  extendDeadline: (milliseconds: number) => void,
): Promise<Reply> {
  const { bodyBytesMax } = call;
  const { body } = response;
  const { status, header, context } = readHead(settings, call, response);
  if (status >= 300) {
    return { status, header, context, bytes: await readErrorBody(body) };
  }
  if (bodyBytesMax === 0) {
    discardBody(body);
    return { status, header, context, bytes: new Uint8Array() };
  }
  if (isEncoded(header)) {
    discardBody(body);
    throw unexpectedAnswer(call, context, "the body is compressed, although none was asked for");
  }
  const declared = Number(header("content-length") ?? Number.POSITIVE_INFINITY);
  if (header("content-length") !== undefined && declared > bodyBytesMax) {
    discardBody(body);
    throw unexpectedAnswer(call, context, `the body is larger than ${bodyBytesMax} bytes`);
  }
  if (call.carriesArchive) {
    extendDeadline(transferMs(Math.min(declared, bodyBytesMax), settings.deadlines));
  }
  const bytes = await readBody(body, bodyBytesMax, call.onBodyBytes);
  if (bytes === undefined) {
    throw unexpectedAnswer(call, context, `the body is larger than ${bodyBytesMax} bytes`);
  }
  return { status, header, context, bytes };
}

/** What comes before the body of an answer. */
export function readHead(
  settings: ExchangeSettings,
  call: Call,
  response: Dispatcher.ResponseData,
): Omit<Reply, "bytes"> {
  const header = headerReader(response.headers);
  const requestId = header("x-request-id");
  const context: RequestContext = {
    method: call.method,
    path: call.path,
    ...(requestId !== undefined && { requestId: settings.cleanRequestId(requestId) }),
  };
  return { status: response.statusCode, header, context };
}

/** Whether a body is compressed, although none is ever asked for. */
export function isEncoded(header: Reply["header"]): boolean {
  const encoding = header("content-encoding")?.trim().toLowerCase() ?? "";
  return encoding !== "" && encoding !== "identity";
}

function headerReader(headers: Dispatcher.ResponseData["headers"]): Reply["header"] {
  return (name) => {
    const value = headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  };
}

function transferMs(bytes: number, deadlines: Deadlines): number {
  return Math.ceil((bytes / deadlines.archiveBytesPerSecondMin) * 1000);
}
