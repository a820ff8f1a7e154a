import type { NodeId } from '../../core/ids';
import type { AssistantNode } from '../../core/node';
import type { Approvals } from '../../engine/approvals';
import type { OpenSession, SessionEvent } from '../../engine/openSession';
import type { Sheets } from '../../engine/sheets';
import type { Focus, HostFrame, ViewOp } from '../../protocol/messages';
import type { MessageView, SessionView } from '../../protocol/viewModel';
import type { Presenter } from './presentSession';
import { replyOps } from './replyOps';
import type { ChatContext, ChatModels, ChatModes, ChatServices } from './services';

export interface FeedPorts {
  readonly presenter: Presenter;
  readonly sheets: Pick<Sheets, 'changed' | 'current'>;
  readonly approvals: Pick<Approvals, 'changed'>;
  readonly models: Pick<ChatModels, 'onChange'>;
  readonly modes: Pick<ChatModes, 'onChange'>;
  readonly context: Pick<ChatContext, 'onOffer' | 'onInstructions'>;
  readonly sendKey: Pick<ChatServices['sendKey'], 'onChange'>;
}

/** How long changes are collected before they are posted, in milliseconds. */
const delays = { snapshot: 10, delta: 40, counts: 250 } as const;

type Kind = keyof typeof delays;

/**
 * Keeps one page up to date with one session at a time. A running reply is told by what was added to it; anything else
 * is told by the whole view. Nothing is posted before {@link ViewFeed.start}, nor after {@link ViewFeed.pause}.
 */
export class ViewFeed {
  #session: OpenSession | undefined;
  #active = false;
  /** The first view is on its way as an answer; nothing may overtake it. */
  #held = false;
  readonly #wanted = new Set<Kind>();
  #focus: Focus | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #due = 0;
  readonly #revisions = new Map<string, number>();
  #shown: Shown = none();
  readonly #uncounted = new Set<NodeId>();
  /** What the page has of each message of the view it was given last. */
  #told = new Map<string, MessageView>();
  readonly #ends: (() => void)[];
  #endSession: () => void = () => undefined;

