import { setImmediate as nextTurn } from "node:timers/promises";
import { CanceledError } from "../errors.js";

/** Longest time between two turns of the event loop, as far as single files allow it. Milliseconds. */
const turnMs = 15;

/**
 * Lets other work run between the files, and ends when the caller cancels. Files are read with synchronous calls, several
 * times faster than one promise for each call; what that blocks is bounded here.
 */
export class Pace {
  /** Ends the work when it is aborted. */
  readonly signal: AbortSignal | undefined;
  /** Names the work in errors. */
  readonly label: string;
  #turnedAt = performance.now();

  /** `label` names the work in the error: `Folder "./extension"`. */
  constructor(label: string, signal: AbortSignal | undefined) {
    this.label = label;
    this.signal = signal;
  }

  /** Called between two files. Throws `CanceledError` when the signal is aborted. */
  async step(): Promise<void> {
    if (performance.now() - this.#turnedAt >= turnMs) {
      await nextTurn();
      this.#turnedAt = performance.now();
    }
    if (this.signal?.aborted) {
      throw this.canceled();
    }
  }

  /** The error that the work ends with once the signal is aborted. */
  canceled(): CanceledError {
    return new CanceledError(`${this.label} was not read to the end: the operation was canceled.`, {
      cause: this.signal?.reason,
    });
  }
}
