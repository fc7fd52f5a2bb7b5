import { timerMsMax } from "../../duration.js";

/** Runs `work`, but rejects as soon as `signal` aborts: undici notices an abort only after the connection is open. */
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

/** The time one request has, joined with its caller's signal. */
export interface Deadline {
  /** Aborts when the time is over or the caller aborts. */
  readonly signal: AbortSignal;
  /** Whether the time is over. */
  readonly passed: () => boolean;
  /** The time allowed in all, in seconds. */
  readonly seconds: () => number;
  /** The time that is left, in milliseconds. */
  readonly leftMs: () => number;
  /** Allows more time. */
  readonly extend: (milliseconds: number) => void;
  /** Ends the timer and takes the listener off the caller's signal, which may live long. */
  readonly stop: () => void;
}

/** Starts the time of one request. */
export function startDeadline(milliseconds: number, caller: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  const start = Date.now();
  let allowed = milliseconds;
  let passed = false;
  const expire = () => {
    passed = true;
    controller.abort(new Error("deadline"));
  };
  const leftMs = () => Math.min(allowed - (Date.now() - start), timerMsMax);
  let timer = setTimeout(expire, leftMs());
  const cancel = () => controller.abort(new Error("canceled"));
  caller?.addEventListener("abort", cancel, { once: true });
  return {
    signal: controller.signal,
    passed: () => passed,
    seconds: () => allowed / 1000,
    leftMs,
    extend: (more: number) => {
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
