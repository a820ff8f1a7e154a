import type { Link } from '../core/changes';
import type { FileKey } from '../core/fileKey';
import { ancestors } from '../core/graph';
import type { BlobHash, NodeId } from '../core/ids';
import type { Standing } from '../core/journal';
import type { AssistantNode, Draft, Part, TurnError, UserNode } from '../core/node';
import { AgentFiles, type WorkspaceFinder } from './agentFiles';
import type { Approvals } from './approvals';
import { errorText, RetraceError } from './errors';
import { FileTracker, type ChangeSink, type TurnChanges } from './fileTracker';
import type { Locks } from './locks';
import type { OpenSession } from './openSession';
import type {
  BlobStore,
  Agent,
  AgentOutcome,
  AgentTurn,
  Log,
  ModelConfig,
  Runtime,
  WorkspaceFiles,
} from './ports';
import type { LiveTurn } from './store/documents';

/** Where a running turn is kept until it is finished. */
export interface LiveLog {
  saveLive(sessionId: string, live: LiveTurn): Promise<void>;
  clearLive(sessionId: string, nodeId: NodeId): Promise<void>;
}

/** A model ready to be asked. */
export interface ChosenModel {
  readonly config: ModelConfig;
  readonly apiKey?: string;
}

export interface TurnPorts {
  readonly store: LiveLog;
  readonly blobs: BlobStore;
  readonly locks: Locks;
  readonly runtime: Runtime;
  readonly log: Log;
  readonly approvals: Approvals;
  /** Loaded at the first turn, not before. */
  readonly agent: () => Promise<Agent>;
  readonly filesOf: (session: OpenSession) => WorkspaceFiles;
  readonly finderOf: (session: OpenSession) => WorkspaceFinder;
  readonly attachment: AgentTurn['attachment'];
  readonly fetch: typeof fetch;
  readonly instructions: (session: OpenSession) => string;
}

export interface TurnResult {
  readonly sessionId: string;
  readonly userMessageId: NodeId;
  /** Missing when nothing was sent and so no reply began. */
  readonly assistantMessageId?: NodeId;
  readonly status: 'done' | 'failed' | 'interrupted';
  readonly error?: TurnError;
}

/** Partial text is at most this old on disk, in milliseconds. */
const saveEvery = 900;

/** Runs turns: a user's message and the one reply that answers it. */
export class TurnRunner {
  constructor(private readonly ports: TurnPorts) {}

  /** Puts a message under the head. It is on disk before anything is sent. */
  async addMessage(session: OpenSession, parentId: NodeId | null, draft: Draft): Promise<UserNode> {
    const { filesHead, apart } = session.standing;
    const node: UserNode = {
      role: 'user',
      id: this.ports.runtime.newId(),
      parentId,
      filesFrom: filesHead,
      createdAt: this.ports.runtime.now(),
      order: session.state.nextOrder(parentId),
      text: draft.text,
      attachments: draft.attachments,
    };
    await session.setHead([
      { type: 'node', node, standing: { head: node.id, filesHead: node.id, apart } },
    ]);
    return node;
  }

  /**
   * Answers a message. `keepUnsent` says whether a reply that never left stays as a failed one; without it there is no
   * node, and the head goes back to the message.
   */
  async answer(
    session: OpenSession,
    user: UserNode,
    model: ChosenModel,
    keepUnsent: boolean,
  ): Promise<TurnResult> {
    session.refuseWhileRunning();
    const controller = new AbortController();
    const turn = new LiveReply(session, user, model.config.id, this.ports);
    let settle: () => void = () => undefined;
    const settled = new Promise<void>((resolve) => {
      settle = resolve;
    });
    session.running = { nodeId: turn.id, controller, settled };
    try {
      await turn.begin();
      const outcome = await this.run(session, turn, model, controller.signal);
      return await turn.finish(outcome, keepUnsent);
    } finally {
      session.running = undefined;
      session.setWaiting(undefined);
      session.events.fire({ type: 'changed' });
      settle();
    }
  }

