import type { ChildProcess } from "node:child_process";
import type { Readable, Writable } from "node:stream";

/** Longest wait for a closing browser, in milliseconds. The browser is killed afterwards. */
const closeMsMax = 3_000;

/** Refusal of a call by the browser, in the browser's words. */
export class BrowserError extends Error {}

interface PendingCall {
  readonly resolve: (result: Record<string, unknown>) => void;
  readonly reject: (error: Error) => void;
}

/** DevTools protocol over two pipes: JSON messages, terminated by zero bytes. */
export class DevTools {
  readonly #child: ChildProcess;
  readonly #pendingCalls = new Map<number, PendingCall>();
  readonly #ended: Promise<Error>;
  #calls = 0;
  #received = "";

  constructor(child: ChildProcess) {
    this.#child = child;
    this.#ended = new Promise((resolve) => {
      child.once("error", resolve);
      child.once("exit", (code, signal) => resolve(new Error(`it ended with ${code ?? signal}`)));
    });
    const [, , , , answers] = child.stdio as (Readable | null)[];
    answers?.setEncoding("utf8").on("data", (text: string) => this.#receive(text));
    // Ignored: the end of the browser explains more than the end of the pipes.
    for (const stream of child.stdio) {
      stream?.on("error", () => {});
    }
  }

  async call(
    method: string,
    params: object,
    signal: AbortSignal,
    sessionId?: string,
  ): Promise<Record<string, unknown>> {
    signal.throwIfAborted();
    this.#calls += 1;
    const id = this.#calls;
    const answer = new Promise<Record<string, unknown>>((resolve, reject) => {
      this.#pendingCalls.set(id, { resolve, reject });
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      this.#ended.then(reject, reject);
    });
    (this.#child.stdio[3] as Writable).write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return answer;
  }

  /** Closes the browser and waits: a killed browser writes into the profile for a moment longer. */
  async close(): Promise<void> {
    const kill = setTimeout(() => this.#child.kill("SIGKILL"), closeMsMax);
    this.call("Browser.close", {}, AbortSignal.timeout(closeMsMax)).catch(() => undefined);
    await this.#ended;
    clearTimeout(kill);
  }

  #receive(text: string): void {
    const messages = (this.#received + text).split("\0");
    this.#received = messages.pop() ?? "";
    for (const message of messages) {
      const { id, result, error } = JSON.parse(message);
      const waiting = this.#pendingCalls.get(id);
      this.#pendingCalls.delete(id);
      if (error === undefined) {
        waiting?.resolve(result ?? {});
      } else if (/wasn't found/.test(error.message)) {
        waiting?.reject(new Error(`it is too old or was built without extensions (${error.message})`));
      } else {
        waiting?.reject(new BrowserError(error.message));
      }
    }
  }
}
