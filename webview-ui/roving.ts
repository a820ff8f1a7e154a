import { isComposing } from './keys';
import type { Page } from './page';

/**
 * Moves focus by keyboard in the conversation. Tab enters at one message; arrows go from message to message; Enter or
 * Right goes to what a message offers, arrows along it, Escape back to the message.
 */
export class Roving {
  readonly #page: Page;
  #current: string | undefined;

  constructor(page: Page) {
    this.#page = page;
    document.addEventListener('keydown', (event) => this.#onKey(event));
    document.addEventListener('focusin', (event) => {
      const message = event.target instanceof Element ? event.target.closest('article') : null;
      if (message) this.#enter(message);
    });
  }

  /** Called after drawing: exactly one message is a stop of Tab, the last one when the old stop went away. */
  drawn(): void {
    const old = document.querySelector('article[tabindex="0"]');
    const wanted = this.#current === undefined ? null : find(this.#current);
    const last = [...document.querySelectorAll('article[data-message]')].at(-1);
    const target = wanted ?? last;
    if (old === target) return;
    old?.setAttribute('tabindex', '-1');
    target?.setAttribute('tabindex', '0');
  }

  #enter(message: Element): void {
    this.#current = message.getAttribute('data-message') ?? undefined;
    this.drawn();
  }

  #onKey(event: KeyboardEvent): void {
    const target = event.target;
    if (!(target instanceof HTMLElement) || event.defaultPrevented || isComposing(event)) return;
    if (target.matches('textarea, input, vscode-button') || event.ctrlKey || event.metaKey) return;
    const message = target.closest<HTMLElement>('article[data-message]');
    if (!message) return;
    const done =
      message === target
        ? onMessageKey(this.#page, message, event)
        : onItemKey(message, target, event);
    if (done) event.preventDefault();
  }
}

function onMessageKey(page: Page, message: HTMLElement, event: KeyboardEvent): boolean {
  const all = page.view?.messages ?? [];
  const at = all.findIndex(({ id }) => id === message.dataset['message']);
  const goTo = (index: number): boolean => goToMessage(page, all[index]?.id);
  switch (event.key) {
    case 'ArrowUp':
      return goTo(at - 1);
    case 'ArrowDown':
      return at === all.length - 1 ? go(composer()) : goTo(at + 1);
    case 'Home':
      return goTo(0);
    case 'End':
      return goTo(all.length - 1);
    case 'Enter':
    case 'ArrowRight':
      return go(firstAction(message));
    case 'Escape':
      return go(composer());
    default:
      return event.altKey ? false : press(message, event.key);
  }
}

function onItemKey(message: HTMLElement, item: HTMLElement, event: KeyboardEvent): boolean {
  const all = items(message);
  const at = all.indexOf(item);
  switch (event.key) {
    case 'ArrowRight':
    case 'ArrowDown':
      return go(all[Math.min(at + 1, all.length - 1)]);
    case 'ArrowLeft':
    case 'ArrowUp':
      return go(all[Math.max(at - 1, 0)]);
    case 'Home':
      return go(all[0]);
    case 'End':
      return go(all.at(-1));
    case 'Escape':
      return go(message);
    case 'Enter':
      // What is no button does not click by itself.
      if (item instanceof HTMLButtonElement) return false;
      item.click();
      return true;
    default:
      return false;
  }
}

function items(message: HTMLElement): readonly HTMLElement[] {
  return [...message.querySelectorAll<HTMLElement>('[data-item]')];
}

function firstAction(message: HTMLElement): HTMLElement | undefined {
  return message.querySelector<HTMLElement>('[role="toolbar"] [data-item]') ?? items(message)[0];
}

function press(message: HTMLElement, key: string): boolean {
  const button = message.querySelector<HTMLElement>(
    `[data-key="${CSS.escape(key.toLowerCase())}"]`,
  );
  button?.click();
  return button !== null;
}

/** A message that is not drawn is drawn first, and gets focus then. */
function goToMessage(page: Page, messageId: string | undefined): boolean {
  if (messageId === undefined) return false;
  const drawn = find(messageId);
  if (drawn instanceof HTMLElement) return go(drawn);
  page.focusWish = { messageId };
  return page.follower.goTo(messageId);
}

function find(messageId: string): Element | null {
  return document.querySelector(`article[data-message="${CSS.escape(messageId)}"]`);
}

function composer(): HTMLElement | undefined {
  return document.getElementById('composer') ?? undefined;
}

function go(target: HTMLElement | undefined): boolean {
  target?.focus();
  target?.scrollIntoView({ block: 'nearest' });
  return target !== undefined;
}
