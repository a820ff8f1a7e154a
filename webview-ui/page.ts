import { protocolVersion } from '../src/protocol/messages';
import type { HostFrame, RequestName, RequestParams } from '../src/protocol/messages';
import type { MessageEntry, ModelRow, SessionRow, SessionView } from '../src/protocol/viewModel';
import { announce } from './announce';
import { Composer } from './drafts';
import { Finder } from './find';
import { Follower } from './follow';
import { HostClient, type Answer, type RequestOptions } from './host';
import { Keeper, readKept } from './kept';
import { Mentions } from './mentions';
import { beginEdit, type EditState, type SheetState } from './moves';
import { sayChanges } from './news';
import { loadSessions } from './parts/sessions';
import { fill, reduce } from './state';
import { setStrings, t } from './strings';
import { postToHost } from './vscodeApi';

/** A line of the page's own, about a request that went wrong. */
export interface Note {
  readonly id: string;
  readonly text: string;
  readonly action?: { readonly label: string; readonly run: () => void };
}

export type Overlay =
  | {
      readonly kind: 'sessions';
      readonly filter: string;
      readonly sessions?: readonly SessionRow[];
      /** What was found in the texts, and of what. */
      readonly found?: { readonly text: string; readonly excerpts: ReadonlyMap<string, string> };
    }
  /** `at` is the composer, or the reply that shall be given again by the model chosen. */
  | { readonly kind: 'models'; readonly at: string; readonly models?: readonly ModelRow[] }
  | { readonly kind: 'modes' };

/** Where focus goes once what was asked for is drawn. */
export type FocusWish = 'composer' | 'sheet' | 'find' | { readonly messageId: string };

/**
 * The page: what the host last said, and the little that is the page's own (text being typed, folds, overlays, busy
 * controls). Parts read it and draw; nothing in it is ever taken for the truth about the session.
 */
export class Page {
  view: SessionView | undefined;
  language = 'en';
  /** Changes with the texts, so that everything is drawn again. */
  epoch = 0;
  overlay: Overlay | undefined;
  edit: EditState | undefined;
  sheet: SheetState | undefined;
  focusWish: FocusWish | undefined;
  notes: readonly Note[] = [];
  readonly host = new HostClient(postToHost);
  readonly keeper = new Keeper(readKept());
  readonly composer = new Composer(this);
  readonly mentions = new Mentions(this);
  readonly finder = new Finder(this);
  readonly follower = new Follower(this);
  readonly #reading = new Set<string>();
  readonly #busy = new Set<string>();
  readonly #versions = new Map<string, number>();
  readonly #draw: () => void;
  #asking = false;
  #noteCount = 0;

  constructor(draw: () => void) {
    this.#draw = draw;
    if (this.keeper.overlay) this.overlay = { kind: this.keeper.overlay, filter: '' };
  }

  get sessionId(): string {
    return this.view?.sessionId ?? '';
  }

  get following(): boolean {
    return this.follower.following;
  }

  /** Goes to the end of the conversation and stays with it. */
  follow(): void {
    this.follower.resume();
  }

  update(): void {
    this.#draw();
  }

  /** Says that something of the page's own about one message changed. */
  touch(messageId: string): void {
    this.#versions.set(messageId, this.versionOf(messageId) + 1);
    this.update();
  }

  versionOf(messageId: string): number {
    return this.#versions.get(messageId) ?? 0;
  }

