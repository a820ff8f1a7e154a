import {
  hashOf,
  heldBeside,
  sameContent,
  sameState,
  type ChangeLink,
  type FileState,
  type Link,
} from '../core/changes';
import type { FileKey } from '../core/fileKey';
import type { Place } from '../core/ids';
import type { FileResult } from '../core/journal';
import { countedAs } from '../core/fold';
import type { FilesPlan } from '../core/plan';
import type { ContentWrite, MoveWrite, RenameWrite } from '../core/resolve';
import { errorText } from './errors';
import type { BlobStore, CurrentFile, Log, WorkspaceFiles } from './ports';
import { putState } from './putState';
import { mapBounded, width } from './store/parallel';
import { isTorn, putBackTorn } from './tornWrites';

export interface WriteOptions {
  /** Stops between files. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, all: number) => void;
}

export interface WriteOutcome {
  readonly write: MoveWrite;
  /** What really changed. */
  readonly links: readonly Link[];
  readonly failure?: string;
}

/** Makes the writes of a move, each read back. */
export class MoveWriter {
  constructor(
    private readonly blobs: BlobStore,
    private readonly log: Log,
  ) {}

  /** Makes the writes in order and tells what really changed; a failure never stops the others. */
  async writeAll(
    files: WorkspaceFiles,
    writes: readonly MoveWrite[],
    options: WriteOptions,
  ): Promise<WriteOutcome[]> {
    let done = 0;
    const one = async (write: MoveWrite): Promise<WriteOutcome> => {
      const outcome = await this.writeOne(files, write, options.signal);
      options.onProgress?.(++done, writes.length);
      return outcome;
    };
    const outcomes: WriteOutcome[] = [];
    for (const group of inOrder(writes)) {
      outcomes.push(...(await mapBounded(group.writes, one, group.together ? width : 1)));
    }
    return this.takeBackHalves(files, outcomes);
  }

  /** A file that took its old name but not its old bytes goes back: half a rename would fit neither place. */
  private async takeBackHalves(
    files: WorkspaceFiles,
    outcomes: readonly WriteOutcome[],
  ): Promise<WriteOutcome[]> {
    const result = [...outcomes];
    for (const { write, failure, links } of outcomes) {
      if (write.type !== 'content' || failure === undefined || links.length > 0) continue;
      const at = result.findIndex(
        (other) => other.write.type === 'rename' && other.write.to === write.file,
      );
      const renamed = result[at];
      if (renamed?.write.type !== 'rename' || renamed.failure !== undefined) continue;
      const back = await renameOne(files, {
        ...renamed.write,
        from: renamed.write.to,
        to: renamed.write.from,
      }).catch((error: unknown) => ({ failure: errorText(error) }));
      if (back.failure === undefined) result[at] = { write: renamed.write, links: [], failure };
      else this.log.warn(`A renamed file could not be put back: ${back.failure}`);
    }
    return result;
  }

  private async writeOne(
    files: WorkspaceFiles,
    write: MoveWrite,
    signal: AbortSignal | undefined,
  ): Promise<WriteOutcome> {
    let before: FileState | undefined;
    try {
      if (signal?.aborted === true) return { write, links: [], failure: 'cancelled' };
      const itself =
        write.type === 'content' &&
        [write.to, write.planned.current.state].some(({ kind }) => kind === 'symlink');
      for (const file of writeFiles(write)) {
        const refusal = await files.refusal(file, itself);
        if (refusal !== undefined) return { write, links: [], failure: refusal };
      }
      if (write.type === 'rename') return await renameOne(files, write);
      before = await heldBefore(files, write);
      return await contentOne(files, write, before);
    } catch (error) {
      this.log.warn('A file of a move could not be written', error);
      return {
        write,
        links: before === undefined ? [] : await this.linksAfterFailure(files, write, before),
        failure: errorText(error),
      };
    }
  }

  /**
   * A write that failed half way may have changed something all the same. What it tore is put back; where that fails too,
   * it is what undo has to take back.
   */
  private async linksAfterFailure(
    files: WorkspaceFiles,
    write: MoveWrite,
    before: FileState,
  ): Promise<Link[]> {
    if (write.type === 'rename') return [];
    const meant = { file: write.file, before, after: write.to };
    if (await putBackTorn(files, this.blobs, meant)) return [];
    const links = await linksLeft(files, this.blobs, meant);
    // A half that was there already is known.
    const { state } = write.planned.current;
    return links.filter(({ after, torn }) => torn === true || !sameContent(after, state));
  }
}

async function renameOne(files: WorkspaceFiles, write: RenameWrite): Promise<WriteOutcome> {
  await files.rename(write.from, write.to);
  const [from, to] = await Promise.all([files.read(write.from), files.read(write.to)]);
  const caseOnly = write.from.toLowerCase() === write.to.toLowerCase();
  if (to.state.kind === 'absent' || (from.state.kind !== 'absent' && !caseOnly)) {
    return { write, links: [], failure: 'it was not renamed' };
  }
  return {
    write,
    links: [{ type: 'rename', from: write.from, to: write.to, state: to.state, by: 'move' }],
  };
}

