import type { Page } from './page';

/** How near to the end still counts as being there. */
const near = 8;

/** Keeps the end of a growing conversation in sight until the user scrolls away from it. */
export class Follower {
  following = true;
  readonly #page: Page;
  #scroller: HTMLElement | undefined;
  #sessionId = '';
  #last = 0;
  readonly #resized = new ResizeObserver(() => this.stick());

  constructor(page: Page) {
    this.#page = page;
  }

  /** Called after drawing. */
  drawn(): void {
    const scroller = document.querySelector<HTMLElement>('.scroller') ?? undefined;
    if (scroller && scroller !== this.#scroller) this.#attach(scroller);
    if (this.#page.sessionId !== this.#sessionId) {
      this.#sessionId = this.#page.sessionId;
      this.#restore();
    }
    this.stick();
  }

  resume(): void {
    this.following = true;
    this.#page.keeper.follow(this.#sessionId);
    this.stick();
    this.#page.update();
  }

  stick(): void {
    const scroller = this.#scroller;
    if (!scroller || !this.following) return;
    scroller.scrollTop = scroller.scrollHeight;
    this.#last = scroller.scrollTop;
  }

  #attach(scroller: HTMLElement): void {
    this.#resized.disconnect();
    this.#scroller = scroller;
    this.#resized.observe(scroller);
    const content = scroller.querySelector('.content');
    if (content) this.#resized.observe(content);
    scroller.addEventListener('scroll', () => this.#scrolled(scroller), { passive: true });
  }

  #scrolled(scroller: HTMLElement): void {
    const left = scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop;
    // Content that shrinks moves the view up as well, but then the end is still in sight.
    const following = left <= near || (this.following && scroller.scrollTop >= this.#last);
    this.#last = scroller.scrollTop;
    if (following) {
      if (!this.following) this.resume();
      return;
    }
    this.#remember(scroller);
    if (!this.following) return;
    this.following = false;
    this.#page.update();
  }

  #remember(scroller: HTMLElement): void {
    const top = scroller.getBoundingClientRect().top;
    for (const element of scroller.querySelectorAll<HTMLElement>('article[data-message]')) {
      const box = element.getBoundingClientRect();
      if (box.bottom <= top) continue;
      const anchor = { messageId: element.dataset['message'] ?? '', offset: box.top - top };
      this.#page.keeper.setSession(this.#sessionId, { anchor });
      return;
    }
  }

  #restore(): void {
    const scroller = this.#scroller;
    const { anchor } = this.#page.keeper.session(this.#sessionId);
    const target =
      anchor && scroller?.querySelector(`[data-message="${CSS.escape(anchor.messageId)}"]`);
    this.following = !target;
    if (!scroller || !target) return;
    const top = target.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
    scroller.scrollTop += top - anchor.offset;
    this.#last = scroller.scrollTop;
    this.#page.update();
  }
}