  constructor(
    private readonly ports: FeedPorts,
    private readonly post: (frame: HostFrame) => void,
  ) {
    const { presenter, sheets, approvals, models, modes } = ports;
    const { context, sendKey } = ports;
    this.#ends = [
      presenter.countsKnown.on(() => this.#want('counts')),
      models.onChange(() => this.#want('snapshot')),
      modes.onChange(() => this.#want('snapshot')),
      context.onInstructions(() => this.#want('snapshot')),
      context.onOffer(() => this.#want('delta')),
      sendKey.onChange(() => this.#want('snapshot')),
      approvals.changed.on((id) => {
        if (id === this.#session?.id) this.#want('snapshot');
      }),
      sheets.changed.on((id) => {
        if (id !== this.#session?.id) return;
        if (sheets.current(id) !== undefined) this.#focus = 'sheet';
        this.#want('snapshot');
      }),
    ];
  }

  /** Says whether a page was given its first view and is still there. */
  get active(): boolean {
    return this.#active;
  }

  /** Follows a session and returns its whole view; what comes after it waits for {@link ViewFeed.release}. */
  start(session: OpenSession): SessionView {
    this.#follow(session);
    this.#active = true;
    this.#held = true;
    this.#focus = undefined;
    this.#settle();
    this.#told.clear();
    return this.#present(session);
  }

  /** Returns messages of the session shown, which the page has from then on. */
  read(session: OpenSession, ids: readonly string[]): readonly MessageView[] {
    return ids.flatMap((id) => {
      const node = session.state.nodes.get(id);
      const view = node && this.ports.presenter.message(session, node);
      if (view === undefined) return [];
      if (session === this.#session) this.#tell(session, view);
      return [view];
    });
  }

  /** Lets what came after the first view go out. */
  release(): void {
    this.#held = false;
    for (const kind of this.#wanted) this.#want(kind);
  }

  /** Goes over to another session. */
  show(session: OpenSession): void {
    if (session === this.#session) return;
    this.#follow(session);
    this.#want('snapshot');
  }

  /** Has focus put somewhere with the next view of a session. */
  wish(session: OpenSession, focus: Focus): void {
    if (session !== this.#session) return;
    this.#focus = focus;
    this.#want('snapshot');
  }

  /** Posts at once what waits, so that an answer never comes before the change it speaks of. */
  flush(): void {
    const session = this.#session;
    if (this.#held || !this.#active || session === undefined || this.#wanted.size === 0) return;
    const counts = this.#wanted.has('counts');
    const whole = this.#wanted.has('snapshot') || this.#filesLineMoved(session);
    this.#settle();
    if (whole) this.#postSnapshot(session);
    else this.#postDelta(session, counts);
  }

  /** The page is gone or hidden: what is posted to it would be lost. The next start heals everything. */
  pause(): void {
    this.#active = false;
    this.#settle();
  }

  dispose(): void {
    this.pause();
    this.#endSession();
    for (const end of this.#ends) end();
  }

  #follow(session: OpenSession): void {
    if (session === this.#session) return;
    this.#endSession();
    this.#session = session;
    this.#focus = undefined;
    this.#told.clear();
    this.#endSession = session.events.on((event) => this.#take(event));
  }

  #take(event: SessionEvent): void {
    this.#want(event.type === 'changed' ? 'snapshot' : 'delta');
  }

  #want(kind: Kind): void {
    this.#wanted.add(kind);
    if (this.#held || !this.#active) return;
    const due = Date.now() + delays[kind];
    if (this.#timer !== undefined && this.#due <= due) return;
    clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = setTimeout(() => this.flush(), delays[kind]);
  }

  #settle(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#wanted.clear();
  }

  #postSnapshot(session: OpenSession): void {
    const focus = this.#focus;
    this.#focus = undefined;
    this.post({
      type: 'snapshot',
      sessionId: session.id,
      requestId: '',
      from: this.#revisions.get(session.id) ?? 0,
      view: this.#present(session),
      ...(focus && { focus }),
    });
  }

  #present(session: OpenSession): SessionView {
    const told = this.#told;
    const view = this.ports.presenter.present(session, this.#nextRevision(session), told);
    this.#told = new Map();
    this.#uncounted.clear();
    for (const entry of view.messages) {
      const message = entry.role === 'outline' ? told.get(entry.id) : entry;
      if (message !== undefined) this.#tell(session, message);
    }
    this.#shown = {
      reply: runningReply(session),
      waiting: session.waiting,
      files: JSON.stringify(view.files),
      offer: JSON.stringify(view.offer),
    };
    return view;
  }

  #postDelta(session: OpenSession, counts: boolean): void {
    const ops = [...this.#replyOps(session), ...(counts ? this.#countOps(session) : [])];
    if (session.waiting !== this.#shown.waiting) {
      this.#shown.waiting = session.waiting;
      ops.push({ op: 'waiting', text: session.waiting });
    }
    const offer = this.ports.presenter.offer(session);
    if (JSON.stringify(offer) !== this.#shown.offer) {
      this.#shown.offer = JSON.stringify(offer);
      ops.push({ op: 'offer', offer });
    }
    if (ops.length === 0) return;
    const from = this.#revisions.get(session.id) ?? 0;
    const to = this.#nextRevision(session);
    this.post({ type: 'delta', sessionId: session.id, requestId: '', from, to, ops });
  }

  #replyOps(session: OpenSession): ViewOp[] {
    const reply = runningReply(session);
    if (reply === undefined || reply === this.#shown.reply) return [];
    const ops = replyOps(this.#shown.reply, reply) ?? this.#wholeReply(session, reply);
    this.#shown.reply = reply;
    return ops;
  }

  #wholeReply(session: OpenSession, node: AssistantNode): ViewOp[] {
    const view = this.ports.presenter.message(session, node);
    if (view?.role !== 'assistant') return [];
    this.#tell(session, view);
    return [{ op: 'reply', reply: view }];
  }

  #tell(session: OpenSession, view: MessageView): void {
    this.#told.set(view.id, view);
    this.#noteCounts(session, view.id);
  }

  /** A card is told again when all its counts are there, not at each of them. */
  #countOps(session: OpenSession): ViewOp[] {
    return [...this.#uncounted].flatMap((id): ViewOp[] => {
      const node = session.state.nodes.get(id);
      if (node === undefined) return [];
      const view = this.ports.presenter.message(session, node);
      if (!this.ports.presenter.isComplete(node)) return [];
      if (view?.role !== 'assistant') return [];
      this.#tell(session, view);
      return [{ op: 'reply', reply: view }];
    });
  }

  #noteCounts(session: OpenSession, id: NodeId): void {
    const node = session.state.nodes.get(id);
    if (node === undefined || this.ports.presenter.isComplete(node)) this.#uncounted.delete(id);
    else this.#uncounted.add(id);
  }

  /** A write of the running reply may end what the files line says. */
  #filesLineMoved(session: OpenSession): boolean {
    const reply = runningReply(session);
    if (reply === undefined || reply.changes === this.#shown.reply?.changes) return false;
    return JSON.stringify(this.ports.presenter.filesLine(session)) !== this.#shown.files;
  }

  #nextRevision(session: OpenSession): number {
    const revision = (this.#revisions.get(session.id) ?? 0) + 1;
    this.#revisions.set(session.id, revision);
    return revision;
  }
}

/** What the page was told last of what changes on its own; objects as JSON. */
interface Shown {
  reply: AssistantNode | undefined;
  waiting: string | undefined;
  files: string;
  offer: string | undefined;
}

function none(): Shown {
  return { reply: undefined, waiting: undefined, files: '', offer: undefined };
}

function runningReply(session: OpenSession): AssistantNode | undefined {
  const id = session.running?.nodeId;
  const node = id === undefined ? undefined : session.state.nodes.get(id);
  return node?.role === 'assistant' ? node : undefined;
}
