import { type Dispatcher, request } from "undici";
import { ContractError, type RequestContext } from "../../errors.js";
import type { CleanText } from "../../text/redact.js";
import { type Origins, refused } from "./api-error.js";
import type { Call, Outcome, Reply, ReplyHead } from "./call.js";
import type { Connections } from "./connections.js";
import { type Deadline, type Deadlines, startDeadline, transferMs, untilAborted } from "./deadline.js";
import { failureFrom, interrupted, unexpectedAnswer } from "./failures.js";
import { jsonBytesMax } from "./json.js";
import type { RetryOptions } from "./retry.js";

/** Longest request id kept from an answer, in characters. */
const requestIdCharactersMax = 128;

/** Largest error body that is read, in bytes. The rest is left unread. */
const errorBodyBytesMax = 65_536;

/** What sending takes besides the call. `headers` go with every request, and hold the API key. */
export interface ExchangeSettings {
  readonly connections: Connections;
  readonly deadlines: Deadlines;
  readonly retry: RetryOptions;
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The project to act in. Undefined: the key's own, or the organization's default. */
  readonly projectId: string | undefined;
  /** Makes text of the service fit for a message. */
  readonly clean: CleanText;
  readonly origins: Origins;
}

type Body = Dispatcher.ResponseData["body"];

/** Sends one call once and reads its complete answer; see `Transport.send`. */
export async function exchange(settings: ExchangeSettings, call: Call): Promise<Outcome> {
  const uploadMs = transferMs(call.body?.byteLength ?? 0, settings.deadlines);
  const deadline = startDeadline(settings.deadlines.requestMs + uploadMs, call.signal);
  return send(settings, call, deadline, deadline.signal, async (head, body) => ({
    value: { ...head, bytes: await readBody(settings, call, deadline, head, body) },
  }));
}

/**
 * Sends a call once and hands a success answer to `take`; an error status is a failure. `deadline`
 * limits all of it and is stopped at the end; `signal` closes the socket.
 */
export async function send<T>(
  settings: ExchangeSettings,
  call: Call,
  deadline: Deadline,
  signal: AbortSignal,
  take: (head: ReplyHead, body: Body) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  let sent = false;
  const onSent = () => {
    sent = true;
  };
  let body: Body | undefined;
  try {
    call.signal?.throwIfAborted();
    const response = await untilAborted(deadline.signal, dispatch(settings, call, signal, onSent));
    const head = readHead(settings, call, response);
    if (head.status >= 300) {
      const bytes = await readErrorBody(response.body);
      return { failure: refused(settings, call, { ...head, bytes }) };
    }
    body = response.body;
    return await take(head, body);
  } catch (error) {
    if (error instanceof ContractError) {
      discard(body);
      throw error;
    }
    const interruption = { call, baseUrl: settings.baseUrl, sent };
    // The caller and the deadline can end a request in many ways, so they are asked first.
    const failure = call.signal?.aborted
      ? interrupted(interruption, "canceled", "the caller canceled it", call.signal.reason)
      : deadline.passed()
        ? interrupted(interruption, "timeout", `it took longer than ${deadline.seconds()} s`)
        : failureFrom(interruption, error);
    return { failure };
  } finally {
    deadline.stop();
  }
}

function dispatch(
  settings: ExchangeSettings,
  call: Call,
  signal: AbortSignal,
  onSent: () => void,
): Promise<Dispatcher.ResponseData> {
  const { body } = call;
  const { projectId } = settings;
  const use = call.opensStream ? "stream" : call.method === "GET" ? "read" : "write";
  const query = call.query === undefined ? "" : `?${call.query.toString().replaceAll("+", "%20")}`;
  return request(`${settings.baseUrl}${call.path}${query}`, {
    method: call.method,
    headers: {
      ...settings.headers,
      // Both spellings mean the same. Which one the service reads depends on its version.
      ...(projectId && { "x-kernel-project-id": projectId, "x-kernel-project": projectId }),
      accept: call.accept ?? "application/json",
      "accept-encoding": "identity",
      ...(body && { "content-type": body.contentType, "content-length": String(body.byteLength) }),
    },
    // undici sends any async iterable; its type names only the stream classes.
    body: (body?.chunks() ?? null) as (Dispatcher.RequestOptions["body"] & AsyncIterable<Uint8Array>) | null,
    // undici counts from the first byte of the request, so archives have only `requestMs`.
    headersTimeout: body?.carriesArchive ? 0 : settings.deadlines.headersMs,
    bodyTimeout: call.opensStream ? 0 : settings.deadlines.bodyIdleMs,
    signal,
    dispatcher: settings.connections.dispatcher(use, onSent),
  });
}

function readHead(settings: ExchangeSettings, call: Call, response: Dispatcher.ResponseData): ReplyHead {
  const header = (name: string) => {
    const value = response.headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  };
  const requestId = header("x-request-id");
  const context: RequestContext = {
    method: call.method,
    path: call.path,
    ...(requestId !== undefined && { requestId: settings.clean(requestId, requestIdCharactersMax) }),
  };
  return { status: response.statusCode, header, context };
}

/** Reads the body of a success answer. */
async function readBody(
  settings: ExchangeSettings,
  call: Call,
  deadline: Deadline,
  { header, context }: ReplyHead,
  body: Body,
): Promise<Uint8Array> {
  const { bodyBytesMax = jsonBytesMax } = call;
  if (bodyBytesMax === 0) {
    discard(body);
    return new Uint8Array();
  }
  const refuse = (what: string) => unexpectedAnswer(call, context, what);
  if (isEncoded(header)) {
    throw refuse("the body is compressed, although the request asked for no compression");
  }
  const tooLarge = `the body is larger than ${bodyBytesMax} bytes`;
  // Without a declared length, any up to the limit may come.
  const declared = Number(header("content-length") ?? bodyBytesMax);
  if (declared > bodyBytesMax) {
    throw refuse(tooLarge);
  }
  if (call.carriesArchive) {
    deadline.extend(transferMs(declared, settings.deadlines));
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop destroys the body and its socket, so an endless body costs only its limit.
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    length += chunk.byteLength;
    if (length > bodyBytesMax) {
      throw refuse(tooLarge);
    }
    chunks.push(chunk);
    call.onBodyBytes?.(length);
  }
  return Buffer.concat(chunks, length);
}

/** Reads an error body as far as it comes. A body that breaks off only explains less. */
async function readErrorBody(body: Body): Promise<Uint8Array> {
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
    // What was read so far is the explanation.
  }
  return Buffer.concat(chunks);
}

/** Drops a body unread, and its socket with it. */
function discard(body: Body | undefined): void {
  body?.on("error", () => {});
  body?.destroy();
}

/** Whether a body is compressed. No request ever asks for that. */
export function isEncoded(header: Reply["header"]): boolean {
  const encoding = header("content-encoding")?.trim().toLowerCase() ?? "";
  return encoding !== "" && encoding !== "identity";
}
