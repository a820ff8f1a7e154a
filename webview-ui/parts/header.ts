import { html, type TemplateResult } from 'lit';
import type { Page } from '../page';
import { t } from '../strings';
import { icon } from './icon';
import { openSessions } from './sessions';

/** Draws the session's title and the ways to other sessions. */
export function header(page: Page): TemplateResult {
  const title = page.view?.title ?? '';
  const create = () => page.ask('newSession', {}, { what: t('newSession') });
  return html`<header class="header">
    <h1 class="title" title=${title} data-testid="title">${title}</h1>
    <vscode-button
      appearance="icon"
      data-testid="sessions"
      title=${t('sessions')}
      aria-label=${t('sessions')}
      @click=${() => {
        page.composer.flush();
        openSessions(page);
      }}
      >${icon('list-unordered')}</vscode-button
    >
    <vscode-button
      appearance="icon"
      data-testid="new-session"
      title=${t('newSession')}
      aria-label=${t('newSession')}
      @click=${() => {
        page.composer.flush();
        void page.working('newSession', create);
      }}
      >${icon('add')}</vscode-button
    >
  </header>`;
}
