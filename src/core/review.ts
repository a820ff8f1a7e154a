import { bytesToLines, diffLines, linesToBytes, type Hunk } from './lineDiff';

/**
 * One change a reply made to a file, and where it lies in what the file holds now: as it was written, edited since, or
 * undone.
 */
export interface ReviewedChange {
  /** Its number within the reply's changes of the file. */
  readonly index: number;
  readonly state: 'as written' | 'edited' | 'undone';
  /** The lines it has now, from `start` to before `end`. */
  readonly start: number;
  readonly end: number;
  /** The lines that were there before the reply, with their line ends; one character a byte. */
  readonly removed: readonly string[];
}

/** A file as the reply found it, as it left it, as it was last recorded with some changes undone, and as it is. */
export interface ReviewedContent {
  readonly before: Uint8Array;
  readonly after: Uint8Array;
  readonly recorded: Uint8Array;
  readonly current: Uint8Array;
}

interface Placed extends Hunk {
  /** Where the new lines lie. */
  readonly at: number;
}

/** Finds the changes of a reply in what a file holds now; undefined for what has no lines or takes too long. */
export function readChanges(content: ReviewedContent): ReviewedChange[] | undefined {
  const before = bytesToLines(content.before);
  const after = bytesToLines(content.after);
  const recorded = bytesToLines(content.recorded);
  const current = bytesToLines(content.current);
  if (!before || !after || !recorded || !current) return undefined;
  const hunks = diffLines(before, after);
  if (hunks === undefined) return undefined;
  const exact = readExactly(before, hunks, current);
  if (exact !== undefined) return exact;
  const known = readExactly(before, hunks, recorded);
  return known && readAmongEdits(known, recorded, current);
}

/** Returns what a file holds with some of its changes undone: each gets its old lines back where it lies now. */
export function undoChanges(
  current: Uint8Array,
  changes: readonly ReviewedChange[],
): Uint8Array | undefined {
  const lines = bytesToLines(current);
  if (lines === undefined) return undefined;
  const result: string[] = [];
  let at = 0;
  for (const { start, end, removed } of changes) {
    result.push(...lines.slice(at, start), ...removed);
    at = end;
  }
  return linesToBytes([...result, ...lines.slice(at)]);
}

function placed(hunks: readonly Hunk[]): Placed[] {
  let shift = 0;
  return hunks.map((hunk) => {
    const at = hunk.start + shift;
    shift += hunk.lines.length - (hunk.end - hunk.start);
    return { ...hunk, at };
  });
}

/** Beyond so many readings of the same lines they are compared instead. */
const mostReadings = 64;

interface Reading {
  readonly at: number;
  readonly changes: readonly ReviewedChange[];
}

/**
 * Reads a file nobody edited as what it must be: the lines no change touched, and between them each change as it was
 * written or undone. A comparison could take one of two equal lines for the other.
 */
function readExactly(
  before: readonly string[],
  hunks: readonly Hunk[],
  current: readonly string[],
): ReviewedChange[] | undefined {
  let readings: Reading[] = [{ at: 0, changes: [] }];
  let known = 0;
  for (const [index, { start, end, lines }] of hunks.entries()) {
    const same = before.slice(known, start);
    const removed = before.slice(start, end);
    known = end;
    const next = new Map<number, Reading>();
    for (const reading of readings) {
      if (!holds(current, reading.at, same)) continue;
      const from = reading.at + same.length;
      for (const state of ['as written', 'undone'] as const) {
        const now = state === 'undone' ? removed : lines;
        const to = from + now.length;
        if (next.has(to) || !holds(current, from, now)) continue;
        const change = { index, state, start: from, end: to, removed };
        next.set(to, { at: to, changes: [...reading.changes, change] });
      }
    }
    readings = [...next.values()];
    if (readings.length === 0 || readings.length > mostReadings) return undefined;
  }
  const rest = before.slice(known);
  const found = readings.find(
    ({ at }) => at + rest.length === current.length && holds(current, at, rest),
  );
  return found && [...found.changes];
}

function holds(lines: readonly string[], at: number, wanted: readonly string[]): boolean {
  return at + wanted.length <= lines.length && wanted.every((line, n) => lines[at + n] === line);
}

/** Finds the changes by what somebody edited since: one that no edit meets lies there as it was recorded. */
function readAmongEdits(
  changes: readonly ReviewedChange[],
  recorded: readonly string[],
  current: readonly string[],
): ReviewedChange[] | undefined {
  const hunks = diffLines(recorded, current);
  if (hunks === undefined) return undefined;
  const edits = placed(hunks);
  return changes.map((change) => {
    const { start: from, end: to, removed } = change;
    const met = edits.filter((edit) => meets(edit, from, to));
    const [first, last] = [met[0], met.at(-1)];
    if (first === undefined || last === undefined) {
      const shift = shiftBefore(edits, from);
      return { ...change, start: from + shift, end: to + shift };
    }
    const start = Math.min(first.at, from + first.at - first.start);
    const end = last.at + last.lines.length + Math.max(0, to - last.end);
    if (change.state === 'undone') return { ...change, start, end };
    const within = first.start >= from && last.end <= to;
    const undone = within && end - start === removed.length && holds(current, start, removed);
    return { ...change, state: undone ? 'undone' : 'edited', start, end };
  });
}

/** An edit that only touches lines of a change is beside it; where there are no such lines, it takes their place. */
function meets(edit: Hunk, from: number, to: number): boolean {
  if (from === to) return edit.start <= from && from <= edit.end;
  return edit.start < to && from < edit.end;
}

function shiftBefore(edits: readonly Placed[], line: number): number {
  return edits
    .filter((edit) => edit.end <= line)
    .reduce((sum, edit) => sum + edit.lines.length - (edit.end - edit.start), 0);
}
