import type { Page } from './page';
import { Range, type Place, type Slot } from './range';

/** How near to the end still counts as being there. */
const near = 8;
/** How far below the top of the view a message is put that is gone to. */
const headroom = 24;
/** So many times what is drawn may turn out to be less than what is seen. */
const passes = 4;

interface Anchor {
  readonly messageId: string;
  readonly offset: number;
}

/**
 * Keeps the end of a growing conversation in sight until the user scrolls away from it, and decides which messages are
 * drawn at all. Once the user has scrolled, the browser's scroll anchoring keeps still what is read.
 */
export class Follower {
  following = true;
  readonly #page: Page;
  readonly #range = new Range();
  #scroller: HTMLElement | undefined;
  #sessionId = '';
  #last = 0;
  /** Where the view is being brought; until the message is there as a whole its place is put right after each drawing. */
  #wanted: Anchor | undefined;
  #seen: Place = 'end';
  #drawn = '';
  readonly #resized = new ResizeObserver(() => {
    if (this.#scroller) this.#range.setWidth(this.#scroller.clientWidth);
    this.stick();
  });
  readonly #measured = new ResizeObserver((entries) => {
    for (const { target, borderBoxSize } of entries) {
      if (!(target instanceof HTMLElement) || !target.isConnected) {
        this.#measured.unobserve(target);
        continue;
      }
      const height = borderBoxSize[0]?.blockSize;
      if (height !== undefined) this.#range.measured(target.dataset['message'] ?? '', height);
    }
  });
  readonly #observed = new WeakSet<Element>();

  constructor(page: Page) {
    this.#page = page;
  }

  /** Called before drawing: looks where the view stands. */
  before(): void {
    const { view } = this.#page;
    if (!view) return;
    this.#range.setEntries(view.messages);
    if (view.sessionId !== this.#sessionId) {
      this.#sessionId = view.sessionId;
      this.#range.reset();
      const { anchor } = this.#page.keeper.session(view.sessionId);
      this.#wanted = anchor && this.#range.indexOf(anchor.messageId) >= 0 ? anchor : undefined;
      this.following = this.#wanted === undefined;
    }
    this.#seen = this.following ? 'end' : (this.#wanted ?? this.#place());
    this.#range.choose(this.#seen, this.#height);
  }

  /** Returns what the transcript draws. */
  slots(pinned: ReadonlySet<string>): readonly Slot[] {
    const all = this.#wanted ? new Set([...pinned, this.#wanted.messageId]) : pinned;
    return this.#range.slots(all);
  }

  /** Draws until what is seen is drawn, which is mostly once. */
  draw(render: () => void): void {
    for (let pass = 0; pass < passes; pass += 1) {
      render();
      this.#after();
      if (this.#range.covers(this.#seen, this.#height)) break;
      this.#range.choose(this.#seen, this.#height, true);
    }
    const { messageId } = this.#wanted ?? {};
    if (messageId === undefined) return;
    const entry = this.#range.entries[this.#range.indexOf(messageId)];
    if (entry?.role !== 'outline') this.#wanted = undefined;
  }

  /** Brings a message into sight; says whether it is part of the conversation. */
  goTo(messageId: string, offset = headroom): boolean {
    if (this.#range.indexOf(messageId) < 0) return false;
    this.following = false;
    this.#wanted = { messageId, offset };
    this.#page.update();
    return true;
  }

  resume(): void {
    this.following = true;
    this.#wanted = undefined;
    this.#page.keeper.follow(this.#sessionId);
    this.stick();
    this.#page.update();
  }

  stick(): void {
    const scroller = this.#scroller;
    if (!scroller) return;
    if (this.following) scroller.scrollTop = scroller.scrollHeight;
    else if (this.#wanted) this.#bring(scroller, this.#wanted);
    else return;
    this.#last = scroller.scrollTop;
  }

  get #height(): number {
    return this.#scroller?.clientHeight ?? window.innerHeight;
  }

  #after(): void {
    const scroller = document.querySelector<HTMLElement>('.scroller') ?? undefined;
    if (!scroller) return;
    if (scroller !== this.#scroller) this.#attach(scroller);
    this.#measure(scroller);
    this.stick();
  }

  #measure(scroller: HTMLElement): void {
    const transcript = scroller.querySelector('.transcript');
    if (!transcript) return;
    const articles: HTMLElement[] = [];
    let drawn = '';
    for (const element of transcript.children) {
      if (!(element instanceof HTMLElement)) continue;
      const { height, message } = element.dataset;
      if (height !== undefined) element.style.height = `${height}px`;
      if (message === undefined) continue;
      // The height of a placeholder is a guess, and stays one.
      if (height !== undefined) continue;
      drawn += `${message} `;
      articles.push(element);
      if (this.#observed.has(element)) continue;
      this.#observed.add(element);
      this.#measured.observe(element);
    }
    // While a text streams the observer tells what grew, without the page being laid out in between.
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    for (const element of articles)
      this.#range.measured(element.dataset['message'] ?? '', element.offsetHeight);
  }

  #attach(scroller: HTMLElement): void {
    this.#resized.disconnect();
    this.#scroller = scroller;
    this.#drawn = '';
    this.#range.setWidth(scroller.clientWidth);
    this.#resized.observe(scroller);
    const content = scroller.querySelector('.content');
    if (content) this.#resized.observe(content);
    scroller.addEventListener('scroll', () => this.#scrolled(scroller), { passive: true });
    // What brings a message into sight must not hold the user there.
    for (const kind of ['wheel', 'pointerdown', 'keydown', 'touchmove'])
      scroller.addEventListener(kind, () => (this.#wanted = undefined), { passive: true });
  }

  #scrolled(scroller: HTMLElement): void {
    const left = scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop;
    // Content that shrinks moves the view up as well, but then the end is still in sight.
    const following =
      !this.#wanted && (left <= near || (this.following && scroller.scrollTop >= this.#last));
    this.#last = scroller.scrollTop;
    if (following) {
      if (!this.following) this.resume();
      return;
    }
    const place = this.#wanted ?? this.#place();
    if (typeof place === 'object' && 'messageId' in place)
      this.#page.keeper.setSession(this.#sessionId, { anchor: place });
    if (!this.following && this.#range.covers(place, this.#height)) return;
    this.following = false;
    this.#page.update();
  }

  /** Returns the first message in sight, or how far down the view is where there is none. */
  #place(): Place {
    const scroller = this.#scroller;
    if (!scroller) return 'end';
    const { top, bottom } = scroller.getBoundingClientRect();
    for (const element of scroller.querySelectorAll<HTMLElement>('article[data-message]')) {
      const box = element.getBoundingClientRect();
      if (box.bottom <= top) continue;
      if (box.top >= bottom) break;
      return { messageId: element.dataset['message'] ?? '', offset: box.top - top };
    }
    const transcript = scroller.querySelector('.transcript')?.getBoundingClientRect().top ?? top;
    return { top: top - transcript };
  }

  #bring(scroller: HTMLElement, { messageId, offset }: Anchor): void {
    const target = scroller.querySelector(`article[data-message="${CSS.escape(messageId)}"]`);
    if (!target) return;
    const top = target.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
    scroller.scrollTop += top - offset;
  }
}
