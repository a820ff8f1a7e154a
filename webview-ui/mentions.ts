import type { ContextItem, SessionView } from '../src/protocol/viewModel';
import type { Attachment } from './attachments';
import type { Page } from './page';
import { t } from './strings';

/** An `@` that is being typed: where it stands and what came after it. */
export interface Mention {
  /** Of the `@` in the text. */
  readonly start: number;
  readonly typed: string;
  readonly kind: 'any' | 'file' | 'folder';
  /** What is looked for: without `file:` or `folder:` in front. */
  readonly wanted: string;
}

/** What completes an `@`. */
export type MentionItem =
  | { readonly kind: 'selection' | 'problems'; readonly word: string; readonly detail: string }
  | { readonly kind: 'only'; readonly word: 'file' | 'folder'; readonly detail: string }
  | { readonly kind: 'file' | 'folder'; readonly word: string; readonly uri: string };

/** Returns the `@` in front of the caret that is on its way to something; one inside a word, as in an address, is text. */
export function mentionAt(text: string, caret: number): Mention | undefined {
  const typed = /(?:^|[\s(])@([^\s@]{0,200})$/u.exec(text.slice(0, caret))?.[1];
  if (typed === undefined) return undefined;
  const [, only, rest] = /^(file|folder):(.*)$/su.exec(typed) ?? [];
  return {
    start: caret - typed.length - 1,
    typed,
    kind: only === 'file' || only === 'folder' ? only : 'any',
    wanted: rest ?? typed,
  };
}

/** Returns a text with a mention written out, and where the caret then stands. */
export function withMention(
  text: string,
  { start, typed }: Mention,
  word: string,
): { readonly text: string; readonly caret: number } {
  const before = `${text.slice(0, start)}@${word}`;
  return { text: before + text.slice(start + typed.length + 1), caret: before.length };
}

/** Returns the fixed words that begin with what was typed; a selection is offered where there is one. */
function fixedItems(view: SessionView | undefined, { kind, typed }: Mention): MentionItem[] {
  if (kind !== 'any') return [];
  const { offer } = view ?? {};
  const all: MentionItem[] = [
    ...(offer?.what === 'selection'
      ? [{ kind: 'selection' as const, word: 'selection', detail: offer.label }]
      : []),
    { kind: 'problems', word: 'problems', detail: t('mentionProblems') },
    { kind: 'only', word: 'file', detail: t('mentionFile') },
    { kind: 'only', word: 'folder', detail: t('mentionFolder') },
  ];
  return all.filter(({ word }) => word.startsWith(typed.toLowerCase()));
}

function inOrder(letters: string, label: string): boolean {
  let at = 0;
  for (const letter of letters.toLowerCase()) {
    at = label.toLowerCase().indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

/** Time for the next key, in milliseconds. */
const pause = 80;

/** The list under an `@` that is being typed in the composer. */
export class Mentions {
  chosen = 0;
  readonly #page: Page;
  #asked: string | undefined;
  #found: readonly ContextItem[] = [];
  #closedFor: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Returns the mention under way, unless its list was closed. */
  get mention(): Mention | undefined {
    const { text, caret } = this.#page.composer;
    const mention = mentionAt(text, caret);
    return mention === undefined || keyOf(mention) === this.#closedFor ? undefined : mention;
  }

  /** Returns what is offered; what was found for an earlier text stays as long as it fits. */
  get items(): readonly MentionItem[] {
    const { mention } = this;
    if (mention === undefined) return [];
    const found = this.#found.filter(
      ({ kind, label }) =>
        (mention.kind === 'any' || mention.kind === kind) && inOrder(mention.wanted, label),
    );
    return [
      ...fixedItems(this.#page.view, mention),
      ...found.map(({ kind, label, uri }) => ({ kind, word: label, uri })),
    ];
  }

  /** Called after text or caret changed: asks for what fits. */
  typed(): void {
    const { mention } = this;
    this.chosen = 0;
    if (mention === undefined) {
      this.#asked = undefined;
      this.#found = [];
      return;
    }
    const asked = `${mention.kind}:${mention.wanted}`;
    if (asked === this.#asked) return;
    this.#asked = asked;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#find(mention, asked), pause);
  }

  async #find({ kind, wanted }: Mention, asked: string): Promise<void> {
    const { host, sessionId } = this.#page;
    const answer = await host.request('findContext', sessionId, { text: wanted, kind });
    // Where nothing can be found, what there is to choose is still there.
    if (this.#asked !== asked || !answer.ok) return;
    this.#found = answer.value.items;
    this.#page.update();
  }

  close(): void {
    const { mention } = this;
    this.#closedFor = mention && keyOf(mention);
    this.#page.update();
  }

  step(by: number): void {
    const { length } = this.items;
    this.chosen = (Math.min(this.chosen, length - 1) + by + length) % length;
    this.#page.update();
  }

  /** Writes an item out and attaches what it names. */
  take(item: MentionItem): void {
    const { mention } = this;
    const { composer } = this.#page;
    if (mention === undefined) return;
    const word = item.kind === 'only' ? `${item.word}:` : `${item.word} `;
    const after = withMention(composer.text, mention, word);
    composer.fill(after.text, after.caret);
    this.#attach(item);
    this.typed();
  }

  /** Attaches what a word names that was written out whole, so that nobody who types on loses it. */
  complete(): void {
    const { mention } = this;
    const whole = this.items.find((one) => one.kind !== 'only' && one.word === mention?.typed);
    if (whole !== undefined) this.#attach(whole);
  }

  #attach(item: MentionItem): void {
    if (item.kind === 'file' || item.kind === 'folder') attach(this.#page, [{ uri: item.uri }]);
    else if (item.kind !== 'only') takeContext(this.#page, item.kind);
  }
}

function keyOf({ start, typed }: Mention): string {
  return `${start}@${typed}`;
}

/** Puts attachments beside the message being written; one that is there already is not there twice. */
export function attach(page: Page, added: readonly Attachment[]): void {
  const { composer } = page;
  const known = new Set(composer.attachments.map((one) => JSON.stringify(one)));
  const fresh = added.filter((one) => !known.has(JSON.stringify(one)));
  if (fresh.length > 0) composer.setAttachments([...composer.attachments, ...fresh]);
}

/** Has the host take what the editor has now, and attaches it. */
export function takeContext(page: Page, what: 'selection' | 'problems'): void {
  const { sessionId } = page;
  void page.working(`take.${what}`, async () => {
    const answer = await page.ask('takeContext', { what }, { what: t('addContext') });
    if (answer !== undefined && page.sessionId === sessionId) attach(page, [answer.attachment]);
  });
}
