/** Runs tasks one after the other per key; tasks of different keys do not wait for each other. */
export class Locks {
  readonly #tails = new Map<string, Promise<unknown>>();

  run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const result = before.then(task, task);
    const tail = result.catch(() => undefined);
    this.#tails.set(key, tail);
    void tail.then(() => {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    });
    return result;
  }

  /** Holds several keys at once; always taken in the same order, so that two holders never wait for each other. */
  async runAll<T>(keys: Iterable<string>, task: () => Promise<T>): Promise<T> {
    const sorted = [...new Set(keys)].sort();
    const from = (index: number): Promise<T> => {
      const key = sorted[index];
      return key === undefined ? task() : this.run(key, () => from(index + 1));
    };
    return from(0);
  }
}
