import { absent, sameState, type FileState, type Link } from './changes';
import type { FileKey } from './fileKey';

/** What one turn came to for one file: its state before the turn's first change and after the last. */
export interface TurnFile {
  readonly file: FileKey;
  /** The name it had before the turn, where that was another one. */
  readonly from?: FileKey;
  readonly before: FileState;
  readonly after: FileState;
  /** An edit by hand lies between, in front of the agent's. */
  readonly byHand: boolean;
}

interface Open {
  from: FileKey;
  readonly before: FileState;
  after: FileState;
  byHand: boolean;
}

/** Folds a turn's links to one change a file, in the order of the first one; what came to nothing is left out. */
export function foldTurn(links: readonly Link[]): TurnFile[] {
  const open = new Map<FileKey, Open>();
  for (const link of links) {
    if (link.type === 'change') {
      const { before, after } = link;
      const known = take(open, link.file, before);
      known.after = after;
      known.byHand ||= link.by === 'hand';
    } else if (link.type === 'rename') {
      rename(open, link.from, link.to, link.state);
    }
  }
  return [...open].flatMap(([name, one]) => {
    const { from, before, after, byHand } = one;
    if (from === name) {
      return sameState(before, after) ? [] : [{ file: name, before, after, byHand }];
    }
    // A file that came and went within the turn never was, whatever its names; a lost one is known by its old name.
    if (before.kind === 'absent') {
      return after.kind === 'absent' ? [] : [{ file: name, before, after, byHand }];
    }
    if (after.kind === 'absent') return [{ file: from, before, after, byHand }];
    return [{ file: name, from, before, after, byHand }];
  });
}

function take(open: Map<FileKey, Open>, file: FileKey, before: FileState): Open {
  const known = open.get(file) ?? { from: file, before, after: before, byHand: false };
  open.set(file, known);
  return known;
}

function rename(open: Map<FileKey, Open>, from: FileKey, to: FileKey, state: FileState): void {
  const source = take(open, from, state);
  const replaced = open.get(to);
  if (replaced !== undefined && replaced !== source && replaced.before.kind !== 'absent') {
    // The name held another file before the turn: that one changed, and the source is gone.
    replaced.after = state;
    source.after = absent;
    return;
  }
  open.delete(from);
  source.after = state;
  open.set(to, source);
}
