import { sameBytes } from '../core/bytes';
import {
  absent,
  sameContent,
  sameState,
  type ChangeLink,
  type ChangedBy,
  type FileState,
  type Link,
} from '../core/changes';
import { keyUri, type FileKey } from '../core/fileKey';
import type { Place } from '../core/ids';
import type { SessionState } from '../core/session';
import { linkItself } from './linkItself';
import { asToolError, meantBy, type Beginning } from './beginning';
import type { Locks } from './locks';
import { handInFront, linksInFront, notRecorded, type Past } from './inFront';
import { missingParents } from './missingParents';
import { waitAtMost } from './patience';
import { ToolError, type CopyKeeper, type CurrentFile, type WorkspaceFiles } from './ports';
import { putBackTorn, replacedIn } from './tornWrites';
import { Unkept } from './unkept';

/** What a running turn did to files so far, and the one write that is under way. */
export interface TurnChanges {
  readonly links: readonly Link[];
  /** Written ahead: the files about to change and what they held; what they then hold is not known yet. */
  readonly pending: readonly ChangeLink[];
}

/** Where a turn's changes go. `saved` resolves when what was told so far is on disk. */
export interface ChangeSink {
  readonly changes: TurnChanges;
  update(changes: TurnChanges): void;
  saved(): Promise<void>;
}

/**
 * The one way the agent changes files. Each write goes in two steps: what the file held is on disk before it, what is
 * then read back is recorded after it, also when the write failed half way.
 */
