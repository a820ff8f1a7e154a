/** A typed event; returns from `on` a function that stops listening. */
export class Emitter<T> {
  readonly #listeners = new Set<(event: T) => void>();

  on(listener: (event: T) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  fire(event: T): void {
    for (const listener of [...this.#listeners]) listener(event);
  }

  clear(): void {
    this.#listeners.clear();
  }
}
