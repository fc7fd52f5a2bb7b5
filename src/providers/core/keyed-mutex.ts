/** Runs work with equal keys in turn: two resources may concern the same folder or API key. */
export class KeyedMutex {
  /** Last piece of work, by key. A key without work is dropped. */
  readonly #last = new Map<string, Promise<unknown>>();

  /** Returns the result of `work`, after the end of all earlier work with `key`. */
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
