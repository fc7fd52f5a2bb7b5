/** Lets one caller at a time go on, in the order they came. */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #isTaken = false;

  /** Whether somebody waits for the turn that is taken. */
  get isAwaited(): boolean {
    return this.#waiting.length > 0;
  }

  /** Resolves when it is the caller's turn, which it has to `release`. Rejects, without a turn, when the signal is aborted first. */
  async take(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (!this.#isTaken) {
      this.#isTaken = true;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const enter = () => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        reject(signal?.reason);
      };
      this.#waiting.push(enter);
      signal?.addEventListener("abort", leave, { once: true });
    });
  }

  /** Passes the turn on. */
  release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) {
      this.#isTaken = false;
    } else {
      next();
    }
  }
}