/** Returns what a change that failed came to, if the file may hold anything else than before it. */
export async function linksLeft(
  files: WorkspaceFiles,
  blobs: BlobStore,
  meant: Pick<ChangeLink, 'file' | 'before' | 'after'>,
): Promise<ChangeLink[]> {
  const { file, before } = meant;
  const torn: ChangeLink = { type: 'change', ...meant, by: 'move', torn: true };
  const now = await files.read(file).catch(() => undefined);
  if (now === undefined) return [torn];
  const after = heldBeside(now, before, meant.after);
  if (after.kind === 'uncovered' || sameContent(after, before)) return [];
  if (sameContent(after, meant.after) || (await isTorn(blobs, now, meant))) return [torn];
  if (now.bytes !== undefined) await blobs.put(now.bytes, hashOf(after)).catch(() => undefined);
  return [{ type: 'change', file, before, after, by: 'move' }];
}

/** Returns what is at a name when its turn comes: a write in front of it may have changed that. */
async function heldBefore(files: WorkspaceFiles, write: ContentWrite): Promise<FileState> {
  if (write.before !== undefined) return write.before;
  const { movedFrom, current } = write.planned;
  return movedFrom === undefined ? countedAs(current) : (await files.read(write.file)).state;
}

async function contentOne(
  files: WorkspaceFiles,
  write: ContentWrite,
  before: FileState,
): Promise<WriteOutcome> {
  const { file, to } = write;
  if (to.kind === 'folder' || before.kind === 'folder') {
    const made = to.kind === 'folder';
    const changed = made
      ? (await files.makeFolder(file), true)
      : await files.removeEmptyFolder(file);
    return { write, links: changed ? [{ type: 'folder', folder: file, made, by: 'move' }] : [] };
  }
  const after = await putState(files, before, write);
  if (after === undefined)
    return { write, links: [], failure: 'this kind of file cannot be written here' };
  const held = heldBeside(after, before, to);
  const links: Link[] = sameState(before, held)
    ? []
    : [{ type: 'change', file, before, after: held, by: 'move' }];
  const wrong = differs(after, to);
  return wrong === undefined ? { write, links } : { write, links, failure: wrong };
}

/** Says how what is there differs from what was wanted, or nothing. */
export function differs(after: CurrentFile, wanted: FileState): string | undefined {
  return sameContent(heldBeside(after, wanted), wanted)
    ? undefined
    : 'reading it back gave other bytes';
}

export function writeFiles(write: MoveWrite): readonly FileKey[] {
  return write.type === 'rename' ? [write.from, write.to] : [write.file];
}

/** Renames and folders go one by one in their order, plain files together. */
function inOrder(writes: readonly MoveWrite[]): { together: boolean; writes: MoveWrite[] }[] {
  const groups: { together: boolean; writes: MoveWrite[] }[] = [];
  for (const write of writes) {
    const together =
      write.type === 'content' &&
      write.to.kind !== 'folder' &&
      write.planned.current.state.kind !== 'folder';
    const last = groups.at(-1);
    if (last?.together === together) last.writes.push(write);
    else groups.push({ together, writes: [write] });
  }
  return groups;
}

/** Returns what a move did to each file it looked at. */
export function fileResults(
  plan: FilesPlan,
  stayed: ReadonlyMap<FileKey, Place>,
  outcomes: readonly WriteOutcome[],
): FileResult[] {
  const failures = new Map<FileKey, string>();
  for (const { write, failure } of outcomes) {
    if (failure !== undefined) for (const file of writeFiles(write)) failures.set(file, failure);
  }
  const writes = new Map(
    outcomes.flatMap(({ write }) => writeFiles(write).map((file) => [file, write] as const)),
  );
  const renamedAway = new Set(
    outcomes.flatMap(({ write, failure }) =>
      write.type === 'rename' && failure === undefined ? [write.from] : [],
    ),
  );
  return plan.files.flatMap((planned): FileResult[] => {
    const { file, added, removed } = planned;
    if (renamedAway.has(file)) return [];
    const counts = {
      ...(added !== undefined && { added }),
      ...(removed !== undefined && { removed }),
    };
    const failure = failures.get(file);
    // Folders come and go with the files in them; only one that could not is worth a word.
    const isFolder = planned.result.kind === 'folder' || planned.current.state.kind === 'folder';
    if (isFolder && failure === undefined && !stayed.has(file)) return [];
    if (failure !== undefined) return [{ file, outcome: 'failed', reason: failure }];
    if (planned.problem?.kind === 'uncovered')
      return [{ file, outcome: 'uncovered', reason: planned.problem.why }];
    if (stayed.has(file)) return [{ file, outcome: 'kept' }];
    const outcome = writes.get(file);
    if (outcome === undefined) return [{ file, outcome: 'unchanged' }];
    if (outcome.type === 'rename' || planned.kind === 'move')
      return [{ file, outcome: 'moved', ...counts }];
    if (outcome.to.kind === 'absent') return [{ file, outcome: 'deleted', ...counts }];
    const merged = planned.kind === 'merge' && sameContent(outcome.to, planned.result);
    return [{ file, outcome: merged ? 'merged' : 'restored', ...counts }];
  });
}
