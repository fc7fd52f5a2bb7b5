import { fstatSync } from "node:fs";
import { connect, type Socket } from "node:net";

/**
 * Time for canceled work after the end of the engine, in milliseconds: as long as after Ctrl-C.
 * Including the detection, the process ends within 5 s, even on a busy machine.
 */
const graceMsDefault = 2_000;

/** Pause between two checks for running work after the end of the engine, in milliseconds. */
const idleEveryMs = 20;

/** Pause before every new attempt to reach the engine, in milliseconds. */
const retryPauseMs = 150;

/** Refused attempts in a row after which the engine counts as gone. */
const refusalsMin = 3;

/** Facts about the process for {@link watchEngine}. */
export interface WatchedProcess {
  /** Address of the engine, `host:port`. */
  readonly engineAddress: string;
  /** Standard input; undefined if there can be no engine at the other end. */
  readonly input: Socket | undefined;
}

/**
 * Calls `gone` once, as soon as the engine that started the process no longer exists. A killed
 * engine ends nothing: the provider processes would stay behind with the key in their environment,
 * and finish writes beside the next deployment.
 *
 * The engine is gone when the address refuses connections several times in a row, after accepting a
 * connection. The mere end of a connection proves nothing: Go's gRPC server closes a silent
 * connection after 120 s. Nor does silence, because a paused engine answers nothing, but the system
 * still accepts connections. The engine holds the other end of the standard input: after the end of
 * the input, a single refusal is enough. An address that never accepted a connection may be no
 * address at all, so then the standard input must have ended.
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

  const connectToEngine = () => {
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ""), port: Number(port) });
    // The socket must not keep an idle process alive.
    socket.unref();
    // Without a reader, the end of the connection would not be noticed.
    socket.resume();
    socket.once("connect", () => {
      wasReached = true;
      refusals = 0;
    });
    socket.once("error", (error: NodeJS.ErrnoException) => {
      // All other errors, such as a timeout, leave open whether the engine exists.
      refusals = error.code === "ECONNREFUSED" ? refusals + 1 : 0;
    });
    socket.once("close", () => {
      if (inputEnded ? refusals > 0 : wasReached && refusals >= refusalsMin) {
        gone();
      } else {
        setTimeout(connectToEngine, retryPauseMs).unref();
      }
    });
  };
  connectToEngine();

  input?.once("end", () => {
    inputEnded = true;
  });
  input?.on("error", () => undefined);
  input?.resume();
  input?.unref();
}

/**
 * Returns the standard input if the input is a pipe, as made by the engine; otherwise undefined. A
 * file, a terminal or `/dev/null` ends without anybody having closed the input.
 */
export function pipedInput(): Socket | undefined {
  try {
    const input = fstatSync(0);
    return input.isFIFO() || input.isSocket() ? (process.stdin as Socket) : undefined;
  } catch {
    // The standard input was closed before the start of the process.
    return undefined;
  }
}

/** Options of {@link endWithEngine}. */
export interface EndOfProcess {
  /** Cancels the work under way. */
  readonly cancel: () => void;
  /** Time for canceled work, in milliseconds. Default: 2 s. */
  readonly graceMs?: number;
  /** Whether no work is under way, so the process can end at once. Default: never. */
  readonly isIdle?: () => boolean;
}

/** Ends the process after the end of the engine, even if work hangs. */
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
