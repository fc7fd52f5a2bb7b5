import { createWebSocketStream, type WebSocket } from "ws";
import { type DevTools, type Receiver, sessionOf, withoutSession } from "../../../chromium/devtools.js";

/** Bytes that a client may leave unread before the browser has to wait. */
const unreadBytesMax = 8_388_608;

/** Longest time that a client may read nothing while the browser waits, in milliseconds. */
const stuckMsMax = 30_000;

/** Longest wait for the browser's answer to a new client, in milliseconds. */
const attachMsMax = 30_000;

/** Code of a message that is no JSON. Source: JSON-RPC 2.0. */
const parseError = -32_700;

/** Codes as Chromium gives them. Source: Chromium 156. */
const [unknownSession, serverError] = [-32_001, -32_000];

/**
 * Serves a client over the browser's pipe, until the client leaves. Each client has a session of its own
 * with the browser, so the numbers of its messages never meet those of other clients. Only the ids of
 * sessions are read, so that large messages pass as they are.
 *
 * `close`: called for the client's `Browser.close`.
 */
export async function serve(browser: DevTools, socket: WebSocket, close: () => void): Promise<void> {
  const { receivers } = browser;
  const ofBrowser = (method: string, params: object) =>
    browser.call(method, params, AbortSignal.timeout(attachMsMax));
  const sendWhole = (message: Buffer | string) =>
    new Promise((sent) => socket.send(message, { binary: false }, sent));
  /** Sends a message, and waits while the client is far behind. */
  const send = async (message: Buffer | string) => {
    const sent = sendWhole(message);
    if (socket.bufferedAmount > unreadBytesMax) {
      const stuck = setTimeout(() => socket.terminate(), stuckMsMax);
      await sent;
      clearTimeout(stuck);
    }
  };
  const refuse = ({ id, sessionId }: ClientCall, code: number, message: string) =>
    send(JSON.stringify({ id, error: { code, message }, sessionId }));
  // Before any wait, so that no message is lost.
  const messages = createWebSocketStream(socket, { readableObjectMode: true });
  // The end of a connection needs no reason.
  socket.on("error", () => {});
  messages.on("error", () => {});

  const root = String((await ofBrowser("Target.attachToBrowserTarget", {})).sessionId);
  const receive: Receiver = (message) => {
    // The only events about sessions; both are short.
    const [, event] = /^\{"method":"Target\.(at|de)tached/.exec(message.toString("latin1", 0, 30)) ?? [];
    if (event !== undefined) {
      const { sessionId } = JSON.parse(message.toString()).params;
      if (event === "at") {
        receivers.set(sessionId, receive);
      } else {
        receivers.delete(sessionId);
      }
    }
    return send(sessionOf(message) === root ? withoutSession(message, root) : message);
  };
  receivers.set(root, receive);
  try {
    for await (const text of messages as AsyncIterable<string>) {
      const call = parsed(text);
      if (call === undefined) {
        await refuse({}, parseError, "Message must be a valid JSON");
      } else if (call.sessionId !== undefined && receivers.get(String(call.sessionId)) !== receive) {
        await refuse(call, unknownSession, "Session with given id not found.");
      } else if (call.method === "Browser.close") {
        await sendWhole(JSON.stringify({ id: call.id, result: {}, sessionId: call.sessionId }));
        close();
      } else if (/^Extensions\./.test(String(call.method))) {
        // As on a port. Over a pipe, the method would read any folder of this machine.
        await refuse(call, serverError, "Method not available.");
      } else {
        await browser.send(
          call.sessionId === undefined ? JSON.stringify({ ...call, sessionId: root }) : text,
        );
      }
    }
  } finally {
    for (const [sessionId] of [...receivers].filter(([, receiver]) => receiver === receive)) {
      receivers.delete(sessionId);
    }
    // Ends all sessions below it, too.
    await ofBrowser("Target.detachFromTarget", { sessionId: root });
  }
}

interface ClientCall {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly sessionId?: unknown;
}

function parsed(text: string): ClientCall | undefined {
  try {
    const call = JSON.parse(text);
    return typeof call === "object" && call !== null && !Array.isArray(call) ? call : undefined;
  } catch {
    return undefined;
  }
}
