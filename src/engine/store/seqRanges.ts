/** A set of whole numbers kept as ranges: numbers handed out one after the other cost one range. */
export class SeqRanges {
  readonly #ranges: [from: number, to: number][] = [];

  static of(ranges: readonly (readonly [number, number])[]): SeqRanges {
    const result = new SeqRanges();
    for (const [from, to] of ranges) result.#ranges.push([from, to]);
    result.#ranges.sort(([a], [b]) => a - b);
    return result;
  }

  has(value: number): boolean {
    const range = this.#ranges[this.#before(value)];
    return range !== undefined && value <= range[1];
  }

  add(value: number): void {
    if (this.has(value)) return;
    const at = this.#before(value);
    const below = this.#ranges[at];
    const above = this.#ranges[at + 1];
    if (below?.[1] === value - 1) {
      below[1] = value;
      if (above?.[0] !== value + 1) return;
      below[1] = above[1];
      this.#ranges.splice(at + 1, 1);
    } else if (above?.[0] === value + 1) {
      above[0] = value;
    } else {
      this.#ranges.splice(at + 1, 0, [value, value]);
    }
  }

  /** Returns the ranges in order, both ends included. */
  list(): readonly (readonly [from: number, to: number])[] {
    return this.#ranges.map(([from, to]) => [from, to] as const);
  }

  /** Returns the index of the last range that begins at or below a value, or -1. */
  #before(value: number): number {
    let low = 0;
    let high = this.#ranges.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#ranges[middle]?.[0] ?? Infinity) <= value) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}
