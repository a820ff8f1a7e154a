import type { FileKey } from '../core/fileKey';
import type { NodeId, SessionId } from '../core/ids';
import type { Move, Standing } from '../core/journal';
import { emptyDraft, type AssistantNode, type Draft } from '../core/node';
import type { SessionState } from '../core/session';
import type { SessionInfo, SessionRecord } from '../core/session';
import { Emitter } from './emitter';
import { RetraceError } from './errors';
import { holdsDraft, isEmptyDraft, joinDrafts, putTogether, sameDraft } from './drafts';
import type { QueuedMessage, StoredDraft } from './store/documents';
import type { Followed } from './store/loadedSession';

/** A line drawn after the last message: told once, not part of the conversation, never sent. */
export type SessionLine =
  | { readonly kind: 'move'; readonly id: string; readonly moveId: string }
  | { readonly kind: 'error'; readonly id: string; readonly code: string; readonly text: string }
  | { readonly kind: 'points'; readonly id: string; readonly points: readonly NumberedPoint[] }
  | { readonly kind: 'text'; readonly id: string; readonly text: string };

/** A message offered for rewind under a number that stays bound to it while the list is shown. */
export interface NumberedPoint {
  readonly n: number;
  readonly messageId: NodeId;
}

/** What changed: everything, or just the running reply, or what is waited for. */
export type SessionEvent =
  | { readonly type: 'changed' }
  | { readonly type: 'running'; readonly nodeId: NodeId }
  | { readonly type: 'waiting' };

/** What a session writes to. Each call resolves when the thing is on disk. */
export interface SessionLog {
  append(sessionId: SessionId, records: readonly SessionRecord[]): Promise<void>;
  /** Returns what another window had put there since this one last looked. */
  saveDraft(sessionId: SessionId, draft: StoredDraft): Promise<StoredDraft | undefined>;
}

/** A turn under way. */
export interface RunningTurn {
  readonly nodeId: NodeId;
  readonly controller: AbortController;
  /** Settles when the turn has, whatever came of it. */
  readonly settled: Promise<void>;
}

/** One session in memory. Its head is moved by {@link OpenSession.setHead} alone. */
export class OpenSession {
  readonly events = new Emitter<SessionEvent>();
  running: RunningTurn | undefined;
  waiting: string | undefined;
  lines: readonly SessionLine[] = [];
  /** Why files may be elsewhere than recorded: set at load, ended by the first comparison. */
  compared = false;
  #draft: StoredDraft;
  /** The draft was changed in this window since it was last taken over from another one. */
  #draftIsOurs = false;
  #moving: { readonly key: string; readonly result: Promise<unknown> } | undefined;

  constructor(
    readonly state: SessionState,
    draft: StoredDraft | undefined,
    private readonly log: SessionLog,
  ) {
    // Messages that waited when a window went away are never sent by themselves afterwards.
    this.#draft = takenBack(draft ?? { draft: emptyDraft });
  }

  get id(): SessionId {
    return this.state.info.id;
  }

  get info(): SessionInfo {
    return this.state.info;
  }

  get standing(): Standing {
    return this.state.standing;
  }

  get draft(): StoredDraft {
    return this.#draft;
  }

  /**
   * The one way a head, files head or `apart` changes: the records that say so are stored, then believed, then every
   * view is told.
   */
  async setHead(records: readonly SessionRecord[]): Promise<void> {
    await this.log.append(this.id, records);
    for (const record of records) this.state.apply(record);
    this.events.fire({ type: 'changed' });
  }

  /**
   * Takes over records another window stored. While this one is at work its head stays, and what the other did is a
   * branch beside it. The first `late` records come before what this window stored last: its head stays then, too, as it
   * would after a restart, and both windows show the same.
   */
  follow({ records, late }: Pick<Followed, 'records' | 'late'>): void {
    if (records.length === 0) return;
    const busy = this.running !== undefined || this.moving;
    const before = this.standing;
    const stay = (): void => this.state.apply({ type: 'standing', standing: before });
    records.forEach((record, n) => {
      if (n === late && n > 0) stay();
      this.state.apply(record);
    });
    if (busy || late === records.length) stay();
    const last = records.at(-1);
    const wentOn = records.slice(late).some(({ type }) => type !== 'mark' && type !== 'info');
    if (!busy && wentOn) this.lines = last?.type === 'move' ? linesOf(last.move) : [];
    this.events.fire({ type: 'changed' });
  }

