import { copyText } from './parts/verbs';
import { isComposing } from './keys';
import type { Page } from './page';
import { t } from './strings';

/** Handles clicks on what Markdown made, which carries no handlers of its own. */
export function handleClicks(page: Page): void {
  document.addEventListener('click', (event) => {
    if (!(event.target instanceof Element)) return;
    closeMenu(page, event.target);
    const action = event.target.closest('[data-code-act]');
    if (action) {
      const text = action.closest('.code')?.querySelector('code')?.textContent ?? '';
      actOnCode(page, action.getAttribute('data-code-act'), text);
      return;
    }
    const href = event.target.closest('a[data-href]')?.getAttribute('data-href');
    if (href === null || href === undefined) return;
    // VS Code would follow the link itself, without a look at where it goes.
    event.preventDefault();
    event.stopPropagation();
    void page.ask('openLink', { href }, { what: href });
  });
}

function actOnCode(page: Page, act: string | null, text: string): void {
  if (act === 'copy') copyText(page, text);
  else if (act === 'insert') void page.ask('insertCode', { text }, { what: t('insertCode') });
  else void page.ask('compareCode', { text }, { what: t('compareCode') });
}

function closeMenu(page: Page, target: Element): void {
  if (page.overlay?.kind !== 'models') return;
  const inside = target.closest('.menu, [data-testid="model"], [data-testid="regenerate-with"]');
  if (!inside) page.setOverlay(undefined);
}

/** Ctrl+F, and its like on a Mac, looks in the conversation: VS Code finds nothing in a view such as this one. */
export function handleFindKey(page: Page): void {
  document.addEventListener('keydown', (event) => {
    const isFind = event.key.toLowerCase() === 'f' && (event.ctrlKey || event.metaKey);
    if (!isFind || event.altKey || event.shiftKey || isComposing(event)) return;
    if (page.view === undefined || page.view.sheet || page.overlay?.kind === 'sessions') return;
    event.preventDefault();
    page.finder.show();
  });
}

/** Tells the host whether focus is in the page: keys that shall work while typing hang on it. */
export function reportFocus(page: Page): void {
  let told = false;
  const tell = (focused: boolean): void => {
    if (focused === told) return;
    told = focused;
    page.tell('focusChanged', { focused });
  };
  document.addEventListener('focusin', () => tell(true));
  // Between two controls focus is nowhere for a moment.
  document.addEventListener('focusout', () => setTimeout(() => tell(document.hasFocus()), 0));
  window.addEventListener('blur', () => tell(false));
}

/** Saves what is not saved yet before the page may be gone. */
export function saveOnHide(page: Page): void {
  const save = (): void => {
    page.composer.flush();
    page.keeper.write();
  };
  window.addEventListener('pagehide', save);
  window.addEventListener('blur', save);
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) save();
    else page.update();
  });
}

/** Keeps what goes wrong in the page from staying unseen. */
export function reportErrors(page: Page): void {
  window.addEventListener('unhandledrejection', (event) => {
    page.note(t('requestFailed', 'Retrace', String(event.reason)));
  });
}
