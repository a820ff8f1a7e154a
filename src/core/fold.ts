import {
  absent,
  heldBeside,
  isUnsaved,
  sameContent,
  type ChangeLink,
  type FileState,
  type FolderLink,
  type RenameLink,
  type UncoveredReason,
} from './changes';
import type { FileKey } from './fileKey';
import { merge3, type MergeFailure } from './merge';
import type { Route, Step } from './route';

/** What a file holds now; `unsaved` content may differ from what is on `disk`. */
export interface FoldInput {
  readonly state: FileState;
  readonly bytes?: Uint8Array;
  readonly disk: FileState;
  /** Where the name is a symbolic link: where it points; the rest tells of what it leads to. */
  readonly link?: string;
  /** What a write that failed half way was to replace: the file counts as still holding that. */
  readonly replaced?: FileState;
}

/** Returns the state a file counts as having: nobody wants the half back that a failed write left. */
export function countedAs({ state, replaced }: Pick<FoldInput, 'state' | 'replaced'>): FileState {
  return replaced ?? state;
}

/** What the fold reads: present files and stored blobs. A damaged blob is a missing one. */
export interface FoldReader {
  current(file: FileKey): Promise<FoldInput>;
  blob(hash: string): Promise<Uint8Array | undefined>;
  sha256(bytes: Uint8Array): Promise<string>;
}

/** Why two changes cannot be put together; `unsaved` is content of an editor that cannot be read. */
export type Conflict = MergeFailure | 'changed' | 'exists' | 'missing' | 'unsaved';

/** Why a file cannot follow: something to decide, or bytes that are not there. */
export type Problem =
  | { readonly kind: 'conflict'; readonly why: Conflict }
  | { readonly kind: 'uncovered'; readonly why: UncoveredReason | 'blob missing' };

/** What the fold came to for one file. */
export interface Folded {
  readonly file: FileKey;
  readonly current: FoldInput;
  /** What the file shall hold; meaningless beside a problem. */
  readonly result: FileState;
  /** The bytes of a result that is a file. */
  readonly bytes?: Uint8Array;
  readonly merged: boolean;
  /** The side taken from the last link: what *take the checkpoint* gives. Missing where no side was taken. */
  readonly target?: FileState;
  readonly problem?: Problem;
  /** The file whose content, tabs and mode this one shall take over by a rename. */
  readonly movedFrom?: FileKey;
}

interface Cell {
  current: FoldInput;
  state: FileState;
  bytes: Uint8Array | undefined;
  merged: boolean;
  /** No step has touched it yet: what is on disk may stand for it in a rename. */
  pristine: boolean;
  target: FileState | undefined;
  problem: Problem | undefined;
  /** The file on disk that this content is, whatever was changed in it; undefined once there is none. */
  origin: FileKey | undefined;
}

/**
 * Folds the links of a route over the present content of its files, link by link; writes nothing. Where the content is
 * the expected side it becomes the other one, where it already is the other side it stays, else the two changes are
 * merged with the expected side as base.
 */
export async function foldRoute(route: Route, reader: FoldReader): Promise<Folded[]> {
  const cells = new Map<FileKey, Cell>();
  await Promise.all(
    [...route.files].map(async (file) => {
      const current = await reader.current(file);
      cells.set(file, {
        current,
        state: countedAs(current),
        bytes: current.replaced === undefined ? current.bytes : undefined,
        merged: false,
        pristine: true,
        target: undefined,
        problem: undefined,
        origin: countedAs(current).kind === 'absent' ? undefined : file,
      });
    }),
  );
  const fold = new Fold(cells, reader);
  for (const step of route.steps) await fold.take(step);
  return Promise.all([...route.files].map((file) => fold.finish(file)));
}

class Fold {
  constructor(
    private readonly cells: ReadonlyMap<FileKey, Cell>,
    private readonly reader: FoldReader,
  ) {}

  async take({ link, leaving }: Step): Promise<void> {
    switch (link.type) {
      case 'change':
        return this.change(link, leaving);
      case 'rename':
        return this.rename(link, leaving);
      case 'folder':
        this.folder(link, leaving);
    }
  }

  private async change(link: ChangeLink, leaving: boolean): Promise<void> {
    const cell = this.cells.get(link.file);
    if (cell === undefined) return;
    const byHand = link.by === 'hand';
    if (byHand && leaving) return;
    const expected = leaving ? link.after : link.before;
    const wanted = leaving ? link.before : link.after;
    cell.target = wanted;
    if (cell.problem !== undefined) return;
    if (cell.pristine) takeLink(cell, expected, wanted);
    const exact =
      sameContent(cell.state, expected) || (!cell.pristine && bothUncovered(cell.state, expected));
    cell.pristine = false;
    if (exact) {
      cell.state = withMode(wanted, cell.state, expected);
      cell.bytes = undefined;
      if (wanted.kind !== 'file') cell.origin = undefined;
    } else if (!sameContent(cell.state, wanted)) {
      const problem = await this.merge(cell, expected, wanted);
      if (!byHand) cell.problem = problem;
    }
  }

