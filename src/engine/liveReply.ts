import { linkFiles } from '../core/changes';
import type { FileKey } from '../core/fileKey';
import type { BlobHash, NodeId } from '../core/ids';
import type { Standing } from '../core/journal';
import type { AssistantNode, Part, TurnError, UserNode } from '../core/node';
import { keptSeen } from '../core/seen';
import { RetraceError } from './errors';
import type { ChangeSink, TurnChanges } from './fileTracker';
import type { OpenSession } from './openSession';
import type { AgentOutcome, Log, Runtime } from './ports';
import type { LiveTurn } from './store/documents';
import type { Looks } from './store/looks';
import type { Intent } from './store/intents';

/** Where a running turn is kept until it is finished. */
export interface LiveLog {
  saveLive(sessionId: string, live: LiveTurn): Promise<void>;
  saveIntent(sessionId: string, nodeId: NodeId, intent: Intent): Promise<void>;
  clearLive(sessionId: string, nodeId: NodeId): Promise<void>;
  /** The same behind what goes on, where the finished node is stored. */
  clearLiveSoon(sessionId: string, nodeId: NodeId): void;
  looks(sessionId: string): Looks;
}

/** What a reply being written needs around it. */
export interface ReplyPorts {
  readonly store: LiveLog;
  readonly runtime: Runtime;
  readonly log: Log;
}

export interface TurnResult {
  readonly sessionId: string;
  readonly userMessageId: NodeId;
  /** Missing when nothing was sent and so no reply began. */
  readonly assistantMessageId?: NodeId;
  readonly status: 'done' | 'failed' | 'interrupted';
  readonly error?: TurnError;
}

/** Partial text is at most this old on disk, in milliseconds; a turn that is silent is heard of as often. */
const saveEvery = 900;

/** So long after its last sign of life a turn of another process counts as abandoned. */
export const staleAfter = 4 * saveEvery;

/** A reply being written: shown at once, on disk soon, and turned into a node when it ends. */
export class LiveReply implements ChangeSink {
  readonly seen = new Map<FileKey, BlobHash>();
  changes: TurnChanges = { links: [], pending: [] };
  #parts: readonly Part[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #heartbeat: ReturnType<typeof setInterval> | undefined;
  #saving: Promise<void> = Promise.resolve();
  #announced = 0;
  /** How many changes are on disk, in the document or in intents. */
  #stored = 0;
  #storedParts: readonly Part[] = [];
  #node: AssistantNode;

