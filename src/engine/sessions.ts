import { keyLabel, type SessionFolder } from '../core/fileKey';
import type { SessionId } from '../core/ids';
import { nodeText } from '../core/node';
import { SessionState, type SessionInfo } from '../core/session';
import { Emitter } from './emitter';
import { RetraceError } from './errors';
import type { ForkPlan } from './fork';
import { Locks } from './locks';
import { OpenSession } from './openSession';
import type { BlobStore, Log, Runtime, WorkspaceFiles } from './ports';
import { recoverMove } from './recoverMove';
import { cardsOf, type SessionCard, type StoredLive } from './store/documents';
import type { SessionStore } from './store/sessionStore';
import type { TurnRunner } from './turnRunner';

export interface SessionsPorts {
  readonly store: SessionStore;
  readonly blobs: BlobStore;
  readonly runtime: Runtime;
  readonly log: Log;
  readonly filesOf: (session: OpenSession) => WorkspaceFiles;
  readonly turns: () => TurnRunner;
  /** The window's workspace folders now. */
  readonly folders: () => readonly { readonly uri: string; readonly name: string }[];
  readonly newTitle: string;
  /** How long a running turn of another window may be silent before it counts as abandoned, in milliseconds. */
  readonly staleAfter: number;
  /** Told what was found damaged, and which cut-off work was finished, when a session opens. */
  readonly told: (session: OpenSession, text: string) => void;
  readonly texts: {
    readonly damaged: (count: number) => string;
    readonly finishedMove: (failed: readonly string[]) => string;
  };
}

const titleLength = 60;

/** The sessions of this window: opened once each, listed by cards, changed through {@link OpenSession}. */
export class Sessions {
  /** Fired when the list, or something a row of it shows, changed. */
  readonly listChanged = new Emitter<SessionId>();
  readonly #open = new Map<SessionId, Promise<OpenSession>>();
  readonly #ready = new Map<SessionId, OpenSession>();
  readonly #locks = new Locks();

  constructor(private readonly ports: SessionsPorts) {}

  /** Makes an empty session, listed at once. */
  async create(title?: string): Promise<OpenSession> {
    const info: SessionInfo = {
      id: this.ports.runtime.newId(),
      title: title ?? this.ports.newTitle,
      titleLocked: title !== undefined,
      folders: this.ports.folders().map(({ uri, name }, index) => ({ id: `f${index}`, uri, name })),
      createdAt: this.ports.runtime.now(),
      archived: false,
    };
    await this.ports.store.create(info);
    return this.adopt(new OpenSession(new SessionState(info), undefined, this.log()));
  }

  /** Stores a fork and opens it. */
  async createFrom(plan: ForkPlan): Promise<OpenSession> {
    await this.ports.store.create(plan.info, plan.records.slice(1));
    const state = new SessionState(plan.info);
    for (const record of plan.records) state.apply(record);
    const session = this.adopt(new OpenSession(state, undefined, this.log()));
    if (plan.draft !== undefined) await session.putDraft(plan.draft, true);
    await this.saveCard(session);
    return session;
  }

