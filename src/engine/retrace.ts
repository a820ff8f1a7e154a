import type { FileChoice } from '../core/plan';
import { changesFiles, isPlain } from '../core/plan';
import type { FileKey } from '../core/fileKey';
import { keyUri } from '../core/fileKey';
import { ancestors } from '../core/graph';
import type { NodeId } from '../core/ids';
import { changedNothing, type Move } from '../core/journal';
import { changesOf, type Draft, type UserNode } from '../core/node';
import { RetraceError } from './errors';
import { forkTitle, planFork } from './fork';
import type { MovePlan, MoveRequest } from './movePlan';
import type { Mover } from './mover';
import { isEmptyDraft } from './drafts';
import type { OpenSession } from './openSession';
import type { Log, Runtime, WorkspaceFiles } from './ports';
import type { Sessions } from './sessions';
import type { TurnResult } from './liveReply';
import { storageError, told } from './store/storageError';
import type { Titles } from './titles';
import type { ChosenModel, TurnRunner } from './turnRunner';

/** How conflicts are met where nobody is asked. */
export type OnConflict = 'ask' | 'keep' | 'restore';

/** A message that can be rewound to, newest first; `n` counts turns back from the head. */
export interface RewindPoint {
  readonly n: number;
  readonly messageId: NodeId;
  readonly text: string;
  readonly createdAt: number;
  readonly filesChanged: number;
}

export interface RetracePorts {
  readonly sessions: Sessions;
  readonly mover: Mover;
  readonly turns: TurnRunner;
  readonly runtime: Runtime;
  readonly log: Log;
  readonly filesOf: (session: OpenSession) => WorkspaceFiles;
  /** Finds a model by id, or the chosen one; throws `not_found`. */
  readonly model: (id: string | undefined, session: OpenSession) => Promise<ChosenModel>;
  /** Throws `untrusted` where turns and moves must not run. */
  readonly requireTrust: () => void;
  /** Asked for a better title after a turn. */
  readonly titles?: Pick<Titles, 'improve'>;
}

/** Everything a person or a command can do to a session. The sidebar, the palette and the command API all come here. */
export class Retrace {
  readonly #plans = new Map<string, { readonly session: OpenSession; readonly plan: MovePlan }>();

  constructor(private readonly ports: RetracePorts) {}

  get sessions(): Sessions {
    return this.ports.sessions;
  }

  /** Sends a message from the head and resolves when the turn has ended. */
  async send(session: OpenSession, draft: Draft, modelId?: string): Promise<TurnResult> {
    if (isEmptyDraft(draft))
      throw new RetraceError('invalid', 'There is nothing to send: type a message first.');
    this.ports.requireTrust();
    session.refuseWhileRunning();
    // Somebody who types on while a move settles is not turned away.
    await session.afterMove();
    // What another window said meanwhile was not seen here: the message follows what was.
    const { head } = session.standing;
    await this.ports.sessions.beforeActing(session);
    const model = await this.ports.model(modelId, session);
    const user = await session.gate(`send ${this.ports.runtime.newId()}`, async () => {
      const node = await this.ports.turns.addMessage(session, head, draft);
      session.setLines([]);
      await this.ports.sessions.titleFrom(session, draft.text);
      return node;
    });
    const result = await this.ports.turns.answer(session, user, model, true);
    if (result.status === 'done') void this.ports.titles?.improve(session, model);
    return result;
  }

  /** Has older turns summarised, for requests only, and then sends `text` to go on. Nothing of them is changed. */
  async continueSummarised(
    session: OpenSession,
    text: string,
    modelId?: string,
  ): Promise<TurnResult> {
    this.ports.requireTrust();
    session.refuseWhileRunning();
    await session.afterMove();
    await this.ports.sessions.beforeActing(session);
    await this.ports.turns.summarise(session, await this.ports.model(modelId, session));
    return this.send(session, { text, attachments: [] }, modelId);
  }

  /** Stops the running turn; resolves when everything has settled. Messages that waited go back into the composer. */
  async stop(session: OpenSession): Promise<void> {
    await Promise.all([session.takeBackQueued(), this.ports.turns.stop(session)]);
  }

