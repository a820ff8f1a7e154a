import type { FileKey } from '../../src/core/fileKey';
import type { NodeId } from '../../src/core/ids';
import type { Move } from '../../src/core/journal';
import type { AssistantNode, UserNode } from '../../src/core/node';
import type { FileChoice } from '../../src/core/plan';
import { SessionState, type SessionRecord } from '../../src/core/session';
import { planFork } from '../../src/engine/fork';
import { keepAll } from '../../src/engine/turnCopies';
import { FileTracker, type ChangeSink, type TurnChanges } from '../../src/engine/fileTracker';
import { Locks } from '../../src/engine/locks';
import type { MovePlan, MoveRequest } from '../../src/engine/movePlan';
import { Mover } from '../../src/engine/mover';
import { recoverMove } from '../../src/engine/recoverMove';
import { OpenSession } from '../../src/engine/openSession';
import type { Log, Runtime } from '../../src/engine/ports';
import { MemoryBlobs, MemoryWorkspace, sha256 } from './memoryWorkspace';

export const quietLog: Log = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** One thing an agent does to a file. */
export type Act =
  | { readonly do: 'write'; readonly file: FileKey; readonly text: string }
  | { readonly do: 'edit'; readonly file: FileKey; readonly line: number; readonly text: string }
  | { readonly do: 'delete'; readonly file: FileKey }
  | { readonly do: 'rename'; readonly file: FileKey; readonly to: FileKey };

/** A session over a workspace in memory, told in the words of a user: say, byHand, rewind, undo. */
export class Story {
  readonly records: SessionRecord[] = [];
  session: OpenSession;
  readonly mover: Mover;
  readonly locks = new Locks();
  #ids = 0;

  constructor(
    readonly name = 's',
    readonly workspace = new MemoryWorkspace(),
    readonly blobs = new MemoryBlobs(),
  ) {
    this.mover = new Mover(this.blobs, this.locks, this.runtime(), quietLog);
    this.session = this.open();
  }

  /** Makes a session of its own from the history up to a node; writes no file. */
  fork(at: NodeId | null): Story {
    const plan = planFork({ state: this.session.state, at }, `${this.name}f`, 'fork', 0);
    const fork = new Story(`${this.name}f`, this.workspace, this.blobs);
    fork.records.push(...plan.records.slice(1));
    fork.session = fork.open();
    return fork;
  }

  private open(): OpenSession {
    const state = new SessionState(infoOf(this.name));
    for (const record of this.records) state.apply(record);
    return new OpenSession(state, undefined, {
      append: async (_, records) => void this.records.push(...records),
      saveDraft: async () => undefined,
    });
  }

  /** What the next start does: the session again from its records, and cut-off moves finished. */
  async restart(): Promise<void> {
    this.session = this.open();
    for (const cut of this.session.state.unsettledMoves()) {
      await recoverMove(this.session, this.workspace, this.blobs, cut);
    }
  }

  runtime(): Runtime {
    return {
      now: () => 0,
      newId: () => `${this.name}${++this.#ids}`,
      sha256: async (bytes) => sha256(bytes),
      deflate: async (bytes) => bytes,
      inflate: async (bytes) => bytes,
    };
  }

  /** Sends a message that the agent answers by acting on files. */
  async say(text: string, acts: readonly Act[] = []): Promise<{ user: NodeId; reply: NodeId }> {
    const { head, filesHead, apart } = this.session.standing;
    const user: UserNode = {
      role: 'user',
      id: `${this.name}u${++this.#ids}`,
      parentId: head,
      filesFrom: filesHead,
      createdAt: 0,
      order: this.session.state.nextOrder(head),
      text,
      attachments: [],
    };
    await this.session.setHead([
      { type: 'node', node: user, standing: { head: user.id, filesHead: user.id, apart } },
    ]);
    return { user: user.id, reply: await this.reply(user.id, acts) };
  }