  constructor(
    private readonly session: OpenSession,
    user: UserNode,
    model: string,
    private readonly ports: ReplyPorts,
    revived?: AssistantNode,
  ) {
    this.#node = revived ?? {
      role: 'assistant',
      id: ports.runtime.newId(),
      parentId: user.id,
      filesFrom: session.standing.filesHead,
      createdAt: ports.runtime.now(),
      order: session.state.nextOrder(user.id),
      model,
      parts: [],
      status: 'running',
      changes: [],
    };
  }

  static revive(session: OpenSession, live: LiveTurn, ports: ReplyPorts): LiveReply {
    const user =
      live.node.parentId === null ? undefined : session.state.nodes.get(live.node.parentId);
    if (user?.role !== 'user')
      throw new RetraceError('storage', 'A reply was found whose message is missing.');
    const turn = new LiveReply(session, user, live.node.model, ports, live.node);
    turn.#parts = live.node.parts;
    turn.changes = {
      links: live.node.changes,
      pending: live.intents.flatMap((link) => (link.type === 'change' ? [link] : [])),
    };
    for (const [file, hash] of Object.entries(live.node.seen ?? {})) turn.seen.set(file, hash);
    session.state.setRunning(live.node, live.standing);
    return turn;
  }

  get id(): NodeId {
    return this.#node.id;
  }

  get userId(): NodeId | null {
    return this.#node.parentId;
  }

  get filesFrom(): AssistantNode['filesFrom'] {
    return this.#node.filesFrom;
  }

  async begin(): Promise<void> {
    this.show();
    await this.save();
    this.#heartbeat = setInterval(() => this.#timer ?? this.saveSoon(), saveEvery);
  }

  setPart(index: number, part: Part): void {
    this.#parts =
      index < this.#parts.length ? this.#parts.with(index, part) : [...this.#parts, part];
    this.show();
    this.#timer ??= setTimeout(() => this.saveSoon(), saveEvery);
  }

  /** Puts a text in the place of what the calls that still run would have answered. */
  tellOfRunning(output: string): void {
    this.#parts = this.#parts.map((part) =>
      part.type === 'tool' && part.state === 'running' ? { ...part, output } : part,
    );
  }

  private saveSoon(): void {
    this.save().catch((error: unknown) =>
      this.ports.log.warn('A running reply could not be saved', error),
    );
  }

  update(changes: TurnChanges): void {
    this.changes = changes;
    this.show();
  }

  /** Writes ahead just what is new: the whole reply, which grows, is saved behind. */
  async saved(): Promise<void> {
    const { links, pending } = this.changes;
    const parts = this.#parts;
    const from = this.#stored;
    const changed = parts.findIndex((part, index) => part !== this.#storedParts[index]);
    const partsFrom = changed === -1 ? parts.length : changed;
    await this.ports.store.saveIntent(this.session.id, this.id, {
      ...{ n: ++this.#announced, from, links: links.slice(from), pending },
      ...{ partsFrom, parts: parts.slice(partsFrom) },
    });
    this.#stored = Math.max(this.#stored, links.length);
    this.#storedParts = parts;
  }

  private save(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const live: LiveTurn = {
      node: this.node('running'),
      standing: this.standing(),
      intents: this.changes.pending,
      announced: this.#announced,
    };
    this.#saving = this.#saving
      .catch(() => undefined)
      .then(() => this.ports.store.saveLive(this.session.id, live))
      .then(() => {
        this.#stored = Math.max(this.#stored, live.node.changes.length);
        this.#storedParts = live.node.parts;
      });
    return this.#saving;
  }

  /** Saves no more; resolves when what was being saved is. */
  async giveUp(): Promise<void> {
    clearInterval(this.#heartbeat);
    clearTimeout(this.#timer);
    await this.#saving.catch(() => undefined);
  }

  async finish(outcome: AgentOutcome, keepUnsent: boolean): Promise<TurnResult> {
    await this.giveUp();
    const result = {
      sessionId: this.session.id,
      userMessageId: this.userId ?? '',
      status: outcome.status,
    };
    const error = outcome.error === undefined ? {} : { error: outcome.error };
    if (
      !outcome.sent &&
      !keepUnsent &&
      this.changes.links.length === 0 &&
      this.#parts.length === 0
    ) {
      const { apart } = this.session.standing;
      this.session.state.dropRunning(this.id, {
        head: this.userId,
        filesHead: this.filesFrom,
        apart,
      });
      await this.ports.store.clearLive(this.session.id, this.id);
      return { ...result, ...error };
    }
    this.#parts = this.#parts.map((part) =>
      part.type === 'tool' && part.state === 'running'
        ? { ...part, state: 'interrupted', endedAt: this.ports.runtime.now() }
        : part,
    );
    const node: AssistantNode = {
      ...this.node(outcome.status),
      ...error,
      ...(outcome.usage && { usage: outcome.usage }),
    };
    await this.session.setHead([{ type: 'node', node, standing: this.standing() }]);
    this.ports.store.clearLiveSoon(this.session.id, this.id);
    return { ...result, assistantMessageId: this.id, ...error };
  }

  private show(): void {
    this.session.showRunning(this.shown('running'), this.standing());
  }

  private shown(status: AssistantNode['status']): AssistantNode {
    return { ...this.#node, parts: this.#parts, status, changes: this.changes.links };
  }

  private node(status: AssistantNode['status']): AssistantNode {
    const seen = keptSeen(this.seen, this.changes.links);
    return { ...this.shown(status), ...(seen && { seen }) };
  }

  /** A file the agent wrote stands with the reply from then on. */
  private standing(): Standing {
    const entries = Object.entries(this.session.standing.apart);
    if (entries.length === 0) return { head: this.id, filesHead: this.id, apart: {} };
    const written = new Set(this.changes.links.flatMap(linkFiles));
    const apart = Object.fromEntries(entries.filter(([file]) => !written.has(file)));
    return { head: this.id, filesHead: this.id, apart };
  }
}
