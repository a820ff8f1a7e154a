import type { GraphRowView } from '../../src/protocol/graph';

/** One line of the picture: a row, or a run of rows folded into one. */
export interface VisibleRow {
  readonly key: string;
  readonly row: GraphRowView;
  /** How many rows are folded here; 0 for a row of its own. */
  readonly folded: number;
  /** The line of what it follows; -1 for the first. */
  readonly parent: number;
}

export interface Folding {
  readonly on: boolean;
  /** Runs that were unfolded, by the key of their fold. */
  readonly opened: ReadonlySet<string>;
  /** A row that must not be folded away. */
  readonly shown: string | undefined;
}

/** Shorter runs are not worth a click. */
const leastRun = 8;
/** Rows kept at each end of a run, so that it can be seen where it comes from and goes to. */
const kept = 2;

/** Returns the lines to draw: long runs in which nothing happens but question and answer are one line. */
export function visibleRows(rows: readonly GraphRowView[], folding: Folding): VisibleRow[] {
  const lines: VisibleRow[] = [];
  const lineOf: number[] = [];
  const plain = folding.on ? plainRows(rows) : [];
  for (let index = 0; index < rows.length;) {
    const row = rows[index];
    if (row === undefined) break;
    const end = index + runLength(plain, index);
    const from = index + kept;
    const to = end - kept;
    const first = rows[from];
    const key = `fold.${first?.key ?? ''}`;
    const hidden = rows.slice(from, to);
    const folds =
      first !== undefined &&
      hidden.length >= leastRun - 2 * kept &&
      !folding.opened.has(key) &&
      !hidden.some((one) => one.key === folding.shown);
    const stop = Math.max(end, index + 1);
    for (; index < stop; index++) {
      const one = rows[index];
      if (one === undefined) continue;
      const parent = lineOf[one.parent] ?? -1;
      if (folds && index === from) {
        lines.push({ key, row: first, folded: hidden.length, parent });
      } else if (!folds || index < from || index >= to) {
        lines.push({ key: one.key, row: one, folded: 0, parent });
      }
      lineOf[index] = lines.length - 1;
    }
  }
  return lines;
}

function runLength(plain: readonly boolean[], from: number): number {
  let end = from;
  while (plain[end] === true) end += 1;
  return end - from;
}

/** Says of each row whether it only goes on from the row above to the row below, with nothing to tell of it. */
function plainRows(rows: readonly GraphRowView[]): boolean[] {
  const children = new Map<number, number>();
  for (const { parent } of rows) children.set(parent, (children.get(parent) ?? 0) + 1);
  return rows.map((row, index) => {
    const next = rows[index + 1];
    return (
      (row.kind === 'user' || row.kind === 'reply') &&
      row.parent === index - 1 &&
      rows[row.parent]?.branch === row.branch &&
      row.status === 'done' &&
      row.marks.length === 0 &&
      row.label === undefined &&
      row.version === undefined &&
      children.get(index) === 1 &&
      next?.branch === row.branch
    );
  });
}

/** Where an arrow key leads from a line: Left to what it follows, Right to what it goes on with. */
export function step(lines: readonly VisibleRow[], from: number, key: string): number | undefined {
  switch (key) {
    case 'ArrowUp':
      return Math.max(0, from - 1);
    case 'ArrowDown':
      return Math.min(lines.length - 1, from + 1);
    case 'ArrowLeft':
      return lines[from] && Math.max(0, lines[from].parent);
    case 'ArrowRight': {
      // What goes on in the same lane comes after all branches; a branch that ends has nothing.
      const below = lines.findLastIndex((line) => line.parent === from);
      return below === -1 ? from : below;
    }
    case 'Home':
      return 0;
    case 'End':
      return lines.length - 1;
    case 'PageUp':
      return Math.max(0, from - 10);
    case 'PageDown':
      return Math.min(lines.length - 1, from + 10);
    default:
      return undefined;
  }
}

/** A straight line down a lane, from a row to the one that goes on from it. */
export interface Trunk {
  readonly from: number;
  readonly to: number;
  readonly row: GraphRowView;
}

/** Returns the trunks longer than one row: those that may pass through a window with neither end in it. */
export function longTrunks(lines: readonly VisibleRow[]): Trunk[] {
  return lines.flatMap((line, to) => {
    const trunk = trunkTo(lines, to);
    return trunk !== undefined && to - trunk.from > 1 ? [trunk] : [];
  });
}

/** Returns the trunk that ends at a line, if it goes on in its parent's lane. */
export function trunkTo(lines: readonly VisibleRow[], to: number): Trunk | undefined {
  const line = lines[to];
  const parent = line && lines[line.parent];
  if (line === undefined || parent?.row.lane !== line.row.lane) return undefined;
  return { from: line.parent, to, row: line.row };
}