  /** Asks for the whole; the answer is the first snapshot, or heals a gap. */
  async ready(): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    const take = (answer: Answer<'ready'>): void => {
      if (!answer.ok) return;
      setStrings(answer.value.strings);
      this.language = answer.value.language;
      document.documentElement.lang = answer.value.language;
      this.epoch += 1;
      this.#show(answer.value.view);
    };
    const answer = await this.host.request(
      'ready',
      this.sessionId,
      { protocol: protocolVersion },
      { late: take },
    );
    this.#asking = false;
    take(answer);
    if (!answer.ok) this.explain('ready', answer, t('loading'));
  }

  receive(frame: HostFrame): void {
    if (frame.type === 'answer' || frame.type === 'progress') {
      this.host.receive(frame);
      return;
    }
    const { view, resync } = reduce(this.view, frame);
    if (resync) void this.ready();
    if (!view || view === this.view) return;
    const focus = frame.type === 'snapshot' ? frame.focus : undefined;
    if (typeof focus === 'string') this.focusWish = focus;
    if (focus === 'find') this.finder.show();
    // The host has somebody look at the conversation: no list lies over it.
    if (focus !== undefined && this.overlay?.kind === 'sessions') this.setOverlay(undefined);
    this.#show(view);
    if (typeof focus === 'object') this.#edit(focus.edit);
  }

  #edit(messageId: string): void {
    const message = this.view?.messages.find((one) => one.id === messageId);
    if (message?.role === 'user') beginEdit(this, message);
    else if (message?.role === 'outline') {
      this.follower.goTo(messageId);
      void this.read([messageId]).then((read) => {
        if (read) this.#edit(messageId);
      });
    }
  }

  /** What must be drawn however far it is: focus and text being typed are in it. */
  get pinned(): ReadonlySet<string> {
    const pinned = new Set<string>();
    if (this.edit) pinned.add(this.edit.messageId);
    const focused = document.activeElement?.closest<HTMLElement>('article[data-message]');
    if (focused?.dataset['message'] !== undefined) pinned.add(focused.dataset['message']);
    return pinned;
  }

  /** Asks for what the drawn messages say of which only the outline is known. */
  readNear(): void {
    const ids = this.follower
      .slots(this.pinned)
      .flatMap((slot) => (slot.kind === 'message' && isOutline(slot.entry) ? slot.id : []));
    if (ids.length > 0) void this.read(ids);
  }

  /** Asks for what messages say; resolves to false when that did not come. */
  async read(wanted: readonly string[]): Promise<boolean> {
    const ids = wanted.filter((id) => !this.#reading.has(id)).slice(0, 200);
    if (ids.length === 0) return false;
    for (const id of ids) this.#reading.add(id);
    const { sessionId } = this;
    const answer = await this.ask('readMessages', { ids }, { what: t('conversation') });
    // After a failure nothing is asked again by itself: that could go on for ever.
    if (answer === undefined || this.view?.sessionId !== sessionId) return false;
    for (const id of ids) this.#reading.delete(id);
    this.view = fill(this.view, answer.messages);
    this.update();
    return answer.messages.length > 0;
  }

  #show(view: SessionView): void {
    const before = this.view;
    this.view = view;
    this.composer.adopt(view);
    if (before?.sessionId !== view.sessionId) {
      this.notes = [];
      this.edit = undefined;
      this.finder.hits = [];
      this.finder.open = false;
      if (this.overlay?.kind === 'sessions') loadSessions(this);
      this.#reading.clear();
    }
    if (this.edit && !view.messages.some((message) => message.id === this.edit?.messageId)) {
      this.edit = undefined;
    }
    this.host.hold(view.sheet !== undefined || view.approvals.length > 0);
    sayChanges(before, view);
    this.update();
  }

  /** Asks for the shown session; what goes wrong is shown as a line and answered with undefined. */
  async ask<K extends RequestName>(
    name: K,
    params: RequestParams[K],
    options: RequestOptions<K> & { readonly what?: string; readonly sessionId?: string } = {},
  ): Promise<Extract<Answer<K>, { ok: true }>['value'] | undefined> {
    const sessionId = options.sessionId ?? this.sessionId;
    const answer: Answer<K> = await this.host.request(name, sessionId, params, options);
    if (answer.ok) return answer.value;
    this.explain(name, answer, options.what ?? name);
    return undefined;
  }

  /** Tells the host something whose fate nobody waits for. */
  tell<K extends RequestName>(name: K, params: RequestParams[K], sessionId = this.sessionId): void {
    void this.host.request(name, sessionId, params);
  }

  explain(
    name: RequestName,
    answer: Extract<Answer<RequestName>, { ok: false }>,
    what: string,
    action?: Note['action'],
  ): void {
    if (answer.code === 'cancelled') return;
    const retry =
      name === 'ready' ? { label: t('retry'), run: () => void this.ready() } : undefined;
    const text =
      answer.code === 'no_answer' ? t('noAnswer', what) : t('requestFailed', what, answer.message);
    this.note(text, action ?? retry);
  }

  note(text: string, action?: Note['action']): void {
    this.#noteCount += 1;
    const note: Note = { id: `note-${this.#noteCount}`, text, ...(action ? { action } : {}) };
    this.notes = [...this.notes.filter((other) => other.text !== text), note].slice(-5);
    announce(text);
    this.update();
  }

  dropNote(id: string): void {
    this.notes = this.notes.filter((note) => note.id !== id);
    this.update();
  }

  busy(control: string): boolean {
    return this.#busy.has(control);
  }

  /** Runs what a control asks for, once at a time; the control shows that it works until that has ended in any way. */
  async working(control: string, run: () => Promise<unknown>, messageId?: string): Promise<void> {
    if (this.#busy.has(control)) return;
    const redraw = (): void => (messageId === undefined ? this.update() : this.touch(messageId));
    this.#busy.add(control);
    redraw();
    try {
      await run();
    } finally {
      this.#busy.delete(control);
      redraw();
    }
  }

  isOpen(fold: string): boolean {
    return this.keeper.open.has(fold);
  }

  setOpen(fold: string, open: boolean, messageId: string): void {
    if (open === this.isOpen(fold)) return;
    if (open) this.keeper.open.add(fold);
    else this.keeper.open.delete(fold);
    this.keeper.changed();
    this.touch(messageId);
  }

  setOverlay(overlay: Overlay | undefined): void {
    const at = [this.overlay, overlay].map((one) => (one?.kind === 'models' ? one.at : undefined));
    this.overlay = overlay;
    this.keeper.overlay = overlay?.kind === 'sessions' ? 'sessions' : undefined;
    this.keeper.changed();
    for (const id of at) if (id !== undefined && id !== 'composer') this.touch(id);
    this.update();
  }
}

function isOutline(entry: MessageEntry): boolean {
  return entry.role === 'outline';
}
