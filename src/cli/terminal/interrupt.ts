import { constants } from "node:os";

/** Thrown when SIGINT or SIGTERM ended the work of a command. `cause`: error of the work. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
  /** 128 plus the signal's number, as in a shell. */
  readonly exitCode: number;

  constructor(signal: "SIGINT" | "SIGTERM", cause: unknown) {
    super(`Ended by ${signal}.`, { cause });
    this.exitCode = 128 + constants.signals[signal];
  }
}

/**
 * Runs work that the first SIGINT or SIGTERM cancels. Canceled work can still report results. A
 * second signal ends the process at once, unless a program in the foreground receives the signal.
 * Throws `Interrupted` when canceled work fails; canceled work that succeeds is a success.
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let received: "SIGINT" | "SIGTERM" | undefined;
  const stop = (signal: "SIGINT" | "SIGTERM") => {
    received = signal;
    release();
    controller.abort();
  };
  const release = () => process.off("SIGINT", stop).off("SIGTERM", stop);
  process.on("SIGINT", stop).on("SIGTERM", stop);
  try {
    return await work(controller.signal);
  } catch (error) {
    throw received === undefined ? error : new Interrupted(received, error);
  } finally {
    release();
  }
}