  /** Stores records that leave the head where it is. */
  async append(records: readonly SessionRecord[]): Promise<void> {
    await this.setHead(records);
  }

  showRunning(node: AssistantNode, standing: Standing): void {
    const known = this.state.nodes.has(node.id);
    this.state.setRunning(node, standing);
    this.events.fire(known ? { type: 'running', nodeId: node.id } : { type: 'changed' });
  }

  setWaiting(text: string | undefined): void {
    if (this.waiting === text) return;
    this.waiting = text;
    this.events.fire({ type: 'waiting' });
  }

  addLine(line: SessionLine): void {
    this.lines = [...this.lines.filter((other) => other.id !== line.id), line];
    this.events.fire({ type: 'changed' });
  }

  setLines(lines: readonly SessionLine[]): void {
    this.lines = lines;
    this.events.fire({ type: 'changed' });
  }

  /** Counts the replacements of the draft not made by typing; a page that typed on an older one has nothing newer. */
  get draftVersion(): number {
    return this.#draft.version ?? 0;
  }

  /**
   * Stores what the user is typing; views that type it need not be told. What was typed on a draft that has been replaced
   * since comes too late to be the draft, and is kept aside.
   */
  async typeDraft(
    draft: Draft,
    typed: { readonly caret?: number | undefined; readonly version?: number | undefined } = {},
  ): Promise<void> {
    const { caret, version = this.draftVersion } = typed;
    if (version < this.draftVersion) {
      await this.#keepAside(draft);
      return;
    }
    const { caret: _, ...rest } = this.#draft;
    this.#draft = { ...rest, draft, ...(caret !== undefined && { caret }) };
    await this.#saveDraft();
  }

  async #keepAside(draft: Draft): Promise<void> {
    const { draft: present, aside: kept } = this.#draft;
    if (!this.#isPrecious(draft) || holdsDraft(present, draft)) return;
    const aside = putTogether(present, [kept, draft]);
    if (aside === undefined || (kept !== undefined && sameDraft(aside, kept))) return;
    this.#draft = { ...this.#draft, aside };
    this.events.fire({ type: 'changed' });
    await this.#saveDraft();
  }

  /** Forgets the draft that was put aside. */
  async dropAside(): Promise<void> {
    const { aside, ...rest } = this.#draft;
    if (aside === undefined) return;
    this.#draft = rest;
    this.events.fire({ type: 'changed' });
    await this.#saveDraft();
  }

  /** Puts a draft in front of what the composer holds: nothing of either is lost. */
  async returnDraft(draft: Draft): Promise<void> {
    const { draft: present } = this.#draft;
    if (isEmptyDraft(draft) || sameDraft(draft, present)) return;
    await this.putDraft(joinDrafts([draft, present]), true);
  }

  /** Messages that wait for the running turn to end well, oldest first. */
  get queued(): readonly QueuedMessage[] {
    return this.#draft.queued ?? [];
  }

  /** Replaces the messages that wait. */
  async setQueued(queued: readonly QueuedMessage[]): Promise<void> {
    const { queued: _, ...rest } = this.#draft;
    this.#draft = { ...rest, ...(queued.length > 0 && { queued }) };
    this.events.fire({ type: 'changed' });
    await this.#saveDraft();
  }

  /** Puts the messages that wait into the composer, in front of what it holds. */
  async takeBackQueued(): Promise<void> {
    if (this.queued.length === 0) return;
    this.#draft = takenBack(this.#draft);
    this.events.fire({ type: 'changed' });
    await this.#saveDraft();
  }

  /** Replaces the draft; one that was there is kept aside, unless it is not worth it or `discard` is set. */
  async putDraft(draft: Draft, discard = false): Promise<void> {
    const present = this.#draft.draft;
    await this.#replaceDraft(draft, !discard && this.#isPrecious(present) ? present : undefined);
  }

  /** Brings back the draft that was put aside; the present one takes its place there. */
  async takeBackDraft(): Promise<void> {
    const { aside, ...rest } = this.#draft;
    if (aside === undefined) return;
    const { draft } = rest;
    this.#draft = rest;
    await this.#replaceDraft(aside, this.#isPrecious(draft) ? draft : undefined);
  }

