import { subscribe } from "node:diagnostics_channel";
import { BrowserInfraError } from "../errors.js";
import { durationMs, timerMsMax } from "../text/duration.js";

/**
 * What Pulumi's dynamic provider process, which hosts this package, does to its providers: it
 * swallows a cancel, does not pass on time limits, and prints every error it reports.
 */

/**
 * A controller whose signal aborts when the engine cancels the deployment (Ctrl-C), and at the end
 * of every deployment, when no work is left. The process swallows the engine's Cancel call, and in
 * its own process group it gets no SIGINT from a terminal. But Node announces every incoming HTTP/2
 * stream, gRPC calls included, on a diagnostics channel. Without that channel (older Node), running
 * work ends only by itself.
 */
export function cancellation(): AbortController {
  const controller = new AbortController();
  subscribe("http2.server.stream.created", (message) => {
    const headers = (message as { headers?: Record<string, unknown> } | undefined)?.headers;
    if (headers?.[":path"] === "/pulumirpc.ResourceProvider/Cancel") {
      controller.abort();
    }
  });
  return controller;
}

/**
 * Does `work` under a limit of `customTimeouts`, such as `"30s"`, and under the engine's cancel.
 * When the limit passes, the signal of `work` aborts, and the error that it throws then says so.
 */
export async function withinLimit<T>(
  limit: string | undefined,
  canceled: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limitMs = limit === undefined ? undefined : durationMs(limit);
  if (limitMs === undefined || limitMs === 0) {
    return work(canceled);
  }
  const timeout = AbortSignal.timeout(Math.min(limitMs, timerMsMax));
  try {
    return await work(AbortSignal.any([canceled, timeout]));
  } catch (error) {
    if (!timeout.aborted || canceled.aborted || !(error instanceof Error)) {
      throw error;
    }
    const message = `The time limit of ${limit} in "customTimeouts" has passed. ${error.message}`;
    throw error instanceof BrowserInfraError ? error.withMessage(message) : Object.assign(error, { message });
  }
}

/** What an error prints once the engine has it in another way. */
const reported = "(reported to the engine)";

/**
 * Makes the text that the process prints of an error one that {@link silenceEchoes} knows. It
 * prints every error of check, diff, read and delete beside answering the engine with it, so
 * whoever deploys would read each one twice. The message, which goes to the engine, stays as it is.
 */
export function withoutEcho(error: unknown): unknown {
  if (error instanceof Error) {
    error.stack = "";
    error.toString = () => reported;
  }
  return error;
}

/** Drops exactly the lines that {@link withoutEcho} makes, and no others. */
export function silenceEchoes(console: Pick<Console, "error">): void {
  const print = console.error.bind(console);
  console.error = (...items: unknown[]) => {
    if (items.length !== 1 || items[0] !== `${reported}: `) {
      print(...items);
    }
  };
}
