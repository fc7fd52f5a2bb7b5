/**
 * Runs one piece of work at a time for each key, and work on different keys side by side. The
 * engine handles many resources at once, and two of them may be about one folder or one API key.
 */
export class KeyedMutex {
  /** The work that came last, by key. A key without work is forgotten. */
  readonly #last = new Map<string, Promise<unknown>>();

  /**
   * Runs `work` once everything that was asked for earlier under `key` has ended, whether it
   * succeeded or failed. Returns and throws what `work` does.
   */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#last.get(key) ?? Promise.resolve()).then(work, work);
    this.#last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.#last.get(key) === turn) {
        this.#last.delete(key);
      }
    }
  }
}