  async #replaceDraft(draft: Draft, newAside: Draft | undefined): Promise<void> {
    const { version = 0, aside: oldAside, queued } = this.#draft;
    const aside = [newAside, oldAside].find((one) => one !== undefined && !sameDraft(one, draft));
    this.#draft = {
      draft,
      version: version + 1,
      ...(aside && { aside }),
      ...(queued && { queued }),
    };
    this.events.fire({ type: 'changed' });
    await this.#saveDraft();
  }

  /** Takes over a draft another window stored. One that was changed here too is kept aside. */
  async followDraft(theirs: StoredDraft | undefined): Promise<void> {
    if (theirs === undefined) return;
    const { draft, aside: kept, version = 0, queued } = this.#draft;
    const ours = this.#draftIsOurs ? [kept, this.#isPrecious(draft) ? draft : undefined] : [];
    const aside = putTogether(theirs.draft, [theirs.aside, ...this.#waitedIn(theirs), ...ours]);
    const { aside: _, queued: __, ...rest } = theirs;
    const newest = Math.max(version, theirs.version ?? 0);
    this.#draft = {
      ...rest,
      version: newest + 1,
      ...(aside && { aside }),
      ...(queued && { queued }),
    };
    this.#draftIsOurs = false;
    this.events.fire({ type: 'changed' });
    if (aside !== undefined && !sameDraft(aside, theirs.aside ?? emptyDraft))
      await this.#saveDraft();
  }

  /** The newest draft wins; what another window had typed is kept aside. */
  async #saveDraft(): Promise<void> {
    this.#draftIsOurs = true;
    const theirs = await this.log.saveDraft(this.id, this.#draft);
    if (theirs === undefined) return;
    const { draft, aside: kept, ...rest } = this.#draft;
    const other = this.#isPrecious(theirs.draft) ? theirs.draft : undefined;
    const aside = putTogether(draft, [kept, theirs.aside, other, ...this.#waitedIn(theirs)]);
    if (aside === undefined || sameDraft(aside, kept ?? emptyDraft)) return;
    this.#draft = { ...rest, draft, aside };
    this.events.fire({ type: 'changed' });
    await this.log.saveDraft(this.id, this.#draft);
  }

  /** Messages that wait belong to the window whose turn they wait for; it may be gone, and what it held is not lost. */
  #waitedIn({ queued = [] }: StoredDraft): readonly Draft[] {
    return queued.map(({ draft }) => draft).filter((draft) => this.#isPrecious(draft));
  }

  /** What a rewind gave back and nobody changed is in the graph: it must not push out what somebody typed. */
  #isPrecious(draft: Draft): boolean {
    if (isEmptyDraft(draft)) return false;
    for (const node of this.state.nodes.values())
      if (node.role === 'user' && sameDraft(node, draft)) return false;
    return true;
  }

  /**
   * Lets one move at a time through. The same move asked for while it runs gets the first one's result; another one, and
   * any move during a turn, is refused with `run_active`.
   */
  async gate<T>(key: string, move: () => Promise<T>): Promise<T> {
    if (this.#moving !== undefined) {
      // The key names the kind of result.
      if (this.#moving.key === key) return this.#moving.result as Promise<T>;
      throw new RetraceError(
        'run_active',
        'Another move of this session is under way. Try again when it has ended.',
      );
    }
    this.refuseWhileRunning();
    const result = move();
    this.#moving = { key, result };
    try {
      return await result;
    } finally {
      this.#moving = undefined;
    }
  }

  /** Resolves when no move is under way. */
  async afterMove(): Promise<void> {
    while (this.#moving !== undefined) await this.#moving.result.catch(() => undefined);
  }

  get moving(): boolean {
    return this.#moving !== undefined;
  }

  refuseWhileRunning(): void {
    if (this.running !== undefined) {
      throw new RetraceError(
        'run_active',
        'A reply is being written in this session. Stop it first.',
      );
    }
  }

  /** The files that stand elsewhere than the files head. */
  get apartFiles(): readonly FileKey[] {
    return Object.keys(this.standing.apart);
  }
}

/** What is said of a move that was the last thing done: it can be taken back. */
export function linesOf(move: Move): readonly SessionLine[] {
  return move.results === undefined ? [] : [{ kind: 'move', id: move.id, moveId: move.id }];
}

/** Returns a draft with the messages that waited put in front of it. */
function takenBack({ queued, ...rest }: StoredDraft): StoredDraft {
  if (queued === undefined || queued.length === 0) return rest;
  const { caret: _, version = 0, draft, ...kept } = rest;
  const all = joinDrafts([...queued.map((one) => one.draft), draft]);
  return { ...kept, draft: all, version: version + 1 };
}