  private async run(
    session: OpenSession,
    turn: LiveReply,
    model: ChosenModel,
    signal: AbortSignal,
  ): Promise<AgentOutcome> {
    const { ports } = this;
    const files = ports.filesOf(session);
    const tracker = new FileTracker(
      session.state,
      files,
      ports.blobs,
      ports.locks,
      turn,
      turn.filesFrom,
    );
    try {
      const agent = await ports.agent();
      return await agent.run({
        history: ancestors(session.state.nodes, turn.userId),
        model: model.config,
        ...(model.apiKey !== undefined && { apiKey: model.apiKey }),
        instructions: ports.instructions(session),
        workspace: new AgentFiles({
          session: session.state,
          nodeId: turn.id,
          files,
          tracker,
          finder: ports.finderOf(session),
          signal,
          ask: (kind, detail, always) =>
            ports.approvals.ask(session.id, kind, detail, signal, always),
          seen: turn.seen,
        }),
        attachment: ports.attachment,
        fetch: ports.fetch,
        signal,
        sink: {
          setPart: (index, part) => turn.setPart(index, part),
          waiting: (text) => session.setWaiting(text),
        },
      });
    } catch (error) {
      ports.log.error('The agent failed', error);
      return { status: 'failed', sent: true, error: { code: 'model', message: errorText(error) } };
    }
  }

  /** Stops the running turn and resolves when it has settled. */
  async stop(session: OpenSession): Promise<void> {
    const { running } = session;
    if (running === undefined) return;
    running.controller.abort();
    await running.settled;
  }

  /** Finishes a reply that a crash cut off: what its last write came to is recorded, and it is marked interrupted. */
  async recover(session: OpenSession, live: LiveTurn): Promise<void> {
    const turn = LiveReply.revive(session, live, this.ports);
    const files = this.ports.filesOf(session);
    const tracker = new FileTracker(
      session.state,
      files,
      this.ports.blobs,
      this.ports.locks,
      turn,
      turn.filesFrom,
    );
    await tracker.settlePending();
    await turn.finish({ status: 'interrupted', sent: true }, true);
  }
}

/** A reply being written: shown at once, on disk soon, and turned into a node when it ends. */
class LiveReply implements ChangeSink {
  readonly seen = new Map<FileKey, BlobHash>();
  changes: TurnChanges = { links: [], pending: [] };
  #parts: readonly Part[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #saving: Promise<void> = Promise.resolve();
  #node: AssistantNode;

  constructor(
    private readonly session: OpenSession,
    user: UserNode,
    model: string,
    private readonly ports: TurnPorts,
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

  static revive(session: OpenSession, live: LiveTurn, ports: TurnPorts): LiveReply {
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
    await this.saved();
  }

  setPart(index: number, part: Part): void {
    this.#parts =
      index < this.#parts.length ? this.#parts.with(index, part) : [...this.#parts, part];
    this.show();
    this.#timer ??= setTimeout(() => {
      this.saved().catch((error: unknown) =>
        this.ports.log.warn('A running reply could not be saved', error),
      );
    }, saveEvery);
  }

  update(changes: TurnChanges): void {
    this.changes = changes;
    this.show();
  }

  saved(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const live: LiveTurn = {
      node: this.node('running'),
      standing: this.standing(),
      intents: this.changes.pending,
    };
    this.#saving = this.#saving
      .catch(() => undefined)
      .then(() => this.ports.store.saveLive(this.session.id, live));
    return this.#saving;
  }

  async finish(outcome: AgentOutcome, keepUnsent: boolean): Promise<TurnResult> {
    clearTimeout(this.#timer);
    await this.#saving.catch(() => undefined);
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
    await this.ports.store.clearLive(this.session.id, this.id);
    return { ...result, assistantMessageId: this.id, ...error };
  }

  private show(): void {
    this.session.showRunning(this.node('running'), this.standing());
  }

  private node(status: AssistantNode['status']): AssistantNode {
    return {
      ...this.#node,
      parts: this.#parts,
      status,
      changes: this.changes.links,
      ...(this.seen.size > 0 && { seen: Object.fromEntries(this.seen) }),
    };
  }

  /** A file the agent wrote stands with the reply from then on. */
  private standing(): Standing {
    const written = new Set(
      this.changes.links.flatMap((link: Link) =>
        link.type === 'rename' ? [link.from, link.to] : link.type === 'change' ? [link.file] : [],
      ),
    );
    const apart = Object.fromEntries(
      Object.entries(this.session.standing.apart).filter(([file]) => !written.has(file)),
    );
    return { head: this.id, filesHead: this.id, apart };
  }
}
