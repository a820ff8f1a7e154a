import { html } from 'lit';
import { guard } from 'lit/directives/guard.js';
import type { MessageEntry } from '../../src/protocol/viewModel';
import type { Page } from '../page';
import { t } from '../strings';
import { reply } from './reply';
import { summary } from './summary';
import { userMessage } from './userMessage';

/** Draws one message again only when it, or something of the page's own about it, changed. */
export function message(page: Page, shown: MessageEntry, height: number): unknown {
  const isLast = page.view?.messages.at(-1)?.id === shown.id;
  const deps = [shown, height, page.versionOf(shown.id), page.epoch, isLast];
  return guard(deps, () => {
    try {
      return draw(page, shown, height);
    } catch (error) {
      return undrawable(shown, error);
    }
  });
}

function draw(page: Page, shown: MessageEntry, height: number): unknown {
  switch (shown.role) {
    case 'summary':
      return summary(shown);
    case 'user':
      return userMessage(page, shown);
    case 'assistant':
      return reply(page, shown);
    case 'outline':
      return html`<article
        class="message outline"
        tabindex="-1"
        data-message=${shown.id}
        data-height=${height}
        aria-busy="true"
        aria-label=${t('loading')}
      ></article>`;
    case 'notice':
      return html`<article
        class="message notice"
        tabindex="-1"
        data-message=${shown.id}
        aria-label=${t('noticeSaid', shown.text)}
      >
        ${shown.text}
      </article>`;
  }
}

function undrawable(shown: { readonly id: string }, error: unknown): unknown {
  const text = t('cannotDraw', error instanceof Error ? error.message : String(error));
  return html`<article
    class="message trouble"
    tabindex="-1"
    data-message=${shown.id}
    aria-label=${text}
  >
    ${text}
  </article>`;
}

/** Returns what a context menu command is told about a message. */
export function menuContext(page: Page, section: 'user' | 'reply', messageId: string): string {
  return JSON.stringify({
    webviewSection: section,
    messageId,
    sessionId: page.sessionId,
    preventDefaultContextMenuItems: true,
  });
}
