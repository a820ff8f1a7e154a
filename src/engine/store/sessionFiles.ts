import { Low } from 'lowdb';
import type { SessionRecord } from '../../core/session';
import type { DamageReport, StoreContext } from './damage';
import {
  parseCard,
  parseHold,
  parseMeta,
  parseStoredDraft,
  parseStoredLive,
  type Hold,
  type LiveTurn,
  type SessionCard,
  type StoredDraft,
  type StoredLive,
} from './documents';
import { RetraceError } from '../errors';
import { formatVersion } from './envelope';
import { Intents, withIntents } from './intents';
import { JsonFile } from './jsonFile';
import { Looks } from './looks';
import { isSafeId, listFiles, safeId } from './names';
import { quietly, storageError } from './storageError';

/** A rewritten document: lowdb over one file. */
export class Document<T> {
  readonly #file: JsonFile<T>;
  readonly #db: Low<T | null>;

  constructor(
    context: StoreContext,
    place: { readonly folder: string; readonly name: string; readonly owner: string },
    parse: (value: unknown) => T | undefined,
    onDamage: (damage: DamageReport) => void,
  ) {
    this.#file = new JsonFile<T>(context, { ...place, parse, onDamage });
    const file = this.#file;
    this.#db = new Low<T | null>(
      {
        read: () => file.read(),
        write: (value) => (value === null ? file.remove() : file.write(value)),
      },
      null,
    );
  }

  /** Returns what is on disk, or undefined. */
  async read(): Promise<T | undefined> {
    // lowdb keeps what it had when there is nothing to read.
    const db = this.#db;
    db.data = null;
    await db.read();
    return this.#given();
  }

  /** Returns the newest value given or read; reads the first time. */
  async newest(): Promise<T | undefined> {
    return this.#given() ?? (await this.read());
  }

  /** Resolves when this value or a newer one is on disk. */
  async write(value: T): Promise<void> {
    this.#db.data = value;
    await this.#db.write();
  }

  /** Returns the value another window has stored since this one last read or wrote, or undefined. */
  foreign(): Promise<T | undefined> {
    return this.#file.foreign();
  }

  /** Says that there is no such document yet. */
  startEmpty(): void {
    this.#file.startEmpty();
  }

  async remove(): Promise<void> {
    this.#db.data = null;
    await this.#file.remove();
  }

  flush(): Promise<void> {
    return this.#file.flush();
  }

  #given(): T | undefined {
    return this.#db.data ?? undefined;
  }
}

const holdName = /^moving-(.+?)(?:\.json|\.[^.]+\.\d\.spare)$/u;
/** So often is said that a move goes on, in milliseconds. */
const holdEvery = 900;

const liveName = /^live-(.+?)(?:\.json|\.[^.]+\.\d\.spare)$/u;

/** What other processes are doing in a session. */
export interface AtWork {
  readonly lives: readonly StoredLive[];
  readonly holds: readonly Hold[];
}

/** The rewritten documents of one session: its card, its draft and its running turns. */
export class SessionFiles {
  readonly card: Document<SessionCard>;
  readonly draft: Document<StoredDraft>;
  readonly intents: Intents;
  readonly looks: Looks;
  readonly #lives = new Map<string, Document<StoredLive>>();
  readonly #clearing = new Set<Promise<void>>();
  #ownHold: Document<Hold> | undefined;
  #damage: DamageReport[] = [];

  constructor(
    private readonly context: StoreContext,
    private readonly id: string,
  ) {
    this.card = this.#document('card.json', parseCard);
    this.draft = this.#document('draft.json', parseStoredDraft);
    this.intents = new Intents(context, id);
    this.looks = new Looks(context, id);
  }

  /** Returns the running turns found on disk. A damaged one is kept aside and reported. */
  async lives(): Promise<StoredLive[]> {
    const names = await listFiles(this.context.files, this.context.paths.session(this.id));
    const ids = names.flatMap((name) => liveName.exec(name)?.[1] ?? []);
    const found: StoredLive[] = [];
    for (const nodeId of new Set(ids.filter(isSafeId))) {
      const live = await this.#live(nodeId).read();
      if (live !== undefined && live.node.id === nodeId)
        found.push(withIntents(live, await this.intents.read(nodeId)));
    }
    return found.sort((a, b) => b.savedAt - a.savedAt);
  }

  /** Returns the running turns without those whose finished node is stored: the window ended between the two. */
  async unfinished(records: readonly SessionRecord[], tidy: boolean): Promise<StoredLive[]> {
    const nodes = new Set(records.flatMap((each) => (each.type === 'node' ? [each.node.id] : [])));
    const found = await this.lives();
    for (const { node } of tidy ? found.filter((live) => nodes.has(live.node.id)) : [])
      await quietly(this.context.log, 'finished turn', () => this.clearLive(node.id));
    return found.filter((live) => !nodes.has(live.node.id));
  }

