import type { DevTools } from "./devtools.js";

/** Longest time for the preparation of a target, in milliseconds. */
const preparationMsMax = 30_000;

/** Most errors to keep or to report: a timer may repeat one for ever. */
export const errorsMax = 50;

/** Longest text of an error, in characters. */
export const errorCharactersMax = 300;

/** Page or worker of a browser, with the owner's session. */
export interface Target {
  readonly session: string;
  readonly id: string;
  /** Such as `page` or `service_worker`. */
  readonly type: string;
  /** Address at the time of the session's start. */
  readonly url: string;
}

/** Error that no script has caught. */
export interface UncaughtError {
  /** Address of the script; empty if the browser does not tell. */
  readonly source: string;
  /** Line in the script, from 1. */
  readonly line: number;
  /** Message and stack, several lines. */
  readonly text: string;
}

/** Receives what happens in the pages and workers of a browser. */
export interface TargetWatcher {
  /** Called for each target. A new target runs no script before the answers to the calls of this function. */
  prepare(target: Target): Promise<unknown> | undefined;
  fail(error: UncaughtError): void;
  /** Called for every other event of the owner's sessions. */
  note(method: string, params: Record<string, unknown>, session: string | undefined): void;
}

/** Opens a session with each page and worker, present and future, and reports their errors. */
export async function watchTargets(
  devtools: DevTools,
  watcher: TargetWatcher,
  signal: AbortSignal,
): Promise<void> {
  devtools.onEvent = (method, params, session) => {
    if (method === "Target.attachedToTarget") {
      const { sessionId, targetInfo } = params as unknown as Attachment;
      // Not the sessions of clients, which are with the browser.
      if (targetInfo.type !== "browser") {
        const { targetId: id, type, url } = targetInfo;
        const call = (name: string) =>
          devtools.call(name, {}, AbortSignal.timeout(preparationMsMax), sessionId);
        Promise.all([
          call("Runtime.enable"),
          watcher.prepare({ session: sessionId, id, type, url }),
          call("Runtime.runIfWaitingForDebugger"),
        ]).catch(() => undefined);
      }
    } else if (method === "Runtime.exceptionThrown") {
      watcher.fail(uncaughtError(params.exceptionDetails as ExceptionDetails));
    } else {
      watcher.note(method, params, session);
    }
  };
  const params = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };
  await devtools.call("Target.setAutoAttach", params, signal);
}

interface Attachment {
  readonly sessionId: string;
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
