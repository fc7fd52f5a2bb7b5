import type { ChildProcess } from "node:child_process";
import type { Readable, Writable } from "node:stream";

/** Longest wait for a closing browser, in milliseconds. The browser is killed afterwards. */
const closeMsMax = 3_000;

/** Last part of the browser's standard error that tells why the browser ended, in characters. */
const lastWordsMax = 500;

/** Refusal of a call by the browser, in the browser's words. */
export class BrowserError extends Error {}

/** A method that the browser does not have. */
export class MethodMissing extends Error {
  constructor(message: string) {
    super(`it is too old or was built without extensions (${message})`);
  }
}

interface PendingCall {
  readonly resolve: (result: Record<string, unknown>) => void;
  readonly reject: (error: Error) => void;
}

/** Receives the messages of a session, each as the bytes of a JSON text. */
export type Receiver = (message: Buffer) => void;

/**
 * DevTools protocol over two pipes: JSON messages, terminated by zero bytes. The owner calls methods. The
 * messages of other sessions go unread to their receivers.
 *
 * Source: "pipe" in Chromium's content/browser/devtools/devtools_pipe_handler.cc.
 */
export class DevTools {
  /** Called for each event of the owner's own sessions. */
  onEvent: (method: string, params: Record<string, unknown>, sessionId: string | undefined) => void =
    () => {};
  /** Resolves with the cause when the browser has ended. */
  readonly ended: Promise<Error>;
  readonly #child: ChildProcess;
  readonly #pendingCalls = new Map<number, PendingCall>();
  readonly #receivers = new Map<string, Receiver>();
  /** Receivers that must catch up before the browser may send more. */
  readonly #behind = new Set<unknown>();
  #failure: Error | undefined;
  #calls = 0;
  #pieces: Buffer[] = [];

  constructor(child: ChildProcess) {
    this.#child = child;
    let lastWords = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      lastWords = (lastWords + text).slice(-lastWordsMax);
    });
    this.ended = new Promise((resolve) => {
      child.once("error", resolve);
      child.once("exit", (code, signal) =>
        resolve(new Error(`it ended with ${code ?? signal}${lastWords && `: ${lastWords.trim()}`}`)),
      );
    });
    void this.ended.then((error) => {
      this.#failure = error;
      for (const { reject } of this.#pendingCalls.values()) {
        reject(error);
      }
    });
    this.#answers.on("data", (chunk: Buffer) => this.#receive(chunk));
    // Ignored: the end of the browser explains more than the end of the pipes.
    for (const stream of child.stdio) {
      stream?.on("error", () => {});
    }
  }

  get #answers(): Readable {
    return this.#child.stdio[4] as Readable;
  }

  get #requests(): Writable {
    return this.#child.stdio[3] as Writable;
  }

  /**
   * Calls a method of the browser, or of a session of the owner. Throws `BrowserError` for a refusal, and
   * `MethodMissing`.
   */
  async call(
    method: string,
    params: object,
    signal: AbortSignal,
    sessionId?: string,
  ): Promise<Record<string, unknown>> {
    signal.throwIfAborted();
    if (this.#failure) {
      throw this.#failure;
    }
    this.#calls += 1;
    const id = this.#calls;
    const onAbort = () => this.#pendingCalls.get(id)?.reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    const answer = new Promise<Record<string, unknown>>((resolve, reject) => {
      this.#pendingCalls.set(id, { resolve, reject });
    });
    this.send(JSON.stringify({ id, method, params, sessionId }));
    try {
      return await answer;
    } finally {
      this.#pendingCalls.delete(id);
      signal.removeEventListener("abort", onAbort);
    }
  }

  /** Sends a message. Returns false if the browser is behind: the next message must wait for `drained`. */
  send(message: string): boolean {
    return this.#requests.write(`${message}\0`);
  }

  /** Calls a listener when the browser has caught up. */
  drained(listener: () => void): void {
    this.#requests.once("drain", listener);
  }

  /** Leads the messages of a session to a receiver; undefined ends that. */
  route(sessionId: string, receiver: Receiver | undefined): void {
    if (receiver) {
      this.#receivers.set(sessionId, receiver);
    } else {
      this.#receivers.delete(sessionId);
    }
  }

  /** Stops reading from the browser as long as a receiver is behind. */
  hold(receiver: unknown, isBehind: boolean): void {
    if (isBehind) {
      this.#behind.add(receiver);
      this.#answers.pause();
    } else if (this.#behind.delete(receiver) && this.#behind.size === 0) {
      this.#answers.resume();
    }
  }

  /** Closes the browser and waits: a killed browser writes into the profile for a moment longer. */
  async close(): Promise<void> {
    const kill = setTimeout(() => this.#child.kill("SIGKILL"), closeMsMax);
    this.#behind.clear();
    this.#answers.resume();
    this.call("Browser.close", {}, AbortSignal.timeout(closeMsMax)).catch(() => undefined);
    await this.ended;
    clearTimeout(kill);
  }

  #receive(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, start)) {
      const pieces = [...this.#pieces, chunk.subarray(start, end)];
      this.#pieces = [];
      this.#dispatch(pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces));
      start = end + 1;
    }
    if (start < chunk.length) {
      this.#pieces.push(chunk.subarray(start));
    }
  }

  #dispatch(message: Buffer): void {
    const receiver = this.#receivers.get(sessionOf(message) ?? "");
    if (receiver) {
      receiver(message);
      return;
    }
    const { id, result, error, method, params, sessionId } = JSON.parse(message.toString());
    if (id === undefined) {
      this.onEvent(method, params, sessionId);
      return;
    }
    const waiting = this.#pendingCalls.get(id);
    if (error === undefined) {
      waiting?.resolve(result ?? {});
    } else if (/wasn't found/.test(error.message)) {
      waiting?.reject(new MethodMissing(error.message));
    } else {
      waiting?.reject(new BrowserError(error.message));
    }
  }
}

/** Evaluates an expression by a call in a session, waits for a promise, and returns the value. */
export async function evaluate(
  call: (method: string, params: object) => Promise<Record<string, unknown>>,
  expression: string,
): Promise<unknown> {
  const { result } = await call("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
  return (result as { readonly value?: unknown } | undefined)?.value;
}

/** End of a message about a session. Chromium writes the member last. */
const sessionMember = /,"sessionId":"(\w+)"\}$/;

/** Longest end that contains the member, in bytes. */
const sessionMemberBytesMax = 80;

/** Id of the session of a message, without parsing the message; undefined without a session. */
export function sessionOf(message: Buffer): string | undefined {
  const tail = message.toString("latin1", Math.max(0, message.length - sessionMemberBytesMax));
  return sessionMember.exec(tail)?.[1];
}

/** The message without its session, as a client sees messages of the browser. */
export function withoutSession(message: Buffer, sessionId: string): Buffer {
  const end = message.length - `,"sessionId":"${sessionId}"}`.length;
  return Buffer.concat([message.subarray(0, end), Buffer.from("}")]);
}
