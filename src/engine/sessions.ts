import type { SessionId } from '../core/ids';
import { nodeText } from '../core/node';
import { SessionState, type SessionInfo, type SessionRecord } from '../core/session';
import { Emitter } from './emitter';
import { RetraceError } from './errors';
import type { ForkPlan } from './fork';
import { Locks } from './locks';
import { linesOf, OpenSession } from './openSession';
import { Others, type OthersPorts } from './others';
import { cardsOf, type SessionCard } from './store/documents';
import type { SessionStore } from './store/sessionStore';
import { standSoundly } from './standSoundly';

export interface SessionsPorts extends OthersPorts {
  /** The window's workspace folders now. */
  readonly folders: () => readonly { readonly uri: string; readonly name: string }[];
  readonly newTitle: string;
}

/** A backup and what is in it. */
export interface BackupPreview {
  readonly name: string;
  readonly at: number;
  readonly why: string;
  readonly messages: number;
  readonly records: readonly SessionRecord[];
}

const titleLength = 60;
/** A session's card is written so long after a change, in milliseconds. */
const cardDelay = 300;

/** The sessions of this window: opened once each, listed by cards, changed through {@link OpenSession}. */
export class Sessions {
  /** Fired when the list, or something a row of it shows, changed. */
  readonly listChanged = new Emitter<SessionId>();
  readonly #open = new Map<SessionId, Promise<OpenSession>>();
  readonly #ready = new Map<SessionId, OpenSession>();
  readonly #cardTimers = new Map<SessionId, ReturnType<typeof setTimeout>>();
  readonly #locks = new Locks();
  readonly #others: Others;

