import type { SessionInfo, SessionRecord } from '../../core/session';
import { RetraceError } from '../errors';
import type { Runtime } from '../ports';
import { Backups, type BackupInfo, type ReadBackup } from './backups';
import type { StoreContext } from './damage';
import {
  cardOf,
  infoOf,
  isStale,
  newestFirst,
  type LiveTurn,
  type SessionCard,
  type StoredDraft,
} from './documents';
import { formatVersion } from './envelope';
import type { Intent } from './intents';
import { isSafeId, listFolders, StorePaths, writerName } from './names';
import type { Looks } from './looks';
import { mapBounded } from './parallel';
import { RecordLog } from './recordLog';
import { metaOf, SessionFiles, whyReadOnly, type AtWork, type Meta } from './sessionFiles';
import type { Followed, LoadedSession } from './loadedSession';
import { quietly, told } from './storageError';
import { readEverything, type StoredWhole } from './everything';
import { Trash } from './trash';

interface OpenSession {
  readonly log: RecordLog;
  readonly files: SessionFiles;
}

/**
 * All sessions under one root, the same for every window. Nothing a window has acknowledged is ever rewritten: records are
 * written once, and the few documents that change are caches, drafts and running turns.
 */
export class SessionStore {
  readonly #open = new Map<string, OpenSession>();
  readonly #backups: Backups;
  readonly #trash: Trash;
  #announced: Promise<void> | undefined;

  private constructor(
    private readonly context: StoreContext,
    private readonly meta: Meta,
    /** Why nothing may be written, or undefined. */
    readonly readOnly: string | undefined,
  ) {
    this.#backups = new Backups(context);
    this.#trash = new Trash(context);
  }

  /** Opens the store, or an empty one where there is none. A store of a newer version opens read-only and says so. */
  static async open(
    root: string,
    ports: Pick<StoreContext, 'files' | 'log'> & { readonly runtime: Runtime },
  ): Promise<SessionStore> {
    const { files, runtime, log } = ports;
    const opened: { store?: SessionStore } = {};
    const paths = new StorePaths(root);
    const writer = writerName(runtime.newId());
    const clock = { now: () => runtime.now(), newId: () => runtime.newId() };
    const base = { files, log, paths, writer, ...clock, readOnly: () => !!opened.store?.readOnly };
    const context = { ...base, assertWritable: async () => opened.store?.assertWritable() };
    const unguarded = { ...base, assertWritable: () => Promise.resolve() };
    const meta = metaOf(unguarded);
    const readOnly = await whyReadOnly(meta);
    if (readOnly !== undefined) log.warn(readOnly);
    opened.store = new SessionStore(context, meta, readOnly);
    return opened.store;
  }

  /** Names this process among all that write to the store. */
  get writer(): string {
    return this.context.writer;
  }

