import { type Dispatcher, request } from "undici";
import { ContractError, type RequestContext } from "../../../errors.js";
import type { Redaction } from "../../../text/redact.js";
import { failureOfResponse, type Origins } from "../api-error.js";
import type { HttpCall, HttpResponseHead, Outcome } from "../call.js";
import type { Connections } from "../connections/connections.js";
import {
  type Deadline,
  type Deadlines,
  startDeadline,
  transferMs,
  untilAborted,
} from "../connections/deadline.js";
import { failureFrom, interruptionFailure } from "../failures.js";
import type { RetryOptions } from "../retry/options.js";
import type { ServiceClock } from "../service-clock.js";
import { discard, readBody, readErrorBody } from "./body.js";

/** Longest request id kept from a response, in characters. */
const requestIdCharactersMax = 128;

/** Settings for sending. `headers` go with every request, and contain the API key. */
export interface ExchangeSettings {
  readonly connections: Connections;
  readonly deadlines: Deadlines;
  readonly retry: RetryOptions;
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Project of the requests. Undefined: the key's own project, or the organization's default. */
  readonly projectId: string | undefined;
  /** Hides the API key, and every secret that the process knows, in text of the service. */
  readonly redaction: Redaction;
  readonly origins: Origins;
  readonly serviceClock: ServiceClock;
}

type Body = Dispatcher.ResponseData["body"];

/** Sends a call once and reads the complete response; see `Transport.send`. */
export async function exchange(settings: ExchangeSettings, call: HttpCall): Promise<Outcome> {
  const uploadMs = transferMs(call.body?.byteLength ?? 0, settings.deadlines);
  const deadline = startDeadline(settings.deadlines.requestMs + uploadMs, call.signal);
  return send(settings, call, deadline, deadline.signal, async (head, body) => ({
    value: {
      ...head,
      bytes: await readBody(call, head, body, (length) =>
        deadline.extend(transferMs(length, settings.deadlines)),
      ),
    },
  }));
}

/** Sends a call once. `take` reads a success. `deadline` is stopped at the end. */
export async function send<T>(
  settings: ExchangeSettings,
  call: HttpCall,
  deadline: Deadline,
  signal: AbortSignal,
  take: (head: HttpResponseHead, body: Body) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  let sent = false;
  const onSent = () => {
    sent = true;
  };
  let body: Body | undefined;
  try {
    call.signal?.throwIfAborted();
    settings.redaction.hide(call.body?.secrets ?? []);
    const response = await untilAborted(deadline.signal, dispatch(settings, call, signal, onSent));
    const head = readHead(settings, call, response);
    settings.serviceClock.learn(head.header("date"));
    if (head.status >= 300) {
      const bytes = await readErrorBody(head, response.body);
      return { failure: failureOfResponse(settings, call, { ...head, bytes }) };
    }
    body = response.body;
    return await take(head, body);
  } catch (error) {
    if (error instanceof ContractError) {
      discard(body);
      throw error;
    }
    const { baseUrl, connections } = settings;
    const interruption = { call, baseUrl, proxy: connections.proxy, sent };
    // The caller and the deadline can end a request in many ways, so both are checked first.
    const failure = call.signal?.aborted
      ? interruptionFailure(interruption, "canceled", "the caller canceled it", call.signal.reason)
      : deadline.hasExpired()
        ? interruptionFailure(interruption, "timeout", `it took longer than ${deadline.seconds()} s`)
        : failureFrom(interruption, error);
    return { failure };
  } finally {
    deadline.stop();
  }
}

function dispatch(
  settings: ExchangeSettings,
  call: HttpCall,
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
      // Both spellings mean the same. The spelling that the service reads depends on the version.
      ...(projectId && { "x-kernel-project-id": projectId, "x-kernel-project": projectId }),
      accept: call.accept ?? "application/json",
      "accept-encoding": "identity",
      ...(body && { "content-type": body.contentType, "content-length": String(body.byteLength) }),
    },
    // undici sends any async iterable; its type names only the stream classes.
    body: (body?.chunks() ?? null) as (Dispatcher.RequestOptions["body"] & AsyncIterable<Uint8Array>) | null,
    // undici counts from the first byte of the request, so only the deadline limits an archive.
    headersTimeout: body?.carriesArchive ? 0 : settings.deadlines.headersMs,
    bodyTimeout: call.opensStream ? 0 : settings.deadlines.bodyIdleMs,
    signal,
    dispatcher: settings.connections.dispatcher(use, onSent),
  });
}

function readHead(
  settings: ExchangeSettings,
  call: HttpCall,
  response: Dispatcher.ResponseData,
): HttpResponseHead {
  const { redaction, projectId } = settings;
  const header = (name: string) => {
    const value = response.headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  };
  const requestId = header("x-request-id");
  const context: RequestContext = {
    method: call.method,
    path: call.path,
    ...(projectId !== undefined && { projectId }),
    ...(requestId !== undefined && {
      requestId: redaction.clean(requestId, requestIdCharactersMax),
    }),
  };
  return { status: response.statusCode, header, context, redaction };
}