export class FileTracker {
  /** Something may have been written that is not recorded yet. */
  private writing = false;
  private closed = false;
  /** What the turn did has been said; what comes after is somebody else's. */
  private told = false;
  private readonly unkept = new Unkept();
  /** Copies of what writes left, which the next call need not wait for. */
  private keeping: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly session: SessionState,
    private readonly files: WorkspaceFiles,
    readonly copies: CopyKeeper,
    private readonly locks: Locks,
    private readonly sink: ChangeSink,
    /** Where the files stood before this turn's own changes. */
    private readonly base: Place,
    private readonly by: ChangedBy = 'agent',
  ) {}

  /** Writes whole bytes and returns whether the file is new. `expect` is called with what is there, and may throw. */
  async write(
    file: FileKey,
    bytes: Uint8Array,
    expect: (now: CurrentFile) => void,
  ): Promise<{ created: boolean; after: CurrentFile }> {
    return this.locks.run(this.lockOf(file), async () => {
      const now = await this.begin([file], expect, { made: file, bytes });
      const before = now.state;
      if (before.kind === 'folder') throw new ToolError('There is a folder of that name.');
      // Bytes that are right already are not written: nothing that watches the file has to wake.
      if (now.bytes !== undefined && sameBytes(now.bytes, bytes)) {
        this.record([]);
        return { created: false, after: now };
      }
      await this.makeParents();
      const after = await this.settle(file, now, () =>
        this.files.write(file, bytes, { save: !now.unsaved }),
      );
      return { created: before.kind === 'absent', after };
    });
  }

  async remove(file: FileKey, expect: (now: CurrentFile) => void): Promise<void> {
    await this.locks.run(this.lockOf(file), async () => {
      const now = await this.begin([file], expect, { itself: true });
      await this.settle(file, now, () => this.files.remove(file));
    });
  }

  async rename(from: FileKey, to: FileKey, expect: (now: CurrentFile) => void): Promise<void> {
    await this.locks.runAll(
      [from, to].map((file) => this.lockOf(file)),
      async () => {
        const target = await this.files.read(to);
        const caseOnly = from !== to && from.toLowerCase() === to.toLowerCase();
        if (target.state.kind !== 'absent' && !caseOnly)
          throw new ToolError('The target exists already.');
        const now = await this.begin([from, to], expect, { made: to });
        await this.makeParents();
        await this.files.rename(from, to);
        const after = await this.files.read(to);
        if (after.state.kind !== now.state.kind) throw new ToolError('The file was not renamed.');
        this.record([
          { type: 'rename', from, to, state: this.unkept.covered(now.state), by: this.by },
          ...(sameContent(after.state, now.state) ? [] : [this.link(to, now, after)]),
        ]);
        this.keepBehind(after);
      },
    );
  }

  async removeEmptyFolder(folder: FileKey): Promise<void> {
    if (await this.files.removeEmptyFolder(folder))
      this.record([{ type: 'folder', folder, made: false, by: this.by }]);
  }

  /**
   * Records what a command did, and in front of it what was changed by hand since the last known state. Of one that a
   * crash cut off some may be recorded already; that counts once.
   */
  async adopt(links: readonly Link[], cutOff = false): Promise<void> {
    const { changes } = this.sink;
    const fresh = cutOff
      ? links.flatMap((link) => notRecorded(changes.links, link))
      : [...links.flatMap((link) => handInFront(this.past, link)), ...links];
    this.sink.update({ ...changes, links: [...changes.links, ...fresh] });
    await this.sink.saved();
  }

  /**
   * Records what a write came to that was not told: after a crash, or where reading back or keeping failed. What was cut
   * off half way is put back. What cannot be read even now is recorded as not covered, never as unchanged.
   */
  async settlePending(): Promise<void> {
    const { pending } = this.sink.changes;
    const links = await Promise.all(pending.map((intent) => this.outcomeOf(intent)));
    this.record(links.flat());
  }

  /**
   * Ends the turn's changes: no write begins any more. One that is under way is waited for, in milliseconds at most
   * `patience`, for no file system may hold a turn for ever; then its file is recorded as not covered. Copies are waited
   * for as long once the turn was stopped.
   */
  async close(signal?: AbortSignal, patience = 2_000): Promise<void> {
    this.closed = true;
    // What went wrong with a copy has stopped the turn and is said there.
    await waitAtMost(this.keeping, patience, signal);
    const { pending } = this.sink.changes;
    if (pending.length === 0) return;
    if (!this.writing) {
      this.record([]);
      return;
    }
    const locks = pending.map((intent) => this.lockOf(intent.file));
    const settling = this.locks.runAll(locks, () => this.settlePending());
    await waitAtMost(settling, patience);
    this.record(this.sink.changes.pending.map((intent) => this.unread(intent)));
    this.told = true;
  }

  private async outcomeOf(intent: ChangeLink): Promise<Link[]> {
    const { file, before } = intent;
    try {
      if (await putBackTorn(this.files, this.copies, intent)) return [];
      const after = await this.files.read(file);
      if (before.kind === 'absent' && after.state.kind === 'folder')
        return [{ type: 'folder', folder: file, made: true, by: this.by }];
      if (sameContent(before, after.state)) return [];
      await this.keep(after).catch(() => undefined);
      return [
        { type: 'change', file, before, after: this.unkept.covered(after.state), by: this.by },
      ];
    } catch {
      return [this.unread({ file, before })];
    }
  }

  private unread({ file, before }: Pick<ChangeLink, 'file' | 'before'>): Link {
    const after: FileState = { kind: 'uncovered', reason: 'unreadable' };
    return { type: 'change', file, before, after, by: this.by };
  }

  private assertOpen(): void {
    if (this.closed) throw new ToolError('The turn has ended.');
  }

  /** Checks, keeps the bytes about to be replaced, and records a hand edit in front where there was one. */
  private async begin(
    files: readonly [FileKey, ...FileKey[]],
    expect: (now: CurrentFile) => void,
    { made, bytes, itself = false }: Beginning = {},
  ): Promise<CurrentFile> {
    // The next announcement would take the place of one that was never settled.
    if (this.sink.changes.pending.length > 0) await this.settlePending();
    const [file, ...others] = files;
    const reading = this.files.read(file);
    // A refusal is told rather than that the file could not be read.
    reading.catch(() => undefined);
    const link = itself && (await reading.catch(() => undefined))?.link !== undefined;
    for (const each of files) {
      const refusal = await this.files.refusal(each, link);
      if (refusal !== undefined) throw new ToolError(refusal, true);
    }
    const found = await reading;
    expect(found);
    const now = itself ? linkItself(found) : found;
    // Known by its bytes, a write that is cut off is told from what somebody did since.
    const meant = bytes && (await meantBy(this.copies, bytes));
    // The copies and what is written ahead are all there before the write; none waits for another.
    const keeping = Promise.all([now, ...(meant ? [meant] : [])].map((each) => this.keep(each)));
    keeping.catch(() => undefined);
    const folders =
      made === undefined || (made === file && now.state.kind !== 'absent')
        ? []
        : await missingParents(this.files, made);
    const replaced = await replacedIn(this.copies, now, this.session.torn.get(file));
    this.assertOpen();
    this.recordHand(file, found, replaced);
    for (const other of others) this.recordHand(other, { state: absent });
    const announce = (): void =>
      this.sink.update({
        ...this.sink.changes,
        pending: [
          ...folders.map((name) => this.intent(name, absent, { kind: 'folder' })),
          ...files.map((name) =>
            this.intent(name, name === file ? now.state : absent, meant?.state),
          ),
        ],
      });
    announce();
    const keptBehind = this.keeping;
    this.keeping = Promise.resolve();
    const [kept] = await Promise.all([keeping, this.sink.saved(), keptBehind]);
    if (kept.includes(false)) {
      announce();
      this.recordUnkept();
      await this.sink.saved();
    }
    this.assertOpen();
    this.writing = true;
    return now;
  }

  /** A file that does not hold what it was last known to hold was changed by hand since, or half written by a move. */
  private recordHand(
    file: FileKey,
    now: Pick<CurrentFile, 'state' | 'link'>,
    replaced?: FileState,
  ): void {
    const links = linksInFront(this.past, file, now, replaced);
    if (links.length > 0) this.record(links);
  }

  /** Sessions name a file by keys of their own; what they share is its URI. */
  private lockOf(file: FileKey): string {
    return keyUri(this.session.info.folders, file) ?? file;
  }

  private intent(
    file: FileKey,
    before: FileState,
    after: FileState = { kind: 'uncovered', reason: 'not copied yet' },
  ): ChangeLink {
    return this.unkept.without({ type: 'change', file, before, after, by: this.by });
  }

  private async settle(
    file: FileKey,
    now: CurrentFile,
    act: () => Promise<CurrentFile>,
  ): Promise<CurrentFile> {
    let failure: unknown;
    let after: CurrentFile;
    try {
      after = await act();
    } catch (error) {
      failure = error;
      const intent = this.sink.changes.pending.find((pending) => pending.file === file);
      if (intent !== undefined) await putBackTorn(this.files, this.copies, intent);
      after = await this.files.read(file);
    }
    const changed = !sameState(now.state, after.state);
    // What happened is told first: a copy that cannot be kept must not hide that the file changed.
    this.record(changed ? [this.link(file, now, after)] : []);
    this.keepBehind(after);
    if (failure !== undefined) throw asToolError(failure);
    return after;
  }

  private link(file: FileKey, now: CurrentFile, after: CurrentFile): Link {
    const buffer = after.unsaved ? { buffer: { diskBefore: now.disk, diskAfter: after.disk } } : {};
    return this.unkept.without({
      ...{ type: 'change', file, before: now.state, after: after.state, by: this.by },
      ...buffer,
    });
  }

  /** Keeps what a file holds; false where the user chose to go on without. */
  private keep(current: CurrentFile): Promise<boolean> {
    return this.unkept.keep(this.copies, current);
  }

  /** Keeps what a write left while the agent goes on; nothing else is written, and no turn ends, before it is there. */
  private keepBehind(after: CurrentFile): void {
    const keeping = this.keep(after).then((kept) => (kept ? undefined : this.recordUnkept()));
    this.keeping = Promise.all([this.keeping, keeping]);
    this.keeping.catch(() => undefined);
  }

  /** Says of what is recorded already that its bytes were not kept. */
  private recordUnkept(): void {
    if (this.told) return;
    const { changes } = this.sink;
    const links = changes.links.map((link) => this.unkept.without(link));
    this.sink.update({ ...changes, links });
  }

  private record(links: readonly Link[]): void {
    this.writing = false;
    if (this.told) return;
    this.sink.update({ links: [...this.sink.changes.links, ...links], pending: [] });
  }

  private get past(): Past {
    return { session: this.session, links: this.sink.changes.links, base: this.base };
  }

  /** Makes the folders that were announced. */
  private async makeParents(): Promise<void> {
    const { pending } = this.sink.changes;
    for (const link of pending) {
      if (link.after.kind !== 'folder') continue;
      await this.files.makeFolder(link.file);
      this.record([{ type: 'folder', folder: link.file, made: true, by: this.by }]);
      this.sink.update({
        ...this.sink.changes,
        pending: pending.slice(pending.indexOf(link) + 1),
      });
      // What the folder is for is still to come.
      this.writing = true;
    }
  }
}