  /** Throws when nothing may be written; the first time, writes down which version the store has. */
  async assertWritable(): Promise<void> {
    if (this.readOnly !== undefined) throw new RetraceError('storage', this.readOnly);
    this.#announced ??= this.#announce().catch((error: unknown) => {
      this.#announced = undefined;
      throw error;
    });
    await this.#announced;
  }

  /** Returns the cards of all sessions that are not deleted, newest first. Reads no records where a card is sound. */
  async listCards(): Promise<SessionCard[]> {
    return told('list the sessions', async () => {
      const { files, paths } = this.context;
      const [ids, gone] = await Promise.all([
        listFolders(files, paths.sessions),
        this.#trash.ids(),
      ]);
      const present = ids.filter((id) => isSafeId(id) && !gone.has(id));
      const cards = await mapBounded(present, (id) => this.#card(id));
      return cards.flat().sort(newestFirst);
    });
  }

  /** Loads a session: everything that is sound, and what was not. */
  async load(id: string): Promise<LoadedSession> {
    return told('open the session', async () => {
      if (await this.#trash.holds(id)) throw notFound();
      const { log, files } = this.#session(id);
      const scan = await log.load();
      const records = scan.records.map((each) => each.record);
      if (records.length === 0 && scan.damage.length === 0) {
        this.#open.delete(id);
        throw notFound();
      }
      const card = await quietly(this.context.log, 'card', () => files.card.read());
      const draft = await quietly(this.context.log, 'draft', () => files.draft.read());
      const tidy = this.readOnly === undefined;
      const live = await quietly(this.context.log, 'running turn', () =>
        files.unfinished(records, tidy),
      );
      const damage = [...scan.damage, ...files.takeDamage()];
      const info = infoOf(id, records, card);
      const now = cardOf(info, records, damage.length);
      if (card === undefined || isStale(card, now)) this.#refreshCard(id, now);
      return { info, records, live: live ?? [], draft, damage };
    });
  }

  /** Reads a session as it is stored, beside the one that may be open. */
  async readStored(id: string): Promise<Pick<LoadedSession, 'info' | 'records' | 'damage'>> {
    return told('check the session', async () => {
      const scan = await this.#log(id).load();
      const records = scan.records.map((each) => each.record);
      return { info: infoOf(id, records), records, damage: scan.damage };
    });
  }

  /** Reads every session there is, deleted ones too, one after the other. */
  everything(): AsyncGenerator<StoredWhole> {
    return readEverything({ context: this.context, backups: this.#backups, trash: this.#trash });
  }

  /** Removes a deleted session for good, before its 7 days are over. */
  async purge(id: string): Promise<void> {
    await told('clean up deleted sessions', async () => {
      await this.assertWritable();
      if (await this.#trash.holds(id)) await this.#trash.remove(id);
    });
  }

  /** Makes a session: its info, and for a fork or import its history, are on disk when this resolves. */
  async create(info: SessionInfo, records: readonly SessionRecord[] = []): Promise<void> {
    await told('create the session', async () => {
      const session = this.#session(info.id);
      session.log.startEmpty();
      const all: SessionRecord[] = [{ type: 'info', info }, ...records];
      await session.log.append(all);
      this.#refreshCard(info.id, cardOf(info, all));
    });
  }

  /** Stores records in order; resolves when they are on disk. What it costs does not depend on the session's length. */
  async append(id: string, records: readonly SessionRecord[]): Promise<void> {
    await told('save the session', () => this.#session(id).log.append(records));
  }

  /** Returns the records other windows have added since the last load or refresh; the first `late` ones are overtaken. */
  async refresh(id: string): Promise<Followed> {
    const scan = await told('look for changes of other windows', () =>
      this.#session(id).log.refresh(),
    );
    return { ...scan, records: scan.records.map((each) => each.record) };
  }

  /** Stores a running turn as it is; of several calls under way the newest is kept. */
  async saveLive(id: string, live: LiveTurn): Promise<void> {
    await told('save the running reply', () => this.#session(id).files.saveLive(live));
  }

  /** Writes ahead what a running turn is about to change; the change may begin when this resolves. */
  async saveIntent(id: string, nodeId: string, intent: Intent): Promise<void> {
    const { intents } = this.#session(id).files;
    await told('save the running reply', () => intents.save(nodeId, intent));
  }

  /** Where the running turns of a session keep what their commands are compared with. */
  looks(id: string): Looks {
    return this.#session(id).files.looks;
  }

  /** Forgets a running turn, after its finished node is stored. */
  async clearLive(id: string, nodeId: string): Promise<void> {
    await told('save the reply', () => this.#session(id).files.clearLive(nodeId));
  }

  /** Forgets a running turn whose node is stored, behind what goes on. */
  clearLiveSoon(id: string, nodeId: string): void {
    this.#session(id).files.clearLiveSoon(nodeId);
  }

  /** Stores the draft and returns what another window had put there since this one last looked. */
  async saveDraft(id: string, draft: StoredDraft): Promise<StoredDraft | undefined> {
    return told('save the draft', () => this.#session(id).files.swapDraft(draft));
  }

  /** Returns a draft another window has stored since this one last looked. */
  async foreignDraft(id: string): Promise<StoredDraft | undefined> {
    return this.#session(id).files.foreignDraft();
  }

  /** Tells other windows that this one changes files for a session, until what is returned is called. */
  async hold(id: string): Promise<() => void> {
    return told('begin a move', () => this.#session(id).files.hold());
  }

  /** Returns what other windows are doing in a session; their word may be old. */
  async atWork(id: string): Promise<AtWork> {
    return told('look for changes of other windows', () => this.#session(id).files.atWork());
  }

  /** Changes what the list shows; of several calls under way the newest is kept. */
  async updateCard(id: string, card: SessionCard): Promise<void> {
    await told('save the list of sessions', () => this.#session(id).files.card.write(card));
  }

  /** Takes a session off the list. It can be brought back for 7 days; {@link purgeDeleted} then removes it. */
  async delete(id: string): Promise<void> {
    await told('delete the session', async () => {
      await this.close(id);
      await this.#trash.put(id);
    });
  }

  /** Returns the cards of deleted sessions that can still be brought back. */
  async listDeleted(): Promise<SessionCard[]> {
    const ids = await told('list the deleted sessions', () => this.#trash.ids());
    return (await mapBounded([...ids].filter(isSafeId), (id) => this.#card(id))).flat();
  }

  /** Brings a deleted session back. */
  async undelete(id: string): Promise<void> {
    await told('bring the session back', () => this.#trash.takeOut(id));
  }

  /** Removes what was deleted more than 7 days ago and returns its ids. One that went on since comes back instead. */
  async purgeDeleted(): Promise<string[]> {
    return told('clean up deleted sessions', () =>
      this.#trash.empty(async (id) => (await this.#card(id))[0]?.updatedAt ?? 0),
    );
  }

  /** Makes a backup before an act that could go wrong, and returns its name. */
  async backup(id: string, why: string): Promise<string> {
    return told('make a backup', async () => {
      const { log, files } = this.#session(id);
      const draft = await quietly(this.context.log, 'draft', () => files.draft.newest());
      const card = await quietly(this.context.log, 'card', () => files.card.newest());
      return this.#backups.take(id, log, { why, title: card?.title ?? '', draft });
    });
  }

  /** Returns a session's backups, newest first. */
  async listBackups(id: string): Promise<BackupInfo[]> {
    return told('list the backups', () => this.#backups.list(id));
  }

  /** Reads a backup, to be opened as a session of its own. `missing` records were damaged everywhere. */
  async readBackup(id: string, name: string): Promise<ReadBackup> {
    return told('read the backup', async () => {
      const backup = await this.#backups.read(id, name, this.#log(id));
      const records = backup.stored.map((each) => each.record);
      const info = infoOf(id, records, undefined);
      return { info, records, draft: backup.draft, missing: backup.missing };
    });
  }

  /** Resolves when everything given so far is on disk; tries once more what could not be stored. */
  async flush(): Promise<void> {
    await told('save everything', async () => {
      const open = [...this.#open.values()];
      await Promise.all(open.map(({ log }) => log.settled()));
      const results = await Promise.allSettled(open.map(({ files }) => files.flush()));
      for (const result of results) if (result.status === 'rejected') throw result.reason;
    });
  }

  /** Forgets what is held in memory of a session, after it is on disk. */
  async close(id: string): Promise<void> {
    const open = this.#open.get(id);
    if (open === undefined) return;
    await Promise.all([open.log.settled(), open.files.flush()]);
    this.#open.delete(id);
  }

  /** Packs loose records into a segment if there are at least `least` of them: otherwise done behind, at 256. */
  async seal(id: string, least?: number): Promise<void> {
    await told('pack the session', () => this.#session(id).log.seal(least));
  }

  /** Resolves when the second copies of a session's records that are under way are made. */
  async copied(id: string): Promise<void> {
    await this.#backups.settled(id);
  }

  #session(id: string): OpenSession {
    const open = this.#open.get(id);
    if (open !== undefined) return open;
    const made = { log: this.#log(id), files: new SessionFiles(this.context, id) };
    this.#open.set(id, made);
    return made;
  }

  #log(id: string): RecordLog {
    return new RecordLog(this.context, id, () => this.#backups.copies(id));
  }

  async #announce(): Promise<void> {
    const { format = 0, createdAt = this.context.now() } = (await this.meta.newest()) ?? {};
    if (format < formatVersion) await this.meta.write({ format: formatVersion, createdAt });
  }

  /** Returns a session's card, made from its records when there is no sound one; nothing for an empty folder. */
  async #card(id: string): Promise<SessionCard[]> {
    try {
      const files = new SessionFiles(this.context, id);
      const card = await quietly(this.context.log, 'card', () => files.card.read());
      if (card?.id === id) return [card];
      // Not the open session's log: what it has not shown yet must stay new to it.
      const { records, damage } = await this.#log(id).load();
      if (records.length === 0 && damage.length === 0) return [];
      const plain = records.map((each) => each.record);
      const made = cardOf(infoOf(id, plain, undefined), plain, damage.length);
      this.#refreshCard(id, made);
      return [made];
    } catch (error) {
      this.context.log.warn(`Session ${id} cannot be listed`, error);
      return [cardOf(infoOf(id, [], undefined), [], 1)];
    }
  }

  #refreshCard(id: string, card: SessionCard): void {
    if (this.readOnly !== undefined) return;
    this.#session(id)
      .files.card.write(card)
      .catch((error: unknown) =>
        this.context.log.warn(`The card of session ${id} was not saved`, error),
      );
  }
}

function notFound(): RetraceError {
  return new RetraceError('not_found', 'There is no such session.');
}