  /** Opens a session, finishing what a crash cut off. Throws `not_found`. */
  async open(id: SessionId): Promise<OpenSession> {
    const known = this.#open.get(id);
    if (known !== undefined) return known;
    const opening = this.load(id);
    this.#open.set(id, opening);
    opening.catch(() => this.#open.delete(id));
    return opening;
  }

  /** Returns a session that is open already. */
  opened(id: SessionId): OpenSession | undefined {
    return this.#ready.get(id);
  }

  get allOpened(): OpenSession[] {
    return [...this.#ready.values()];
  }

  private async load(id: SessionId): Promise<OpenSession> {
    const stored = await this.ports.store.load(id);
    const state = new SessionState(stored.info);
    for (const record of stored.records) state.apply(record);
    const session = this.adopt(new OpenSession(state, stored.draft, this.log()));
    // What was done last is still what Undo takes back, so it is still said.
    const last = state.steps.at(-1);
    if (last?.type === 'move' && last.move.results !== undefined)
      session.addLine({ kind: 'move', id: last.move.id, moveId: last.move.id });
    if (stored.damage.length > 0)
      this.ports.told(session, this.ports.texts.damaged(stored.damage.length));
    for (const move of state.unsettledMoves()) {
      const settled = await recoverMove(
        session,
        this.ports.filesOf(session),
        this.ports.blobs,
        move,
      );
      const failed = (settled.results ?? [])
        .filter((result) => result.outcome === 'failed')
        .map((result) => keyLabel(session.info.folders, result.file));
      this.ports.told(session, this.ports.texts.finishedMove(failed));
    }
    for (const live of await this.abandoned(id, stored.live)) {
      if (state.nodes.has(live.node.id)) continue;
      await this.ports.turns().recover(session, live);
    }
    return session;
  }

  /** Returns the running turns nobody writes any more: those of this process, and those that were not heard of again. */
  private async abandoned(
    id: SessionId,
    lives: readonly StoredLive[],
  ): Promise<readonly StoredLive[]> {
    const { store, runtime, staleAfter } = this.ports;
    const others = lives.filter((live) => live.writer !== store.writer);
    const newest = Math.max(...others.map((live) => live.savedAt));
    const wait = newest + staleAfter - runtime.now();
    if (others.length === 0 || wait <= 0) return lives;
    await new Promise((resolve) => setTimeout(resolve, Math.min(wait, staleAfter)));
    const now = await store.readLive(id);
    return now.filter((live) =>
      lives.some((before) => before.node.id === live.node.id && before.savedAt === live.savedAt),
    );
  }

  private adopt(session: OpenSession): OpenSession {
    this.#open.set(session.id, Promise.resolve(session));
    this.#ready.set(session.id, session);
    session.events.on((event) => {
      if (event.type !== 'changed') return;
      this.listChanged.fire(session.id);
      this.saveCard(session).catch((error: unknown) =>
        this.ports.log.warn('A session card could not be saved', error),
      );
    });
    this.listChanged.fire(session.id);
    return session;
  }

  private log() {
    const { store } = this.ports;
    return {
      append: (...args: Parameters<SessionStore['append']>) => store.append(...args),
      saveDraft: (...args: Parameters<SessionStore['saveDraft']>) => store.saveDraft(...args),
    };
  }

  /** Returns the cards of this window's folders, newest first. */
  async cards(archived = false): Promise<SessionCard[]> {
    const cards = await this.ports.store.listCards();
    const here = cardsOf(
      // A card is written behind; what is open is known better.
      cards.map((card) => {
        const open = this.#ready.get(card.id);
        return open === undefined ? card : { ...card, ...cardOf(open) };
      }),
      this.ports.folders().map((folder) => folder.uri),
    );
    return here
      .filter((card) => archived || !card.archived)
      .sort((a, b) => b.updatedAt - a.updatedAt);
  }

  /** Gives a session without a chosen title the beginning of its first message. */
  async titleFrom(session: OpenSession, text: string): Promise<void> {
    if (session.info.titleLocked || session.info.title !== this.ports.newTitle) return;
    const line = text.trim().split('\n', 1)[0]?.trim() ?? '';
    if (line === '') return;
    const title = line.length > titleLength ? `${line.slice(0, titleLength - 1)}…` : line;
    await session.append([{ type: 'info', info: { ...session.info, title } }]);
  }

  async rename(session: OpenSession, title: string): Promise<void> {
    const trimmed = title.trim();
    if (trimmed === '') throw new RetraceError('invalid', 'A title is needed.');
    await session.append([
      { type: 'info', info: { ...session.info, title: trimmed, titleLocked: true } },
    ]);
  }

  /** A way back made before what rearranges a session. */
  async backUp(session: OpenSession, why: string): Promise<void> {
    await this.ports.store.backup(session.id, why);
  }

  /** Runs one task at a time of those that choose names by what exists. */
  exclusively<T>(task: () => Promise<T>): Promise<T> {
    return this.#locks.run('names', task);
  }

  async flush(): Promise<void> {
    await this.ports.store.flush();
  }

  private async saveCard(session: OpenSession): Promise<void> {
    await this.ports.store.updateCard(session.id, cardOf(session));
  }
}

function cardOf({ info, state, standing }: OpenSession): SessionCard {
  const head = standing.head === null ? undefined : state.nodes.get(standing.head);
  return {
    id: info.id,
    title: info.title,
    createdAt: info.createdAt,
    updatedAt: Math.max(info.createdAt, state.counts.updatedAt),
    archived: info.archived,
    folders: info.folders,
    ...(info.forkedFrom && { forkedFrom: info.forkedFrom }),
    nodes: state.counts.shown,
    userMessages: state.counts.users,
    preview: head === undefined ? '' : nodeText(head).trim().slice(0, 200),
  };
}

/** Returns the folders a session speaks of that this window does not have. */
export function missingFolders(
  info: SessionInfo,
  present: readonly { readonly uri: string }[],
): readonly SessionFolder[] {
  return info.folders.filter((folder) => !present.some((other) => other.uri === folder.uri));
}
