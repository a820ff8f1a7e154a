/** Random choices that a seed gives again. */
export interface Picker {
  /** A whole number from 0, below `limit`. */
  below(limit: number): number;
  /** One of a list; undefined when it is empty. */
  of<T>(list: readonly T[]): T | undefined;
}

/** The numbers are those of mulberry32, by Tommy Ettinger. */
export function picker(seed: number): Picker {
  let state = seed;
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
  return { below, of: (list) => list[below(Math.max(1, list.length))] };
}