  private async merge(
    cell: Cell,
    base: FileState,
    wanted: FileState,
  ): Promise<Problem | undefined> {
    for (const side of [base, wanted]) {
      if (side.kind === 'uncovered') return { kind: 'uncovered', why: side.reason };
    }
    if (isUnsaved(cell.state)) return { kind: 'conflict', why: 'unsaved' };
    if (cell.state.kind === 'uncovered') return { kind: 'uncovered', why: cell.state.reason };
    if (base.kind === 'absent') return { kind: 'conflict', why: 'exists' };
    if (cell.state.kind === 'absent') return { kind: 'conflict', why: 'missing' };
    if (base.kind !== 'file' || wanted.kind !== 'file' || cell.state.kind !== 'file') {
      return { kind: 'conflict', why: 'changed' };
    }
    const [baseBytes, wantedBytes, ourBytes] = await Promise.all([
      this.reader.blob(base.hash),
      this.reader.blob(wanted.hash),
      cell.bytes ?? this.reader.blob(cell.state.hash),
    ]);
    if (baseBytes === undefined || wantedBytes === undefined || ourBytes === undefined) {
      return { kind: 'uncovered', why: 'blob missing' };
    }
    const merged = merge3(baseBytes, ourBytes, wantedBytes);
    if (!merged.ok) return { kind: 'conflict', why: merged.why };
    const hash = await this.reader.sha256(merged.bytes);
    cell.state = withMode(
      { kind: 'file', hash, size: merged.bytes.length },
      cell.state,
      base,
      wanted,
    );
    cell.bytes = merged.bytes;
    cell.merged = true;
    return undefined;
  }

  private async rename(link: RenameLink, leaving: boolean): Promise<void> {
    const [fromKey, toKey] = leaving ? [link.to, link.from] : [link.from, link.to];
    const from = this.cells.get(fromKey);
    const to = this.cells.get(toKey);
    if (from === undefined || to === undefined || link.by === 'hand') return;
    const exact =
      sameContent(from.state, link.state) ||
      (from.pristine && sameContent(from.current.disk, link.state));
    const free = to.state.kind === 'absent' || sameFileOnDisk(fromKey, toKey);
    if (exact && free && from.problem === undefined && to.problem === undefined) {
      Object.assign(to, {
        state: from.state,
        bytes: from.bytes,
        origin: from.origin,
        merged: from.merged,
        pristine: from.pristine,
        target: link.state,
      });
      Object.assign(from, {
        state: absent,
        bytes: undefined,
        target: absent,
        origin: undefined,
        pristine: false,
      });
      return;
    }
    for (const half of halves(link, leaving)) await this.change(half, leaving);
  }

  private folder(link: FolderLink, leaving: boolean): void {
    const cell = this.cells.get(link.folder);
    if (cell === undefined) return;
    const wanted: FileState = link.made !== leaving ? { kind: 'folder' } : absent;
    cell.target = wanted;
    cell.pristine = false;
    if (cell.state.kind === 'folder' || cell.state.kind === 'absent') cell.state = wanted;
  }

  /** Fetches and checks the bytes a result needs, so that nothing is written before everything is known to be there. */
  async finish(file: FileKey): Promise<Folded> {
    const cell = this.cells.get(file);
    if (cell === undefined) throw new Error(`no cell for ${file}`);
    const { current, state, merged, target, origin } = cell;
    const taker = [...this.cells.values()].find((other) => other !== cell && other.origin === file);
    const problem = cell.problem ?? taker?.problem;
    const known = { file, current, merged, ...(target && { target }) };
    if (problem !== undefined) return { ...known, result: current.state, problem };
    if (state.kind === 'uncovered') {
      return { ...known, result: current.state, problem: { kind: 'uncovered', why: state.reason } };
    }
    // A name that shall hold something again cannot give its file away.
    const given =
      origin !== undefined && origin !== file && this.cells.get(origin)?.state.kind === 'absent';
    const movedFrom = given ? { movedFrom: origin } : {};
    if (state.kind !== 'file') return { ...known, result: state, ...movedFrom };
    if (sameContent(state, current.state)) {
      return {
        ...known,
        result: state,
        ...(current.bytes && { bytes: current.bytes }),
        ...movedFrom,
      };
    }
    const bytes = cell.bytes ?? (await this.reader.blob(state.hash));
    if (bytes === undefined) {
      return {
        ...known,
        result: current.state,
        problem: { kind: 'uncovered', why: 'blob missing' },
      };
    }
    return { ...known, result: state, bytes, ...movedFrom };
  }
}

/** Where a link was made or replaced, the link at that name is meant, and its target is left alone. */
function takeLink(cell: Cell, expected: FileState, wanted: FileState): void {
  const held = heldBeside(cell.current, expected, wanted);
  if (held.kind !== 'symlink' || cell.state.kind === 'symlink') return;
  const { bytes: _, ...current } = cell.current;
  cell.current = { ...current, state: held };
  cell.state = held;
  cell.bytes = undefined;
}

/** Along an unbroken way the side left uncovered is the very side the next link names; a present file never is. */
function bothUncovered(state: FileState, expected: FileState): boolean {
  return state.kind === 'uncovered' && expected.kind === 'uncovered';
}

/** A mode that is not the recorded one stays the user's and is never a conflict. */
function withMode(
  wanted: FileState,
  present: FileState,
  expected: FileState,
  source: FileState = wanted,
): FileState {
  if (wanted.kind !== 'file' || source.kind !== 'file') return wanted;
  const { mode: _, ...bare } = wanted;
  const users =
    present.kind === 'file' &&
    present.mode !== undefined &&
    expected.kind === 'file' &&
    present.mode !== expected.mode;
  const mode = users
    ? present.mode
    : (source.mode ?? (present.kind === 'file' ? present.mode : undefined));
  return mode === undefined ? bare : { ...bare, mode };
}

function halves(link: RenameLink, leaving: boolean): ChangeLink[] {
  const { by, state } = link;
  const deleted: ChangeLink = { type: 'change', file: link.from, before: state, after: absent, by };
  const created: ChangeLink = { type: 'change', file: link.to, before: absent, after: state, by };
  return leaving ? [created, deleted] : [deleted, created];
}

/** A case-only rename is free even where the file system shows the file under both names. */
function sameFileOnDisk(a: FileKey, b: FileKey): boolean {
  return a !== b && a.toLowerCase() === b.toLowerCase();
}
