import { fstatSync } from "node:fs";
import { connect, type Socket } from "node:net";

/**
 * How long a canceled process still has for its work once the engine is gone, in milliseconds: as
 * long as after Ctrl-C. With the time it takes to notice, it ends within 5 s, also on a machine
 * that is busy.
 */
const graceMsDefault = 2_000;

/** How often a process whose engine is gone looks whether its work has ended. Milliseconds. */
const idleEveryMs = 20;

/** Pause before each attempt to reach the engine after a connection has ended. Milliseconds. */
const retryPauseMs = 150;

/** So many refused attempts in a row mean that the engine is gone. */
const refusalsMin = 3;

/** What {@link watchEngine} needs from the process it runs in. */
export interface WatchedProcess {
  /** The engine's address, `host:port`. */
  readonly engineAddress: string;
  /** The standard input; undefined when nothing can be at its other end. */
  readonly input: Socket | undefined;
}

/**
 * Calls `gone` once, as soon as the engine that started this process no longer exists. An engine
 * that was killed ends nothing: its provider processes would stay behind with the key in their
 * environment, and finish writes beside the next deployment.
 *
 * The engine is gone when its address refuses connections, several times in a row, after it
 * accepted one. A connection that merely ends proves nothing: Go's gRPC server closes one that
 * sends nothing after 120 s. Nor does silence, because a paused engine answers nothing, but its
 * system still accepts connections. The engine holds the other end of the standard input: once that
 * has ended, one refusal is enough. If the address never accepted a connection, it may not be an
 * address, so then the standard input must have ended.
 */
export function watchEngine({ engineAddress, input }: WatchedProcess, gone: () => void): void {
  const url = `tcp://${engineAddress}`;
  if (!URL.canParse(url) || new URL(url).port === "") {
    return;
  }
  const { hostname, port } = new URL(url);
  let wasReached = false;
  let inputEnded = false;
  let refusals = 0;

  const hold = () => {
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ""), port: Number(port) });
    // It must not keep alive a process that has nothing else to do.
    socket.unref();
    // Without a reader, the end of the connection would not be noticed.
    socket.resume();
    socket.once("connect", () => {
      wasReached = true;
      refusals = 0;
    });
    socket.once("error", (error: NodeJS.ErrnoException) => {
      // Every other error, such as a timeout, leaves open whether the engine is there.
      refusals = error.code === "ECONNREFUSED" ? refusals + 1 : 0;
    });
    socket.once("close", () => {
      if (inputEnded ? refusals > 0 : wasReached && refusals >= refusalsMin) {
        gone();
      } else {
        setTimeout(hold, retryPauseMs).unref();
      }
    });
  };
  hold();

  input?.once("end", () => {
    inputEnded = true;
  });
  input?.on("error", () => undefined);
  input?.resume();
  input?.unref();
}

/**
 * The standard input, if it is a pipe, as the engine makes it. A file, a terminal or `/dev/null`
 * ends without anybody having closed it.
 */
export function pipedInput(): Socket | undefined {
  try {
    const input = fstatSync(0);
    return input.isFIFO() || input.isSocket() ? (process.stdin as Socket) : undefined;
  } catch {
    // It was closed before this process started.
    return undefined;
  }
}

/** How a process ends with its engine. */
export interface EndOfProcess {
  /** Cancels the work under way. */
  readonly cancel: () => void;
  /** How long that work may go on. Milliseconds. Default: 2 s. */
  readonly graceMs?: number;
  /** Whether no work is left, so that the process need not wait any longer. Default: never. */
  readonly isIdle?: () => boolean;
}

/** Ends this process with its engine, even if something still hangs. */
export function endWithEngine(
  watched: WatchedProcess,
  { cancel, graceMs = graceMsDefault, isIdle = () => false }: EndOfProcess,
): void {
  watchEngine(watched, () => {
    cancel();
    setTimeout(() => process.exit(1), graceMs);
    setInterval(() => {
      if (isIdle()) {
        process.exit(1);
      }
    }, idleEveryMs);
  });
}
