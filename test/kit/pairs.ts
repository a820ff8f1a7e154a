/** The values of each dimension of a matrix, by the dimension's name. */
export type Dimensions = Readonly<Record<string, readonly string[]>>;

/** One value of each dimension. */
export type Row<D extends Dimensions> = { readonly [K in keyof D]: D[K][number] };

/** Returns every combination. */
export function product<D extends Dimensions>(dimensions: D): Row<D>[] {
  const rows = Object.entries(dimensions).reduce<Record<string, string>[]>(
    (found, [name, values]) =>
      found.flatMap((row) => values.map((value) => ({ ...row, [name]: value }))),
    [{}],
  );
  return rows as Row<D>[];
}

/**
 * Returns rows that hold every pair of values of two dimensions, few of them: each next row is the one of all that has the
 * most pairs not had yet (the greedy cover of AETG; Cohen, Dalal, Fredman, Patton 1997).
 */
export function pairs<D extends Dimensions>(dimensions: D): Row<D>[] {
  const all = product(dimensions).map((row) => ({ row, pairs: pairsOf(row) }));
  const missing = new Set(all.flatMap((one) => one.pairs));
  const chosen: Row<D>[] = [];
  while (missing.size > 0) {
    let best = all[0];
    let most = 0;
    for (const one of all) {
      const count = one.pairs.filter((pair) => missing.has(pair)).length;
      if (count > most) [best, most] = [one, count];
    }
    if (best === undefined) break;
    for (const pair of best.pairs) missing.delete(pair);
    chosen.push(best.row);
  }
  return chosen;
}

function pairsOf(row: Readonly<Record<string, string>>): string[] {
  const cells = Object.entries(row).map(([name, value]) => `${name}=${value}`);
  return cells.flatMap((cell, at) => cells.slice(at + 1).map((other) => `${cell}, ${other}`));
}
