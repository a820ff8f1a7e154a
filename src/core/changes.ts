import type { FileKey } from './fileKey';
import type { BlobHash } from './ids';

/** Why the bytes of a state are not kept. */
export const uncoveredReasons = [
  'too large',
  'special',
  'unreadable',
  'ignored by a command',
  'not copied yet',
  'storage full',
  'unsaved notebook',
  'imported',
] as const;

export type UncoveredReason = (typeof uncoveredReasons)[number];

/**
 * A recorded state of one file. `absent` is a fact that was seen, never concluded from a missing copy.
 * `mode` (POSIX permission bits) and symbolic links appear only where the host can see them.
 */
export type FileState =
  | { readonly kind: 'absent' }
  | {
      readonly kind: 'file';
      readonly hash: BlobHash;
      readonly size: number;
      readonly mode?: number;
    }
  | { readonly kind: 'folder' }
  | { readonly kind: 'symlink'; readonly target: string }
  | { readonly kind: 'uncovered'; readonly reason: UncoveredReason; readonly size?: number };

/** Who made a change: the agent, a hand between two writes of the agent, a command, or a move. */
export type ChangedBy = 'agent' | 'hand' | 'command' | 'move';

/** One file went from one recorded state to another. Created and deleted are changes from and to `absent`. */
export interface ChangeLink {
  readonly type: 'change';
  readonly file: FileKey;
  readonly before: FileState;
  readonly after: FileState;
  readonly by: ChangedBy;
  /** Set when the change was made in an unsaved editor buffer: the bytes on disk beside it. */
  readonly buffer?: { readonly diskBefore: FileState; readonly diskAfter: FileState };
  /** Set when commands of two sessions overlapped: either may have made the change. */
  readonly shared?: true;
  /** Set where a write of a move failed half way: the file holds `after`, or just a beginning of it. */
  readonly torn?: true;
}

/** One file changed its name; `state` is what it held under both names. */
export interface RenameLink {
  readonly type: 'rename';
  readonly from: FileKey;
  readonly to: FileKey;
  readonly state: FileState;
  readonly by: ChangedBy;
}

/** One folder was made or removed. */
export interface FolderLink {
  readonly type: 'folder';
  readonly folder: FileKey;
  readonly made: boolean;
  readonly by: ChangedBy;
}

/** One step of what a turn or a move did to files, in the order it happened. */
export type Link = ChangeLink | RenameLink | FolderLink;

export const absent: FileState = { kind: 'absent' };

/**
 * Returns what a name holds as recorded states speak of it: beside a recorded link, a link counts as itself and not as
 * what it leads to.
 */
export function heldBeside(
  now: { readonly state: FileState; readonly link?: string },
  ...recorded: readonly FileState[]
): FileState {
  return now.link !== undefined && recorded.some(({ kind }) => kind === 'symlink')
    ? { kind: 'symlink', target: now.link }
    : now.state;
}

/** Returns the hash of a file's bytes. */
export function hashOf(state: FileState): BlobHash | undefined {
  return state.kind === 'file' ? state.hash : undefined;
}

/** Says whether two states hold the same content; the mode folds apart and is not compared. Uncovered equals nothing. */
export function sameContent(a: FileState, b: FileState): boolean {
  switch (a.kind) {
    case 'absent':
    case 'folder':
      return a.kind === b.kind;
    case 'file':
      return b.kind === 'file' && a.hash === b.hash;
    case 'symlink':
      return b.kind === 'symlink' && a.target === b.target;
    case 'uncovered':
      return false;
  }
}

/** Says whether an editor holds something else than the disk that cannot be read before it is saved. */
export function isUnsaved(state: FileState): boolean {
  return state.kind === 'uncovered' && state.reason === 'unsaved notebook';
}

/** Says whether permission bits are the same, where both states have them. */
export function sameMode(a: FileState, b: FileState): boolean {
  return a.kind !== 'file' || b.kind !== 'file' || a.mode === b.mode;
}

/** Says whether two states are the same in every recorded respect, the mode too. */
export function sameState(a: FileState, b: FileState): boolean {
  return sameContent(a, b) && sameMode(a, b);
}

/** Returns the keys a link speaks of: one, or two for a rename. */
export function linkFiles(link: Link): readonly FileKey[] {
  switch (link.type) {
    case 'change':
      return [link.file];
    case 'rename':
      return [link.from, link.to];
    case 'folder':
      return [link.folder];
  }
}

/** Returns the state a link gives a file on one of its sides, or undefined when it does not speak of that file. */
export function sideOf(link: Link, file: FileKey, side: 'before' | 'after'): FileState | undefined {
  switch (link.type) {
    case 'change':
      return link.file === file ? link[side] : undefined;
    case 'rename':
      if (link.from === file) return side === 'before' ? link.state : absent;
      if (link.to === file) return side === 'before' ? absent : link.state;
      return undefined;
    case 'folder':
      if (link.folder !== file) return undefined;
      return (side === 'after') === link.made ? { kind: 'folder' } : absent;
  }
}

/** Returns the hashes of all bytes a link speaks of: what must be kept for it to be walked either way. */
export function hashesOf(link: Link): readonly BlobHash[] {
  const states = statesOf(link);
  return states.flatMap((state) => hashOf(state) ?? []);
}

function statesOf(link: Link): readonly FileState[] {
  if (link.type === 'folder') return [];
  if (link.type === 'rename') return [link.state];
  const { before, after, buffer } = link;
  return [before, after, ...(buffer === undefined ? [] : [buffer.diskBefore, buffer.diskAfter])];
}

/** Returns the same link walked the other way, as a move that takes it back records it. */
export function invertLink(link: Link): Link {
  switch (link.type) {
    case 'change':
      return { ...link, before: link.after, after: link.before };
    case 'rename':
      return { ...link, from: link.to, to: link.from };
    case 'folder':
      return { ...link, made: !link.made };
  }
}
