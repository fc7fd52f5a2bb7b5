import { timerMsMax } from "../../../text/duration.js";

/** Time limits of a request, in milliseconds. Waits between retries are not included. */
export interface Deadlines {
  /** Opening a connection, TLS included. Default 10 000. */
  readonly connectMs: number;
  /** From the request to the headers of the response. Default 30 000. Not for archive uploads. */
  readonly headersMs: number;
  /** Between two pieces of the response's body. Default 30 000. */
  readonly bodyIdleMs: number;
  /** The request as a whole, without the time for an archive. Default 60 000. */
  readonly requestMs: number;
  /** Slowest line allowed for an archive, in bytes per second. Default 32 000 (256 kbit/s). */
  readonly minArchiveBytesPerSecond: number;
}

export const defaultDeadlines: Deadlines = {
  connectMs: 10_000,
  headersMs: 30_000,
  bodyIdleMs: 30_000,
  requestMs: 60_000,
  minArchiveBytesPerSecond: 32_000,
};

/** Time allowed for an archive of the given size, in milliseconds. */
export function transferMs(bytes: number, deadlines: Deadlines): number {
  return Math.ceil((bytes / deadlines.minArchiveBytesPerSecond) * 1000);
}

/** Like `work`, but rejects when `signal` aborts: undici notices only on an open connection. */
export async function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
    work.catch(() => {});
  }
}

/** Time limit of a request, combined with the caller's signal. */
export interface Deadline {
  /** Aborts when the time is up or the caller aborts. */
  readonly signal: AbortSignal;
  readonly hasExpired: () => boolean;
  readonly seconds: () => number;
  readonly remainingMs: () => number;
  readonly extend: (milliseconds: number) => void;
  /** Ends the timer and removes the listener from the caller's signal, which may live long. */
  readonly stop: () => void;
}

/** Starts the time limit of a request. */
export function startDeadline(milliseconds: number, caller: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  // Monotonic: the machine's clock may jump.
  const start = performance.now();
  let allowed = milliseconds;
  let passed = false;
  const expire = () => {
    passed = true;
    controller.abort(new Error("deadline"));
  };
  const leftMs = () => Math.min(allowed - (performance.now() - start), timerMsMax);
  let timer = setTimeout(expire, leftMs());
  const cancel = () => controller.abort(new Error("canceled"));
  caller?.addEventListener("abort", cancel, { once: true });
  return {
    signal: controller.signal,
    hasExpired: () => passed,
    seconds: () => allowed / 1000,
    remainingMs: leftMs,
    extend: (more) => {
      clearTimeout(timer);
      allowed += more;
      timer = setTimeout(expire, leftMs());
    },
    stop: () => {
      clearTimeout(timer);
      caller?.removeEventListener("abort", cancel);
    },
  };
}
