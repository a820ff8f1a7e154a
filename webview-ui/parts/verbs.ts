import { announce } from '../announce';
import type { Page } from '../page';
import { t } from '../strings';

/** Makes a new session with the history up to a message. */
export function fork(page: Page, messageId: string): void {
  const ask = () => page.ask('fork', { messageId }, { what: t('fork') });
  void page.working(`fork.${messageId}`, ask, messageId);
}

/** Puts a text on the clipboard. */
export function copyText(page: Page, text: string): void {
  void page.ask('copy', { text }, { what: t('copy') }).then((answer) => {
    if (answer !== undefined) announce(t('copied'));
  });
}
