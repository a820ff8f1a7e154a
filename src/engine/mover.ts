import { hashOf, heldBeside, isUnsaved, sameContent, sameState } from '../core/changes';
import { keyUri, type FileKey } from '../core/fileKey';
import type { Move, Standing } from '../core/journal';
import {
  planFiles,
  settledStanding,
  type FileChoice,
  type FilesPlan,
  type PlannedFile,
  type PlanReader,
} from '../core/plan';
import { resolvePlan, type MoveWrite } from '../core/resolve';
import { toRetraceError } from './errors';
import type { Locks } from './locks';
import { aimMove, type MoveAim, type MovePlan, type MoveRequest } from './movePlan';
import { fileResults, MoveWriter, writeFiles } from './moveWriter';
import type { OpenSession } from './openSession';
import type { BlobStore, CurrentFile, Log, Runtime, WorkspaceFiles } from './ports';
import { mapBounded } from './store/parallel';
import { replacedIn } from './tornWrites';

/** What settling told, beside the entry itself. */
export type ApplyResult =
  | { readonly kind: 'moved'; readonly move: Move }
  /** Files changed since the plan was made; this is the new plan, and nothing was written. */
  | { readonly kind: 'replanned'; readonly plan: MovePlan };

export interface ApplyOptions {
  readonly choices: ReadonlyMap<FileKey, FileChoice>;
  /** Stops between files; those not reached stay apart and can be retried. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, all: number) => void;
}

/** Plans, applies and settles moves: the one operation that changes head, files head and `apart`. */
export class Mover {
  private readonly writer: MoveWriter;

  constructor(
    private readonly blobs: BlobStore,
    private readonly locks: Locks,
    private readonly runtime: Runtime,
    log: Log,
  ) {
    this.writer = new MoveWriter(blobs, log);
  }

  /** Works a move out. Reads present bytes and blobs, writes nothing. */
  async plan(session: OpenSession, files: WorkspaceFiles, request: MoveRequest): Promise<MovePlan> {
    return this.planAim(session, files, aimMove(session.state, request), false);
  }

  private async planAim(
    session: OpenSession,
    files: WorkspaceFiles,
    aim: MoveAim,
    replanned: boolean,
  ): Promise<MovePlan> {
    const planned: FilesPlan =
      aim.journey === undefined
        ? { files: [], journey: stay(session.standing) }
        : await planFiles(session.state, aim.journey, this.reader(session, files));
    return { ...aim, planId: this.runtime.newId(), files: planned, replanned };
  }

  private reader(session: OpenSession, files: WorkspaceFiles): PlanReader {
    return {
      current: async (file) => {
        const now = await files.read(file);
        const replaced = await replacedIn(this.blobs, now, session.state.torn.get(file));
        return replaced === undefined ? now : { ...now, replaced };
      },
      blob: (hash) => this.blobs.get(hash),
      sha256: (bytes) => this.runtime.sha256(bytes),
    };
  }

  /**
   * Carries a plan out: keeps the bytes about to be replaced, writes the journal entry ahead, writes the files, reads each
   * back, and settles. The head moves also when a file failed; the failure is in the entry.
   */
  async apply(
    session: OpenSession,
    files: WorkspaceFiles,
    plan: MovePlan,
    options: ApplyOptions,
  ): Promise<ApplyResult> {
    return this.locks.runAll(
      plan.files.files.map(({ file }) => keyUri(session.info.folders, file) ?? file),
      async () => {
        // A turn that ran meanwhile moved the session on: the plan would lead from where it no longer stands.
        const stale = plan.files.journey.from !== session.standing;
        if (stale || !(await this.stillPinned(files, plan.files.files))) {
          const aim = aimMove(session.state, plan.request);
          return { kind: 'replanned', plan: await this.planAim(session, files, aim, true) };
        }
        const move = await this.blobs.use(() => this.carryOut(session, files, plan, options));
        return { kind: 'moved', move };
      },
    );
  }

  private async stillPinned(
    files: WorkspaceFiles,
    planned: readonly PlannedFile[],
  ): Promise<boolean> {
    const checks = await mapBounded(planned, async ({ file, current }) => {
      const now = await files.read(file);
      const state = heldBeside(now, current.state);
      return (
        state.kind === current.state.kind &&
        (sameState(state, current.state) || state.kind === 'uncovered') &&
        (sameContent(now.disk, current.disk) || now.disk.kind === 'uncovered')
      );
    });
    return checks.every(Boolean);
  }

  private async carryOut(
    session: OpenSession,
    files: WorkspaceFiles,
    plan: MovePlan,
    options: ApplyOptions,
  ): Promise<Move> {
    const { journey } = plan.files;
    const planned = await saveReplaced(files, plan.files, options.choices);
    const resolved = resolvePlan(planned, options.choices);
    const present = session.draft.draft;
    const intended: Move = {
      id: this.runtime.newId(),
      verb: plan.request.verb,
      at: this.runtime.now(),
      target: plan.target,
      before: session.standing,
      after: settledStanding(session.state, journey, plan.head, resolved.stayed),
      draftBefore: present,
      draftAfter: plan.draft ?? present,
      links: resolved.links,
      turnsReverted: plan.turnsReverted,
      ...(plan.takesBack && { takesBack: plan.takesBack.id }),
    };
    await this.keepBytes(resolved.writes);
    if (resolved.writes.length > 0) await session.append([{ type: 'move', move: intended }]);

    const outcomes = await this.writer.writeAll(files, resolved.writes, options);
    const stayed = new Map(resolved.stayed);
    for (const { write, failure } of outcomes) {
      if (failure !== undefined)
        for (const file of writeFiles(write)) stayed.set(file, write.planned.place);
    }
    const settled: Move = {
      ...intended,
      after: settledStanding(session.state, journey, plan.head, stayed),
      links: outcomes.flatMap(({ links }) => links),
      results: fileResults(planned, resolved.stayed, outcomes),
    };
    await session.setHead([{ type: 'move', move: settled }]);
    if (plan.draft !== undefined) await session.putDraft(plan.draft);
    return settled;
  }

  /** What is about to be replaced, and what merging made, must be there before the first byte is written. */
  private async keepBytes(writes: readonly MoveWrite[]): Promise<void> {
    try {
      await mapBounded(writes, async (write) => {
        const { bytes, state } = write.planned.current;
        if (bytes !== undefined) await this.blobs.put(bytes, hashOf(state));
        if (write.type === 'content' && write.bytes !== undefined)
          await this.blobs.put(write.bytes, hashOf(write.to));
      });
    } catch (error) {
      throw toRetraceError(error, 'storage');
    }
  }
}

/** What an editor holds that cannot be read is saved where it is to be replaced, so that it can be kept. */
async function saveReplaced(
  files: WorkspaceFiles,
  plan: FilesPlan,
  choices: ReadonlyMap<FileKey, FileChoice>,
): Promise<FilesPlan> {
  const replaced = plan.files.filter(
    ({ file, current }) => isUnsaved(current.state) && choices.get(file) === 'restore',
  );
  if (replaced.length === 0) return plan;
  const saved = new Map<FileKey, CurrentFile>();
  for (const { file } of replaced) saved.set(file, await files.saveUnsaved(file));
  return {
    ...plan,
    files: plan.files.map((one) => ({ ...one, current: saved.get(one.file) ?? one.current })),
  };
}

function stay(standing: Standing): FilesPlan['journey'] {
  return { from: standing, to: standing, takeBack: [] };
}
