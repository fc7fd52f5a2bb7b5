import { subscribe } from "node:diagnostics_channel";
import { BrowserInfraError } from "../errors.js";
import { durationMs, timerMsMax } from "../text/duration.js";

/**
 * What Pulumi's dynamic provider process, which hosts this package, does to its providers: it
 * swallows a cancel, does not pass on time limits, keeps the settings of its namespace to itself,
 * and prints every error it reports.
 */

/** The namespace of settings that belongs to this process. */
const ownNamespace = "pulumi-nodejs:";

/**
 * Calls `listener` at each Cancel of the engine: when somebody cancels the deployment (Ctrl-C), and
 * at the end of every deployment, when no work is left. The process swallows that call, and in its
 * own process group it gets no SIGINT from a terminal. But Node announces every incoming HTTP/2
 * stream, gRPC calls included, on a diagnostics channel. Without that channel (older Node), running
 * work ends only by itself.
 */
export function onCancel(listener: () => void): void {
  subscribe("http2.server.stream.created", (message) => {
    const headers = (message as { headers?: Record<string, unknown> } | undefined)?.headers;
    if (headers?.[":path"] === "/pulumirpc.ResourceProvider/Cancel") {
      listener();
    }
  });
}

/** A controller whose signal aborts at the first Cancel of the engine. */
export function cancellation(): AbortController {
  const controller = new AbortController();
  onCancel(() => controller.abort());
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

/**
 * A setting of the stack that the engine passes to this process itself. The process of an explicit
 * provider gets no stack configuration, only the arguments of that provider. But in
 * `PULUMI_CONFIG`, every provider process has the settings of its own namespace, `pulumi-nodejs`,
 * decrypted and without the namespace. Source: Pulumi's engine, pkg/host/host.go.
 */
export function ownSetting(
  key: string,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (!key.startsWith(ownNamespace)) {
    return undefined;
  }
  try {
    const settings: unknown = JSON.parse(environment.PULUMI_CONFIG ?? "{}");
    const value = new Map(Object.entries(settings ?? {})).get(key.slice(ownNamespace.length));
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
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
