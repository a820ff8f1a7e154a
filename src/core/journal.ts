import type { Link } from './changes';
import type { FileKey } from './fileKey';
import type { MoveId, NodeId, Place } from './ids';
import type { Draft } from './node';

/** Where a session stands: the head, the files head, the files that stand elsewhere, and the unsent draft. */
export interface Standing {
  readonly head: NodeId | null;
  readonly filesHead: Place;
  /** For each file that did not come along, the place it still stands at. */
  readonly apart: Readonly<Record<FileKey, Place>>;
}

export type MoveVerb =
  'rewind' | 'edit' | 'regenerate' | 'switch' | 'checkout' | 'undo' | 'redo' | 'files';

export type FileOutcome =
  'restored' | 'merged' | 'deleted' | 'moved' | 'kept' | 'unchanged' | 'uncovered' | 'failed';

/** What a settled move did to one file. */
export interface FileResult {
  readonly file: FileKey;
  readonly outcome: FileOutcome;
  readonly reason?: string;
  readonly added?: number;
  readonly removed?: number;
}

/**
 * One entry of the journal. It is written before the first file is touched (`links` say what is about to be replaced by
 * what) and again, with `results`, when the move has settled; an entry without results was cut off.
 */
export interface Move {
  readonly id: MoveId;
  readonly verb: MoveVerb;
  readonly at: number;
  /** The message the verb was used on, for people. */
  readonly target: NodeId | null;
  readonly before: Standing;
  readonly after: Standing;
  readonly draftBefore: Draft;
  readonly draftAfter: Draft;
  /** From replaced to resulting bytes, for every file the move writes. */
  readonly links: readonly Link[];
  /** For undo and redo: the entry taken back. */
  readonly takesBack?: MoveId;
  readonly results?: readonly FileResult[];
  readonly turnsReverted: number;
}

/** An entry of the session's history in the order it happened: a move, or a turn that began. */
export type JournalStep =
  { readonly type: 'move'; readonly move: Move } | { readonly type: 'turn' };

/** Says whether a move that has settled left everything as it was: there is nothing of it to take back. */
export function changedNothing({ before, after, draftBefore, draftAfter, ...move }: Move): boolean {
  if (move.results === undefined || move.links.length > 0) return false;
  const files = new Set([...Object.keys(before.apart), ...Object.keys(after.apart)]);
  return (
    before.head === after.head &&
    before.filesHead === after.filesHead &&
    [...files].every((file) => before.apart[file] === after.apart[file]) &&
    draftBefore.text === draftAfter.text &&
    JSON.stringify(draftBefore.attachments) === JSON.stringify(draftAfter.attachments)
  );
}

/**
 * Returns the entries that undo and redo would take back next, newest last, from the whole history in order. A move that
 * changed nothing is no step.
 */
export function undoStacks(steps: readonly JournalStep[]): {
  undo: readonly Move[];
  redo: readonly Move[];
} {
  const undo: Move[] = [];
  let redo: Move[] = [];
  for (const step of steps) {
    if (step.type === 'turn') {
      redo = [];
    } else if (step.move.verb === 'undo') {
      undo.pop();
      redo.push(step.move);
    } else if (step.move.verb === 'redo') {
      redo.pop();
      undo.push(step.move);
    } else if (!changedNothing(step.move)) {
      undo.push(step.move);
      redo = [];
    }
  }
  return { undo, redo };
}
