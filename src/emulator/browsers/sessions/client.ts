import type { WebSocket } from "ws";
import { type DevTools, sessionOf, withoutSession } from "../../../chromium/devtools.js";

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

/** Attaches a new client to the browser. Returns the id of the client's session. */
export async function attach(browser: DevTools): Promise<string> {
  const signal = AbortSignal.timeout(attachMsMax);
  return String((await browser.call("Target.attachToBrowserTarget", {}, signal)).sessionId);
}

/** Ends the session of a client, and all sessions below it. */
export async function detach(browser: DevTools, root: string): Promise<void> {
  const signal = AbortSignal.timeout(attachMsMax);
  await browser.call("Target.detachFromTarget", { sessionId: root }, signal).catch(() => undefined);
}

/**
 * Connects a client to a browser over the browser's pipe. Each client has a session of its own, so the
 * numbers of its messages never meet those of other clients. Only the ids of sessions are read, so that
 * large messages pass as they are.
 *
 * `close`: called for the client's `Browser.close`.
 */
export function connect(browser: DevTools, socket: WebSocket, root: string, close: () => void): void {
  /** Sessions of the client: with the browser, and with pages and workers below it. */
  const sessions = new Set<string>();
  let stuck: NodeJS.Timeout | undefined;

  const keepUp = () => {
    const isBehind = socket.bufferedAmount > unreadBytesMax;
    clearTimeout(stuck);
    stuck = isBehind ? setTimeout(() => socket.terminate(), stuckMsMax).unref() : undefined;
    browser.hold(socket, isBehind);
  };
  const send = (message: Buffer | string) => {
    socket.send(message, { binary: false }, keepUp);
    keepUp();
  };
  const own = (sessionId: string) => {
    sessions.add(sessionId);
    browser.route(sessionId, receive);
  };
  const disown = (sessionId: string) => {
    sessions.delete(sessionId);
    browser.route(sessionId, undefined);
  };
  const receive = (message: Buffer) => {
    // The only events about sessions; both are short.
    const [, event] = /^\{"method":"Target\.(at|de)tached/.exec(message.toString("latin1", 0, 30)) ?? [];
    if (event !== undefined) {
      const { sessionId } = JSON.parse(message.toString()).params;
      (event === "at" ? own : disown)(String(sessionId));
    }
    send(sessionOf(message) === root ? withoutSession(message, root) : message);
  };
  const refuse = (
    call: { readonly id?: unknown; readonly sessionId?: unknown },
    code: number,
    text: string,
  ) => send(JSON.stringify({ id: call.id, error: { code, message: text }, sessionId: call.sessionId }));

  own(root);
  socket.on("message", (data) => {
    const text = String(data);
    const call = parsed(text);
    if (call === undefined) {
      refuse({}, parseError, "Message must be a valid JSON");
    } else if (call.sessionId !== undefined && !sessions.has(String(call.sessionId))) {
      refuse(call, unknownSession, "Session with given id not found.");
    } else if (call.method === "Browser.close") {
      const answer = JSON.stringify({ id: call.id, result: {}, sessionId: call.sessionId });
      socket.send(answer, { binary: false }, close);
    } else if (/^Extensions\./.test(String(call.method))) {
      // As on a port. Over a pipe, the method would read any folder of this machine.
      refuse(call, serverError, "Method not available.");
    } else if (
      !browser.send(call.sessionId === undefined ? JSON.stringify({ ...call, sessionId: root }) : text)
    ) {
      socket.pause();
      browser.drained(() => socket.resume());
    }
  });
  socket.on("error", () => {});
  socket.once("close", () => {
    clearTimeout(stuck);
    browser.hold(socket, false);
    for (const each of sessions) {
      browser.route(each, undefined);
    }
    void detach(browser, root);
  });
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
