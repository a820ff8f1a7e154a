import type { SessionView } from '../src/protocol/viewModel';
import type { Attachment } from './attachments';
import { History, type Written } from './history';
import type { Page } from './page';

/** So many older messages are read at once while the user walks through them. */
const readAhead = 30;

/** The unsent message of the shown session, as it is being typed. */
export class Composer {
  text = '';
  attachments: readonly Attachment[] = [];
  caret = 0;
  /** Where the caret shall be put after the text was replaced from outside. */
  caretWish: number | undefined;
  readonly #page: Page;
  readonly #history = new History();
  #sessionId = '';
  #version = -1;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Takes the host's draft where the host, not the typing user, replaced it, or where another session is shown. */
  adopt(view: SessionView): void {
    const { sessionId, draft } = view;
    const sameSession = sessionId === this.#sessionId;
    if (sameSession && draft.version === this.#version) return;
    // The host keeps aside what was typed on the draft that it replaced.
    this.flush();
    this.#history.end();
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const kept = sameSession ? {} : this.#page.keeper.session(sessionId);
    const keptText = kept.version === draft.version ? kept.text : undefined;
    this.#sessionId = sessionId;
    this.#version = draft.version;
    this.text = keptText ?? draft.text;
    this.attachments = draft.attachments;
    const caret = keptText === undefined ? draft.caret : kept.caret;
    this.caretWish = Math.min(caret ?? this.text.length, this.text.length);
    this.caret = this.caretWish;
  }

  /** Takes what the user typed. */
  typed(text: string, caret: number): void {
    this.text = text;
    this.caret = caret;
    this.#later();
  }

  moved(caret: number): void {
    this.caret = caret;
    if (!this.#history.walking) this.#keep();
  }

  /** Puts in a text the user chose instead of typing it. */
  fill(text: string, caret = text.length): void {
    this.typed(text, caret);
    // At once, not with the next frame: somebody may be typing on.
    const field = document.getElementById('composer');
    if (field instanceof HTMLTextAreaElement) {
      field.value = text;
      field.setSelectionRange(caret, caret);
    }
    this.caretWish = caret;
    this.#page.focusWish = 'composer';
    this.#page.update();
  }

  /** Goes to an older or newer message of the conversation; the draft is neither lost nor replaced on disk by that. */
  recall(by: 1 | -1): boolean {
    const sent = (this.#page.view?.messages ?? []).flatMap((message): (Written | undefined)[] => {
      if (message.role === 'outline') return message.of === 'user' ? [undefined] : [];
      if (message.role !== 'user') return [];
      return [{ text: message.text, attachments: message.attachments.map(({ data }) => data) }];
    });
    this.#readOlder();
    // What was typed last is saved before it goes out of sight.
    this.flush();
    const next = this.#history.step(by, sent, this.draft);
    if (next === undefined) return false;
    this.#show(next, by === -1 ? 0 : next.text.length);
    return true;
  }

  /** Older messages are read while those after them are walked through. */
  #readOlder(): void {
    const older = (this.#page.view?.messages ?? []).filter(
      (message) => message.role === 'outline' && message.of === 'user',
    );
    if (older.length > 0) void this.#page.read(older.slice(-readAhead).map(({ id }) => id));
  }

  /** Comes back from older messages to the draft. */
  leaveHistory(): boolean {
    const draft = this.#history.end();
    if (draft === undefined) return false;
    this.#show(draft, draft.text.length);
    return true;
  }

  /** Shows a text that nobody typed: what is kept and saved stays the draft. */
  #show({ text, attachments }: Written, caret: number): void {
    this.text = text;
    this.attachments = attachments;
    this.caret = caret;
    this.caretWish = caret;
    this.#page.update();
  }

  setAttachments(attachments: readonly Attachment[]): void {
    this.attachments = attachments;
    this.#later();
    this.#page.update();
  }

  get draft(): { text: string; attachments: Attachment[] } {
    return { text: this.text, attachments: [...this.attachments] };
  }

  /** Of the host's draft that is being written on. */
  get version(): number {
    return Math.max(0, this.#version);
  }

  get empty(): boolean {
    return this.text.trim() === '' && this.attachments.length === 0;
  }

  /** Saves at once what is not saved yet. */
  flush(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { draft, caret } = this;
    this.#page.tell('saveDraft', { draft, caret, version: this.#version }, this.#sessionId);
  }

  /** The request that carries the draft away saves it too: it need not be saved as typed. */
  handOver(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Empties the composer after its message was taken, unless something else was typed meanwhile. */
  sent(draft: { readonly text: string }, sessionId: string): void {
    if (sessionId !== this.#sessionId || draft.text !== this.text) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { text, attachments } = this.#history.end() ?? { text: '', attachments: [] };
    this.text = text;
    this.attachments = attachments;
    this.caret = text.length;
    // The host has emptied its draft for what was sent: the one that was kept is stored again.
    if (this.empty) this.#keep();
    else this.#later();
    this.#page.update();
  }

  #later(): void {
    this.#keep();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), 300);
  }

  #keep(): void {
    const { text, caret } = this;
    this.#page.keeper.setSession(this.#sessionId, { version: this.#version, text, caret });
  }
}
