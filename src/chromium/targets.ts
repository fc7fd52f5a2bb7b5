import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { DevTools } from "./devtools.js";

/** Longest time for the preparation of a target, in milliseconds. */
const preparationMsMax = 30_000;

/** Longest wait for an answer of a worker that starts, in milliseconds. A worker that ends gives none. */
const workerMsMax = 5_000;

/** Time between two looks at a worker that starts, in milliseconds. */
const lookMs = 100;

/** Most errors to keep: a timer may repeat one for ever. */
const errorsMax = 50;

/** Longest text of an error, in characters. */
export const errorCharactersMax = 300;

/** Error that no script has caught. */
export interface UncaughtError {
  /** Address of the script; empty if the browser does not tell. */
  readonly source: string;
  /** Line in the script, from 1. */
  readonly line: number;
  /** Message and stack, several lines. */
  readonly text: string;
}

/** Pages and workers of a browser, present and future, each with a session of the owner. */
export class Targets {
  /** Sessions by the ids of the pages, in the order in which the pages were opened. */
  readonly pages = new Map<string, string>();
  /** Sessions of the extensions' workers, by the ids of the extensions. */
  readonly workers = new Map<string, string>();
  /** Ids of the extensions whose worker has started. */
  readonly startedWorkers = new Set<string>();
  /** Errors of pages and workers, each once, oldest first: the last ones, if there are many. */
  readonly errors: UncaughtError[] = [];
  /** Called for each page. A new page runs no script before the answers to the calls of the function. */
  preparePage: (session: string) => Promise<unknown> | undefined = () => undefined;
  /** Called for every event but those about targets and errors. */
  onEvent: DevTools["onEvent"] = () => {};
  readonly #devtools: DevTools;

  constructor(devtools: DevTools) {
    this.#devtools = devtools;
  }

  /** Opens the sessions, now and from now on. */
  async watch(signal: AbortSignal): Promise<void> {
    this.#devtools.onEvent = (method, params, session) => {
      if (method === "Target.attachedToTarget") {
        this.#prepare(params as unknown as Attachment).catch(() => undefined);
      } else if (method === "Target.detachedFromTarget") {
        this.pages.delete(String(params.targetId));
      } else if (method === "Runtime.exceptionThrown") {
        this.#note(uncaughtError(params.exceptionDetails as ExceptionDetails));
      } else {
        this.onEvent(method, params, session);
      }
    };
    const params = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };
    await this.#devtools.call("Target.setAutoAttach", params, signal);
  }

  /** Prepares a target. The sessions of clients, which are with the browser, are not ours. */
  async #prepare({ sessionId, targetInfo: { type, targetId, url } }: Attachment): Promise<void> {
    if (type === "browser") {
      return;
    }
    const call = (name: string) =>
      this.#devtools.call(name, {}, AbortSignal.timeout(preparationMsMax), sessionId);
    const calls: (Promise<unknown> | undefined)[] = [call("Runtime.enable")];
    if (type === "page") {
      this.pages.set(targetId, sessionId);
      calls.push(this.preparePage(sessionId));
    }
    const [, extensionId] = /^chrome-extension:\/\/(\w+)/.exec(url) ?? [];
    if (type === "service_worker" && extensionId !== undefined) {
      this.workers.set(extensionId, sessionId);
      calls.push(call("Log.enable"));
      this.#waitForWorker(sessionId, extensionId).catch(() => undefined);
    }
    await Promise.all([...calls, call("Runtime.runIfWaitingForDebugger")]);
  }

  /** Notes the start of a worker. A worker that Chromium refuses is there for a moment, too. */
  async #waitForWorker(session: string, extensionId: string): Promise<void> {
    let state: unknown;
    while (state !== "activated" && state !== "redundant") {
      await sleep(lookMs);
      state = await this.#devtools.evaluate("serviceWorker.state", AbortSignal.timeout(workerMsMax), session);
    }
    if (state === "activated") {
      this.startedWorkers.add(extensionId);
    }
  }

  #note(error: UncaughtError): void {
    if (!this.errors.some((each) => isDeepStrictEqual(each, error))) {
      this.errors.push(error);
      this.errors.splice(0, this.errors.length - errorsMax);
    }
  }
}

interface Attachment {
  readonly sessionId: string;
  /** `url`: the address at the time of the session's start. */
  readonly targetInfo: { readonly type: string; readonly targetId: string; readonly url: string };
}

interface ExceptionDetails {
  readonly text: string;
  readonly url?: string;
  readonly lineNumber: number;
  readonly exception?: { readonly description?: string; readonly value?: unknown };
  readonly stackTrace?: { readonly callFrames: readonly { readonly url: string }[] };
}

function uncaughtError({ text, url, lineNumber, exception, stackTrace }: ExceptionDetails): UncaughtError {
  return {
    source: url ?? stackTrace?.callFrames[0]?.url ?? "",
    line: lineNumber + 1,
    text: exception?.description ?? [text, exception?.value].filter(Boolean).join(" "),
  };
}