  /** Returns the active branch's messages, newest first. */
  rewindPoints(session: OpenSession): RewindPoint[] {
    const path = ancestors(session.state.nodes, session.standing.head);
    const users = path.filter((node): node is UserNode => node.role === 'user').reverse();
    return users.map((user, index) => ({
      n: index + 1,
      messageId: user.id,
      text: user.text,
      createdAt: user.createdAt,
      filesChanged: filesOfTurn(session, path, user),
    }));
  }

  /** Works a move out and keeps the plan until it is applied or cancelled. Writes nothing. */
  async plan(session: OpenSession, request: MoveRequest): Promise<MovePlan> {
    session.refuseWhileRunning();
    await this.ports.sessions.beforeActing(session);
    if (request.verb === 'edit' && (request.draft === undefined || isEmptyDraft(request.draft))) {
      throw new RetraceError('invalid', 'There is nothing to send: type a message first.');
    }
    const plan = await told('look at the files', () =>
      this.ports.mover.plan(session, this.ports.filesOf(session), request),
    );
    this.#plans.set(plan.planId, { session, plan });
    return plan;
  }

  /** Returns a kept plan. Throws `not_found` when it was applied, cancelled or replaced. */
  planned(planId: string): { readonly session: OpenSession; readonly plan: MovePlan } {
    const kept = this.#plans.get(planId);
    if (kept === undefined) throw new RetraceError('not_found', 'This question is no longer open.');
    return kept;
  }

  cancel(planId: string): void {
    this.#plans.delete(planId);
  }

  /** Says whether a plan has to be confirmed: some file changes or cannot be restored. */
  needsAnswer(plan: MovePlan, plainIsAllowed: boolean): boolean {
    return changesFiles(plan.files) && !(plainIsAllowed && isPlain(plan.files));
  }

  /** Carries a plan out. Where files changed since, a new plan is kept and returned, and nothing was written. */
  async apply(
    planId: string,
    choices: ReadonlyMap<FileKey, FileChoice>,
    options: {
      readonly signal?: AbortSignal;
      readonly onProgress?: (done: number, all: number) => void;
    } = {},
  ): Promise<
    | { readonly kind: 'moved'; readonly move: Move }
    | { readonly kind: 'replanned'; readonly plan: MovePlan }
  > {
    const { session, plan } = this.planned(planId);
    if (plan.files.files.some((file) => file.kind !== 'unchanged')) this.ports.requireTrust();
    await this.ports.sessions.beforeActing(session);
    return session.gate(gateKey(plan.request), async () => {
      await session.takeBackQueued();
      const backedUp = this.ports.sessions.backUp(session, plan.request.verb);
      const apply = () =>
        this.ports.mover
          .apply(session, this.ports.filesOf(session), plan, { choices, ...options })
          .catch((error: unknown) => {
            throw storageError('carry out the move', error);
          });
      const result = changesFiles(plan.files)
        ? await this.ports.sessions.holding(session, backedUp, apply)
        : await backedUp.then(apply);
      this.#plans.delete(planId);
      if (result.kind === 'replanned') {
        this.#plans.set(result.plan.planId, { session, plan: result.plan });
      } else {
        session.compared ||= plan.journey !== undefined;
        session.setLines([{ kind: 'move', id: result.move.id, moveId: result.move.id }]);
      }
      return result;
    });
  }

  /** Plans and carries out without asking. With `ask`, a conflict is refused and nothing is written. */
  async move(
    session: OpenSession,
    request: MoveRequest,
    onConflict: OnConflict,
  ): Promise<{ readonly plan: MovePlan; readonly move: Move }> {
    let plan = await this.plan(session, request);
    for (let tries = 0; tries < 5; tries++) {
      const conflicts = plan.files.files.filter((file) => file.kind === 'conflict');
      if (onConflict === 'ask' && conflicts.length > 0) {
        this.cancel(plan.planId);
        const names = conflicts
          .map(({ file }) => keyUri(session.info.folders, file) ?? file)
          .join(', ');
        throw new RetraceError('conflict', 'These files hold changes that cannot be merged: {0}', [
          names,
        ]);
      }
      const choices = new Map(
        plan.files.files.flatMap((file): [FileKey, FileChoice][] =>
          onConflict === 'restore' && file.problem !== undefined && file.choices.includes('restore')
            ? [[file.file, 'restore']]
            : [],
        ),
      );
      const result = await this.apply(plan.planId, choices);
      if (result.kind === 'moved') return { plan, move: result.move };
      plan = result.plan;
    }
    throw new RetraceError(
      'storage',
      'The files keep changing. Try again when nothing else writes them.',
    );
  }

