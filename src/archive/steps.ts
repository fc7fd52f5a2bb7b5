import { setImmediate as nextTurn } from "node:timers/promises";
import { CanceledError } from "../errors.js";

/** Work that pauses every few milliseconds, as far as single files allow it. */
export type Steps<T> = Generator<undefined, T>;

/** Longest time between two turns of the event loop, in milliseconds. */
const turnMs = 15;

/**
 * Runs work that uses synchronous calls, which read files several times faster than one promise for
 * each call. Other work gets its turn in between. `label` names the work in the error: `Folder
 * "./x"`.
 *
 * Throws what the work throws, and `CanceledError` once the signal is aborted.
 */
export async function runInTurns<T>(work: Steps<T>, label: string, signal?: AbortSignal): Promise<T> {
  const pause = pauses(label, signal);
  try {
    for (;;) {
      const step = work.next();
      if (step.done) {
        return step.value;
      }
      const pausing = pause();
      // Each `await` takes as long as listing a file.
      if (pausing !== undefined) {
        await pausing;
      }
    }
  } finally {
    // Canceled work still closes the file it has open.
    work.return(undefined as never);
  }
}

/**
 * A function that work calls between two steps. It lets others run, and throws `CanceledError`.
 * What it returns must be awaited; undefined when it is not time for a pause.
 */
export function pauses(label: string, signal: AbortSignal | undefined): () => Promise<void> | undefined {
  let turnedAt = performance.now();
  return () => {
    requireNotCanceled(label, signal);
    return performance.now() - turnedAt < turnMs ? undefined : turn();
  };

  async function turn(): Promise<void> {
    await nextTurn();
    turnedAt = performance.now();
    requireNotCanceled(label, signal);
  }
}

/** Throws `CanceledError` when the signal is aborted. */
export function requireNotCanceled(label: string, signal: AbortSignal | undefined): void {
  if (signal?.aborted) {
    throw canceled(label, signal);
  }
}

/** The error of work that the signal has ended. */
export function canceled(label: string, signal: AbortSignal | undefined): CanceledError {
  return new CanceledError(`${label} was not read to the end: the operation was canceled.`, {
    cause: signal?.reason,
  });
}
