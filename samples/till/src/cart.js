/** Holds what is being bought, in the order it was scanned. */
export class Cart {
  #lines = [];

  add(name, cents, quantity = 1) {
    const line = this.#lines.find((one) => one.name === name);
    if (line) line.quantity += quantity;
    else this.#lines.push({ name, cents, quantity });
  }

  get lines() {
    return this.#lines;
  }

  /** The sum of all lines, in cents. */
  get total() {
    return this.#lines.reduce((sum, line) => sum + line.cents, 0);
  }
}