  /** After a move of `regenerate` or `edit`: runs the turn the move made room for. */
  async continueAfter(session: OpenSession, plan: MovePlan): Promise<TurnResult> {
    const model = await this.ports.model(plan.request.model, session);
    if (plan.request.verb === 'edit') {
      const draft = plan.request.draft ?? { text: '', attachments: [] };
      // Asked twice, the message is still sent once.
      const user = await session.gate(`edit ${plan.planId}`, () =>
        this.ports.turns.addMessage(session, plan.continueAt ?? null, draft),
      );
      session.setLines([]);
      return this.ports.turns.answer(session, user, model, true);
    }
    const user = session.state.nodes.get(plan.continueAt ?? '');
    if (user?.role !== 'user')
      throw new RetraceError('not_found', 'The message to answer is gone.');
    session.setLines([]);
    const result = await this.ports.turns.answer(session, user, model, false);
    // Nothing was sent, so nothing may have changed: head and files go back to where they were.
    const made = session.state.steps.findLast((step) => step.type === 'move');
    const moved = made?.type === 'move' && !changedNothing(made.move);
    if (moved && result.assistantMessageId === undefined && session.standing.head === user.id) {
      await this.move(session, { verb: 'undo', scope: 'both' }, 'keep');
    }
    return result;
  }

  /** Makes a new session from the history up to a message, or without the last `turns` turns. Writes no file. */
  async fork(
    session: OpenSession,
    at: { readonly messageId?: NodeId; readonly turns?: number },
  ): Promise<OpenSession> {
    await this.ports.sessions.follow(session);
    const point = this.forkPoint(session, at);
    await this.ports.sessions.backUp(session, 'fork');
    return this.ports.sessions.exclusively(async () => {
      const titles = (await this.ports.sessions.cards()).map((card) => card.title);
      const title = forkTitle(session.info.title, titles);
      const origin = {
        state: session.state,
        at: point,
        ...(session.running && { running: session.running.nodeId }),
      };
      const plan = planFork(origin, this.ports.runtime.newId(), title, this.ports.runtime.now());
      return this.ports.sessions.createFrom(plan);
    });
  }

  private forkPoint(
    session: OpenSession,
    at: { readonly messageId?: NodeId; readonly turns?: number },
  ): NodeId | null {
    if (at.messageId !== undefined) {
      const node = session.state.nodes.get(at.messageId);
      if (node === undefined || node.role === 'files') {
        throw new RetraceError('not_found', 'There is no message {0} in this session.', [
          at.messageId,
        ]);
      }
      return node.id;
    }
    const turns = at.turns ?? 0;
    const points = this.rewindPoints(session);
    if (!Number.isInteger(turns) || turns < 0 || turns > points.length) {
      throw new RetraceError('out_of_range', 'Choose a whole number from 0 to {0}.', [
        points.length,
      ]);
    }
    if (turns === 0) return session.standing.head;
    const point = points[turns - 1];
    const user = point === undefined ? undefined : session.state.nodes.get(point.messageId);
    return user?.parentId ?? null;
  }
}

function gateKey(request: MoveRequest): string {
  const { verb, messageId, scope, only, to, draft, model } = request;
  return JSON.stringify([verb, messageId, scope, only, to, draft, model]);
}

function filesOfTurn(
  session: OpenSession,
  path: readonly { id: NodeId }[],
  user: UserNode,
): number {
  const files = new Set<FileKey>();
  for (const node of path) {
    const found = session.state.nodes.get(node.id);
    if (found?.parentId !== user.id) continue;
    for (const link of changesOf(found)) {
      if (link.type === 'change' && link.by !== 'hand') files.add(link.file);
      if (link.type === 'rename') files.add(link.to);
    }
  }
  return files.size;
}
