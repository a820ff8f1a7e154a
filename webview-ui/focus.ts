import type { Page } from './page';

const stops =
  'vscode-button, vscode-checkbox, vscode-text-field, button, select, textarea, [tabindex="0"]';

/** Returns the controls that Tab visits in an element, in order. */
function tabStops(within: HTMLElement): readonly HTMLElement[] {
  return [...within.querySelectorAll<HTMLElement>(stops)].filter(
    (element) => element.getAttribute('tabindex') !== '-1' && !element.hasAttribute('disabled'),
  );
}

/** Lets Tab go round inside a dialog instead of leaving it. */
export function keepFocusInside(dialog: HTMLElement, event: KeyboardEvent): void {
  if (event.key !== 'Tab') return;
  const all = tabStops(dialog);
  const at = all.findIndex((stop) => stop === document.activeElement);
  const next = all[(at + (event.shiftKey ? -1 : 1) + all.length) % all.length];
  event.preventDefault();
  next?.focus();
}

/** Puts focus where what was asked for went, after the page was drawn. */
export class FocusKeeper {
  readonly #page: Page;
  #sheet: string | undefined;
  #overlay = false;
  #edited: string | undefined;
  #before: HTMLElement | undefined;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Called before drawing: remembers where focus was, for drawing may take its place away. */
  before(): void {
    const { activeElement } = document;
    this.#before =
      activeElement instanceof HTMLElement && activeElement !== document.body
        ? activeElement
        : undefined;
  }

  after(): void {
    const page = this.#page;
    const sheet = page.view?.sheet;
    const overlay = page.overlay?.kind === 'sessions';
    const edited = page.edit?.messageId;
    const opened = (sheet && !this.#sheet) || (sheet && this.#before && !this.#before.isConnected);
    const overlayOpened = overlay && !this.#overlay;
    const editOpened = edited !== undefined && edited !== this.#edited;
    const closed = (!sheet && this.#sheet) || (!overlay && this.#overlay);
    this.#sheet = sheet?.planId;
    this.#overlay = overlay;
    this.#edited = edited;
    if (opened) focus('[data-testid="sheet-cancel"]');
    else if (sheet) return;
    else if (overlayOpened) focus('.overlay [data-autofocus]');
    else if (editOpened) focus('.editing textarea', true);
    else if (!overlay && this.#wished()) return;
    else if (!overlay && (closed || this.#lost())) this.#fallBack();
  }

  #wished(): boolean {
    const page = this.#page;
    const wish = page.focusWish;
    if (wish === undefined) return false;
    const selector =
      typeof wish === 'object'
        ? `[data-message="${CSS.escape(wish.messageId)}"]`
        : wish === 'composer'
          ? '#composer'
          : wish === 'find'
            ? '#find'
            : '[data-testid="sheet-cancel"]';
    const target = document.querySelector<HTMLElement>(selector);
    if (!target) {
      if (typeof wish === 'object') page.follower.goTo(wish.messageId);
      return false;
    }
    page.focusWish = undefined;
    target.focus({ preventScroll: true });
    if (target instanceof HTMLInputElement) target.select();
    if (typeof wish === 'object') target.scrollIntoView({ block: 'nearest' });
    return true;
  }

  #lost(): boolean {
    return this.#before?.isConnected === false && document.activeElement === document.body;
  }

  // A message that went away leaves the focus to the last one; anything else leaves it to the composer.
  #fallBack(): void {
    const same = this.#before?.matches('article[data-message]') && this.#before.dataset['message'];
    const again = same && `article[data-message="${CSS.escape(same)}"]`;
    // A message of which only the outline was known is another element once it is read.
    if (again && document.querySelector(again)) {
      focus(again);
      return;
    }
    const inTranscript = this.#before?.closest('article') !== null && this.#before !== undefined;
    const last = [...document.querySelectorAll<HTMLElement>('article[data-message]')].at(-1);
    if (inTranscript && last && document.activeElement === document.body) last.focus();
    else focus('#composer');
  }
}

function focus(selector: string, atEnd = false): void {
  const target = document.querySelector<HTMLElement>(selector);
  target?.focus();
  if (atEnd && target instanceof HTMLTextAreaElement) {
    target.setSelectionRange(target.value.length, target.value.length);
  }
}
