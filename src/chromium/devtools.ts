import type { ChildProcess } from "node:child_process";
import { EventEmitter, once } from "node:events";
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

/** Receives the messages of a session, each as the bytes of a JSON text. The next message waits for the promise. */
export type Receiver = (message: Buffer) => Promise<void>;

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
  /** Receivers of the messages of sessions that are not the owner's, by the id of the session. */
  readonly receivers = new Map<string, Receiver>();
  /** Resolves with the cause when the browser has ended. */
  readonly ended: Promise<Error>;
  readonly #child: ChildProcess;
  readonly #requests: Writable;
  /** Emits each answer as the event of the call's number, and the end of the browser as an error. */
  readonly #answers = new EventEmitter().setMaxListeners(0);
  #failure: Error | undefined;
  #calls = 0;

  constructor(child: ChildProcess) {
    this.#child = child;
    this.#requests = child.stdio[3] as Writable;
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
    this.#answers.on("error", (error) => {
      this.#failure = error;
    });
    void this.ended.then((error) => this.#answers.emit("error", error));
    // Ignored: the end of the browser explains more than the end of the pipes.
    for (const stream of child.stdio) {
      stream?.on("error", () => {});
    }
    // A browser whose messages cannot be read any more has ended, or must.
    this.#read(child.stdio[4] as Readable).catch(() => child.kill("SIGKILL"));
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
    this.send(JSON.stringify({ id, method, params, sessionId })).catch(() => {});
    const [{ result = {}, error }] = await once(this.#answers, `${id}`, { signal }).catch((failure) => {
      throw signal.aborted ? signal.reason : failure;
    });
    if (error !== undefined) {
      const Refusal = /wasn't found/.test(error.message) ? MethodMissing : BrowserError;
      throw new Refusal(error.message);
    }
    return result;
  }

  /** Evaluates an expression in a session, waits for a promise, and returns the value. */
  async evaluate(expression: string, signal: AbortSignal, sessionId: string | undefined): Promise<unknown> {
    const params = { expression, awaitPromise: true, returnByValue: true };
    const { result } = await this.call("Runtime.evaluate", params, signal, sessionId);
    return (result as { readonly value?: unknown } | undefined)?.value;
  }

  /** Sends a message. Resolves when the browser is not behind, for the next message. */
  async send(message: string): Promise<void> {
    if (!this.#requests.write(`${message}\0`)) {
      await once(this.#requests, "drain");
    }
  }

  /** Closes the browser and waits: a killed browser writes into the profile for a moment longer. */
  async close(): Promise<void> {
    const kill = setTimeout(() => this.#child.kill("SIGKILL"), closeMsMax);
    this.call("Browser.close", {}, AbortSignal.timeout(closeMsMax)).catch(() => undefined);
    await this.ended;
    clearTimeout(kill);
  }

  /** Reads the messages to the end. The browser must wait while a receiver is behind. */
  async #read(messages: Readable): Promise<void> {
    let pieces: Buffer[] = [];
    for await (const chunk of messages as AsyncIterable<Buffer>) {
      let start = 0;
      for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, start)) {
        await this.#dispatch(Buffer.concat([...pieces, chunk.subarray(start, end)]));
        pieces = [];
        start = end + 1;
      }
      pieces.push(chunk.subarray(start));
    }
  }

  #dispatch(message: Buffer): Promise<void> | undefined {
    const receiver = this.receivers.get(sessionOf(message) ?? "");
    if (receiver) {
      return receiver(message);
    }
    const { id, method, params, sessionId, ...answer } = JSON.parse(message.toString());
    if (id === undefined) {
      this.onEvent(method, params, sessionId);
    } else {
      this.#answers.emit(`${id}`, answer);
    }
    return undefined;
  }
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
