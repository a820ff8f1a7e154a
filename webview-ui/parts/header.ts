import { html, type TemplateResult } from 'lit';
import type { Page } from '../page';
import { t } from '../strings';
import { icon } from './icon';
import { openSessions } from './sessions';

/** Draws the session's title, which opens the list of sessions; the buttons above it are VS Code's own. */
export function header(page: Page): TemplateResult {
  const title = page.view?.title ?? '';
  return html`<header class="header">
    <h1 class="heading">
      <button
        type="button"
        class="title-button"
        data-testid="sessions"
        title=${t('sessionsOpen', title)}
        aria-haspopup="dialog"
        @click=${() => {
          page.composer.flush();
          openSessions(page);
        }}
      >
        <span class="title" data-testid="title">${title}</span>${icon('chevron-down')}
      </button>
    </h1>
  </header>`;
}
