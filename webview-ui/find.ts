import type { MessageHitView } from '../src/protocol/viewModel';
import { announce } from './announce';
import { marks } from './marks';
import type { Page } from './page';
import { t } from './strings';

/** Typing rests for so long before it is looked, in milliseconds. */
const pause = 150;

/** What is looked for in the conversation that is shown. The host looks; here is where one stands among what it found. */
export class Finder {
  open = false;
  text = '';
  /** Other branches are looked through as well. */
  everywhere = false;
  hits: readonly MessageHitView[] = [];
  complete = true;
  /** Where one stands; -1 where nothing was found. */
  at = -1;
  /** What the hits are of; undefined while it is being looked. */
  asked: string | undefined;
  readonly #page: Page;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #before: HTMLElement | undefined;

  constructor(page: Page) {
    this.#page = page;
  }

  get current(): MessageHitView | undefined {
    return this.hits[this.at];
  }

  show(): void {
    const { activeElement } = document;
    if (!this.open && activeElement instanceof HTMLElement) this.#before = activeElement;
    this.open = true;
    this.#page.focusWish = 'find';
    if (this.text !== '') void this.#look();
    this.#page.update();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.open = false;
    this.mark();
    this.#page.update();
    if (this.#before?.isConnected === true) this.#before.focus();
    else this.#page.focusWish = 'composer';
  }

  typed(text: string): void {
    this.text = text;
    this.asked = undefined;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#look(), pause);
    this.#page.update();
  }

  lookEverywhere(everywhere: boolean): void {
    this.everywhere = everywhere;
    void this.#look();
    this.#page.update();
  }

  /** Goes to the next place, or the one before, and round at the end. */
  step(by: 1 | -1): void {
    if (this.hits.length === 0) return;
    this.at = (this.at + by + this.hits.length) % this.hits.length;
    this.#goThere();
  }

  /** Marks what is drawn of what was found. */
  mark(): void {
    marks.show(this.open ? this.text.trim() : '', this.current?.messageId);
  }

  async #look(): Promise<void> {
    clearTimeout(this.#timer);
    const { text, everywhere } = this;
    const { sessionId } = this.#page;
    const params = { text, everywhere };
    const answer = await this.#page.ask('findInConversation', params, { what: t('find') });
    const stale = text !== this.text || everywhere !== this.everywhere;
    if (answer === undefined || stale || sessionId !== this.#page.sessionId) return;
    const before = this.current?.messageId;
    this.hits = answer.hits;
    this.complete = answer.complete;
    this.asked = text;
    const same = this.hits.findIndex(({ messageId }) => messageId === before);
    // The end of the conversation is what is looked at: the nearest place is the last one.
    this.at = same === -1 ? this.hits.findLastIndex(({ onPath }) => onPath) : same;
    if (this.at === -1 && this.hits.length > 0) this.at = 0;
    this.#goThere();
  }

  #goThere(): void {
    const { current } = this;
    if (current?.onPath === true) this.#page.follower.goTo(current.messageId);
    announce(this.count);
    this.#page.update();
  }

  /** Says where one stands, in words. */
  get count(): string {
    if (this.asked === undefined || this.asked.trim() === '') return '';
    if (this.hits.length === 0) return t('findNone');
    const all = this.complete ? String(this.hits.length) : `${this.hits.length}+`;
    return t('findCount', this.at + 1, all);
  }
}
