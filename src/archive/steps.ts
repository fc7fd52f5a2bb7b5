import { setImmediate as nextTurn } from "node:timers/promises";
import { CanceledError } from "../errors.js";

/** Work in steps of at most a few milliseconds, except for large single files. */
export type Steps<T> = Generator<undefined, T>;

/** Longest time between two turns of the event loop, in milliseconds. */
const turnMs = 15;

/**
 * Runs synchronous work in turns, between which the event loop runs. Synchronous calls read files
 * several times faster than one promise per call. `label`: name of the work in errors, such as
 * `Folder "./x"`.
 *
 * Throws the errors of the work, and `CanceledError` once the signal is aborted.
 */
export async function runInTurns<T>(work: Steps<T>, label: string, signal?: AbortSignal): Promise<T> {
  const pause = createPause(label, signal);
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
    // Canceled work still closes open files.
    work.return(undefined as never);
  }
}

/**
 * Returns a function to call between two steps, which pauses for the event loop. The caller must
 * await the result, unless undefined: not yet time for a pause. Throws `CanceledError`.
 */
export function createPause(label: string, signal: AbortSignal | undefined): () => Promise<void> | undefined {
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

/** Throws `CanceledError` if the signal is aborted. */
export function requireNotCanceled(label: string, signal: AbortSignal | undefined): void {
  if (signal?.aborted) {
    throw canceledError(label, signal);
  }
}

export function canceledError(label: string, signal: AbortSignal | undefined): CanceledError {
  return new CanceledError(`${label} was not read to the end: the operation was canceled.`, {
    cause: signal?.reason,
  });
}