  constructor(private readonly ports: SessionsPorts) {
    this.#others = new Others(ports);
  }

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
    opening.catch(() => {
      this.#open.delete(id);
      this.#ready.delete(id);
    });
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
    if (last?.type === 'move') session.setLines(linesOf(last.move));
    if (stored.damage.length > 0)
      this.ports.told(session, this.ports.texts.damaged(stored.damage.length));
    const { texts } = this.ports;
    for (const text of standSoundly(session, stored.records, texts)) this.ports.told(session, text);
    await this.#others.finishCutOff(session, stored.live);
    return session;
  }

  /**
   * Takes over what other windows stored, before this one acts on a session. Throws `run_active` while another window is
   * at work in it; what one that is gone left unfinished is finished.
   */
  async beforeActing(session: OpenSession): Promise<void> {
    await this.#others.beforeActing(session);
  }

  /** Takes over what other windows stored since the last look. */
  async follow(session: OpenSession): Promise<void> {
    await this.#others.follow(session);
  }

  /**
   * Runs a task in which files are about to change, once what it needs is there; other windows leave the session alone
   * until it has ended.
   */
  async holding<T>(
    session: OpenSession,
    needs: Promise<unknown>,
    task: () => Promise<T>,
  ): Promise<T> {
    const held = this.ports.store.hold(session.id);
    try {
      await Promise.all([held, needs]);
      return await task();
    } finally {
      await held.then(
        (release) => release(),
        () => undefined,
      );
    }
  }

  private adopt(session: OpenSession): OpenSession {
    this.#open.set(session.id, Promise.resolve(session));
    this.#ready.set(session.id, session);
    session.events.on((event) => {
      if (event.type !== 'changed') return;
      this.listChanged.fire(session.id);
      this.saveCardSoon(session);
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

  /** Returns the cards of all sessions there are, whatever their folders. */
  everywhere(): Promise<SessionCard[]> {
    return this.ports.store.listCards();
  }

  /**
   * Says that a folder of a session is elsewhere now, and whether that is so: one that has the new place as another folder
   * stays. A session that is not open is not opened for it, for its files could not be reached yet.
   */
  async giveNewPlace(
    card: SessionCard,
    from: string,
    to: { readonly uri: string; readonly name: string },
  ): Promise<boolean> {
    const { store } = this.ports;
    const { id } = card;
    const open = this.#ready.get(id);
    open?.refuseWhileRunning();
    const info = open?.info ?? (await store.load(id)).info;
    const known = info.folders.some(({ uri }) => uri === to.uri);
    if (known || !info.folders.some(({ uri }) => uri === from)) return false;
    const folders = info.folders.map((folder) =>
      folder.uri === from ? { ...folder, ...to } : folder,
    );
    const record: SessionRecord = { type: 'info', info: { ...info, folders } };
    await (open === undefined ? store.append(id, [record]) : open.append([record]));
    await store.updateCard(id, { ...card, folders });
    if (open === undefined) await store.close(id);
    this.listChanged.fire(id);
    return true;
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

  /** Takes a session out of the list's sight, or puts it back; nothing else of it changes. */
  async archive(session: OpenSession, archived: boolean): Promise<void> {
    if (session.info.archived === archived) return;
    await session.append([{ type: 'info', info: { ...session.info, archived } }]);
  }

  /** Takes a session off the list. It can be brought back for 7 days. Throws `run_active` while a turn runs in it. */
  async delete(session: OpenSession): Promise<void> {
    session.refuseWhileRunning();
    await session.afterMove();
    clearTimeout(this.#cardTimers.get(session.id));
    this.#cardTimers.delete(session.id);
    await this.ports.store.delete(session.id);
    this.#open.delete(session.id);
    this.#ready.delete(session.id);
    this.listChanged.fire(session.id);
  }

  /** Returns the cards of this window's deleted sessions that can still be brought back, newest first. */
  async deleted(): Promise<SessionCard[]> {
    const cards = await this.ports.store.listDeleted();
    const here = this.ports.folders().map((folder) => folder.uri);
    return cardsOf(cards, here).sort((a, b) => b.updatedAt - a.updatedAt);
  }

  /** Brings a deleted session back to the list. Throws `not_found`. */
  async undelete(id: SessionId): Promise<void> {
    const cards = await this.ports.store.listDeleted();
    if (!cards.some((card) => card.id === id))
      throw new RetraceError('not_found', 'There is no deleted session with that id.');
    await this.ports.store.undelete(id);
    this.listChanged.fire(id);
  }

  /** A way back made before what rearranges a session. */
  async backUp(session: Pick<OpenSession, 'id'>, why: string): Promise<void> {
    await this.ports.store.backup(session.id, why);
  }

  /** Returns a session's backups, newest first, with what is in each. */
  async backups(session: OpenSession): Promise<BackupPreview[]> {
    const found: BackupPreview[] = [];
    for (const { name, at, why } of await this.ports.store.listBackups(session.id)) {
      const { records } = await this.readBackup(session, name);
      const messages = records.filter(({ type }) => type === 'node').length;
      found.push({ name, at, why, records, messages });
    }
    return found;
  }

  /** Reads a backup. Throws `not_found`. */
  readBackup(session: OpenSession, name: string): ReturnType<SessionStore['readBackup']> {
    return this.ports.store.readBackup(session.id, name);
  }

  /** Reads a session as it is stored, without opening it. */
  readStored(id: SessionId): ReturnType<SessionStore['readStored']> {
    return this.ports.store.readStored(id);
  }

  /** Runs one task at a time of those that choose names by what exists. */
  exclusively<T>(task: () => Promise<T>): Promise<T> {
    return this.#locks.run('names', task);
  }

  async flush(): Promise<void> {
    for (const [id, timer] of this.#cardTimers) {
      clearTimeout(timer);
      this.#cardTimers.delete(id);
      const session = this.#ready.get(id);
      if (session !== undefined) await this.saveCard(session);
    }
    await this.ports.store.flush();
  }

  /** A card is only for the list: it is written behind what it tells of, and once for several changes. */
  private saveCardSoon(session: OpenSession): void {
    if (this.#cardTimers.has(session.id)) return;
    const timer = setTimeout(() => {
      this.#cardTimers.delete(session.id);
      this.saveCard(session).catch((error: unknown) =>
        this.ports.log.warn('A session card could not be saved', error),
      );
    }, cardDelay);
    this.#cardTimers.set(session.id, timer);
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