  /** Answers a message, as a turn does. */
  async reply(user: NodeId, acts: readonly Act[]): Promise<NodeId> {
    const { filesHead, apart } = this.session.standing;
    const id = `${this.name}a${++this.#ids}`;
    let changes: TurnChanges = { links: [], pending: [] };
    const sink: ChangeSink = {
      get changes() {
        return changes;
      },
      update: (next) => {
        changes = next;
      },
      saved: async () => undefined,
    };
    const tracker = new FileTracker(
      this.session.state,
      this.workspace,
      keepAll(this.blobs),
      this.locks,
      sink,
      filesHead,
    );
    for (const act of acts) await this.act(tracker, act);
    const written = new Set(
      changes.links.flatMap((link) =>
        link.type === 'rename' ? [link.from, link.to] : link.type === 'change' ? [link.file] : [],
      ),
    );
    const node: AssistantNode = {
      role: 'assistant',
      id,
      parentId: user,
      filesFrom: filesHead,
      createdAt: 0,
      order: this.session.state.nextOrder(user),
      model: 'm',
      parts: [{ type: 'text', text: 'ok' }],
      status: 'done',
      changes: changes.links,
    };
    const rest = Object.fromEntries(Object.entries(apart).filter(([file]) => !written.has(file)));
    await this.session.setHead([
      { type: 'node', node, standing: { head: id, filesHead: id, apart: rest } },
    ]);
    return id;
  }

  private async act(tracker: FileTracker, act: Act): Promise<void> {
    const now = this.workspace.text(act.file);
    const write = (text: string) =>
      tracker.write(act.file, new TextEncoder().encode(text), () => undefined);
    if (this.workspace.folders.has(act.file)) return;
    if (act.do === 'write') await write(act.text);
    else if (now === undefined) return;
    else if (act.do === 'delete') await tracker.remove(act.file, () => undefined);
    else if (act.do === 'edit') await write(withLine(now, act.line, act.text));
    else if (this.workspace.text(act.to) === undefined && !this.workspace.folders.has(act.to)) {
      await tracker.rename(act.file, act.to, () => undefined);
    }
  }

  plan(request: MoveRequest): Promise<MovePlan> {
    return this.mover.plan(this.session, this.workspace, request);
  }

  /** Plans and applies at once, with the same choice for every file that has one. */
  async move(request: MoveRequest, choice?: FileChoice): Promise<Move> {
    const plan = await this.plan(request);
    const choices = new Map(
      plan.files.files.flatMap((file): [FileKey, FileChoice][] =>
        choice === undefined ? [] : [[file.file, choice]],
      ),
    );
    const result = await this.mover.apply(this.session, this.workspace, plan, { choices });
    if (result.kind === 'replanned') throw new Error('the plan went stale');
    return result.move;
  }

  rewind(
    messageId: NodeId,
    scope: MoveRequest['scope'] = 'both',
    choice?: FileChoice,
  ): Promise<Move> {
    return this.move({ verb: 'rewind', messageId, scope }, choice);
  }

  checkout(messageId: NodeId, scope: MoveRequest['scope'] = 'both'): Promise<Move> {
    return this.move({ verb: 'checkout', messageId, scope });
  }

  undo(): Promise<Move> {
    return this.move({ verb: 'undo', scope: 'both' });
  }

  redo(): Promise<Move> {
    return this.move({ verb: 'redo', scope: 'both' });
  }
}

export function infoOf(id: string) {
  return {
    id,
    title: id,
    titleLocked: false,
    folders: [{ id: 'f0', uri: 'file:///w', name: 'w' }],
    createdAt: 0,
    archived: false,
  };
}

/** Replaces one line of a text; a missing line is added at the end. */
export function withLine(text: string, line: number, value: string): string {
  const lines = text.split('\n');
  lines[Math.min(line, lines.length - 1)] = value;
  return lines.join('\n');
}
