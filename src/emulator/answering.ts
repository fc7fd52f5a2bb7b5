import type { Answer, Exchange } from "./exchange.js";
import { ConnectionEnded } from "./exchange.js";
import type { FaultAction } from "./fault-action.js";

/** The header every answer of the emulator carries, with the value `1`, so that nobody takes it for the service's. */
export const emulatorHeader = "x-browser-infra-emulator";

/** A route's response as an answer. */
export async function answerOf(response: Response): Promise<Answer> {
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: new Uint8Array(await response.arrayBuffer()),
  };
}

/**
 * Puts an answer on the wire. With `actions`, each is performed after the headers and a part of the body, up to the number of
 * bytes at which the first one that truncates does so, or half of it.
 */
export async function sendAnswer(
  exchange: Exchange,
  { status, headers, body }: Answer,
  actions: readonly FaultAction[],
  perform: (action: FaultAction) => Promise<void>,
): Promise<void> {
  const { outgoing, record } = exchange;
  if (outgoing.destroyed) throw new ConnectionEnded();
  record.status = status;
  const bodiless = status === 204 || status === 304 || record.method === "HEAD";
  outgoing.writeHead(status, {
    "x-request-id": record.requestId,
    [emulatorHeader]: "1",
    ...(!bodiless && { "content-length": String(body.byteLength) }),
    ...headers,
  });
  if (actions.length === 0) {
    outgoing.end(body);
    return;
  }
  const truncation = actions.find((action) => typeof action === "object" && "truncateAfterBytes" in action);
  const cut = truncation?.truncateAfterBytes ?? Math.floor(body.byteLength / 2);
  outgoing.flushHeaders();
  // The callback comes when the bytes are with the operating system, so that a reset cannot overtake them.
  if (cut > 0) await new Promise((written) => outgoing.write(body.subarray(0, cut), written));
  for (const action of actions) await perform(action);
  outgoing.end(body.subarray(cut));
}
