import type { OutgoingHttpHeaders } from "node:http";
import { ConnectionEnded, type Exchange, type PreparedResponse, StreamResponse } from "./exchange.js";
import { perform, truncation } from "./fault-action.js";
import type { MatchedFault } from "./faults.js";
import { keptBody } from "./request-log.js";
import { sendStream } from "./send-stream.js";

/** Converts a route's response to a {@link PreparedResponse}. */
export async function preparedResponseOf(response: Response): Promise<PreparedResponse> {
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: response instanceof StreamResponse ? response.source : new Uint8Array(await response.arrayBuffer()),
  };
}

/**
 * Sends a response. Faults apply after the headers and a part of the body: in a stream, after the
 * events or bytes in the rule; otherwise, after the bytes of the first truncation, or half of the body.
 */
export async function sendResponse(
  exchange: Exchange,
  { status, headers, body }: PreparedResponse,
  faults: readonly MatchedFault[],
): Promise<void> {
  const { outgoing, record, contents, headers: own } = exchange;
  if (outgoing.destroyed) {
    throw new ConnectionEnded();
  }
  record.status = status;
  contents.answer = {
    headers: { ...own, ...headers },
    body: body instanceof Uint8Array ? keptBody(body) : "a stream of events, not kept",
  };
  exchange.reportBegin();
  const bodiless = status === 204 || status === 304 || record.method === "HEAD";
  if (!(body instanceof Uint8Array)) {
    outgoing.writeHead(status, { ...own, ...headers });
    // A client waits for the headers, and the first event may take a while.
    outgoing.flushHeaders();
    if (bodiless) {
      outgoing.end();
    } else {
      await sendStream(exchange, body, faults);
    }
    return;
  }
  const length: OutgoingHttpHeaders = bodiless ? {} : { "content-length": String(body.byteLength) };
  outgoing.writeHead(status, { ...own, ...length, ...headers });
  if (faults.length === 0) {
    outgoing.end(body);
    return;
  }
  const cut = faults.flatMap(({ action }) => truncation(action) ?? [])[0] ?? Math.floor(body.byteLength / 2);
  outgoing.flushHeaders();
  // Node calls back once the operating system has the bytes, so a reset cannot overtake them.
  if (cut > 0) {
    await new Promise((written) => outgoing.write(body.subarray(0, cut), written));
  }
  for (const { action } of faults) {
    await perform(action, exchange);
  }
  outgoing.end(body.subarray(cut));
}