  /** Stores the draft and returns what another window had put there since this one last looked. */
  async swapDraft(draft: StoredDraft): Promise<StoredDraft | undefined> {
    const theirs = await this.foreignDraft();
    await this.draft.write(draft);
    return theirs;
  }

  foreignDraft(): Promise<StoredDraft | undefined> {
    return quietly(this.context.log, 'draft', () => this.draft.foreign());
  }

  saveLive(live: LiveTurn): Promise<void> {
    const { writer } = this.context;
    const stored = { ...live, writer, savedAt: this.context.now() };
    const known = this.#lives.has(live.node.id);
    const document = this.#live(live.node.id);
    // One that was not found before is of a reply that begins now.
    if (!known) document.startEmpty();
    return document.write(stored);
  }

  /** Forgets a running turn behind what goes on; after a crash one whose node is stored is ignored. */
  clearLiveSoon(nodeId: string): void {
    this.#soon('finished turn', () => this.clearLive(nodeId));
  }

  #soon(what: string, clear: () => Promise<void>): void {
    const clearing = quietly(this.context.log, what, clear);
    this.#clearing.add(clearing);
    void clearing.then(() => this.#clearing.delete(clearing));
  }

  async clearLive(nodeId: string): Promise<void> {
    const live = this.#live(nodeId);
    // The document last: what is left after a crash still says that there was a turn.
    await this.looks.drop(nodeId);
    await this.intents.clear(nodeId);
    await live.remove();
    this.#lives.delete(nodeId);
  }

  /** Says that this process changes files for the session, until what is returned is called; that is unsaid behind. */
  async hold(): Promise<() => void> {
    const { writer, now, log } = this.context;
    // Kept, so that only the first one looks for what a name given twice would have left.
    const document = (this.#ownHold ??= this.#hold(writer));
    const say = (): Promise<void> => document.write({ writer, savedAt: now() });
    await say();
    const timer = setInterval(() => {
      say().catch((error: unknown) => log.warn('That a move goes on could not be said', error));
    }, holdEvery);
    return () => {
      clearInterval(timer);
      this.#soon('move', () => document.remove());
    };
  }

  /** Returns the turns other processes run in the session, and whether they change its files, as they last said. */
  async atWork(): Promise<AtWork> {
    const names = await listFiles(this.context.files, this.context.paths.session(this.id));
    const writers = new Set(names.flatMap((name) => holdName.exec(name)?.[1] ?? []));
    const holds: Hold[] = [];
    for (const writer of writers) {
      if (writer === this.context.writer || !isSafeId(writer)) continue;
      const hold = await this.#hold(writer).read();
      if (hold !== undefined) holds.push(hold);
    }
    return { lives: names.some((name) => liveName.test(name)) ? await this.lives() : [], holds };
  }

  /** Returns the damage met since the last call. */
  takeDamage(): DamageReport[] {
    const damage = this.#damage;
    this.#damage = [];
    return damage;
  }

  async flush(): Promise<void> {
    await Promise.all(this.#clearing);
    const documents = [this.card, this.draft, ...this.#lives.values()];
    const results = await Promise.allSettled(documents.map((document) => document.flush()));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }

  #hold(writer: string): Document<Hold> {
    return this.#document(`moving-${safeId(writer)}.json`, parseHold);
  }

  #live(nodeId: string): Document<StoredLive> {
    const known = this.#lives.get(nodeId);
    if (known !== undefined) return known;
    const made = this.#document(`live-${safeId(nodeId)}.json`, parseStoredLive);
    this.#lives.set(nodeId, made);
    return made;
  }

  #document<T>(name: string, parse: (value: unknown) => T | undefined): Document<T> {
    const place = { folder: this.context.paths.session(this.id), name, owner: this.id };
    return new Document<T>(this.context, place, parse, (damage) => this.#damage.push(damage));
  }
}

/** Which version a store has. */
export type Meta = Document<{ format: number; createdAt: number }>;

/** Returns the document that says which version a store has. */
export function metaOf(context: StoreContext): Meta {
  const place = { folder: context.paths.root, name: context.paths.meta, owner: 'store' };
  return new Document(context, place, parseMeta, () => undefined);
}

/** Returns why a store must not be written to, or undefined. */
export async function whyReadOnly(meta: Meta): Promise<string | undefined> {
  try {
    const stored = await meta.read();
    if (stored === undefined || stored.format <= formatVersion) return undefined;
  } catch (error) {
    if (!(error instanceof RetraceError)) {
      throw storageError('open its storage', error);
    }
  }
  return 'These sessions were stored by a newer Retrace. They can be read; update Retrace to go on with them.';
}
