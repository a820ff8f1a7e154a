import { html, nothing, type TemplateResult } from 'lit';
import type { Page } from '../page';
import { composerPart } from './composer';
import { findBar } from './findBar';
import { header } from './header';
import { lines } from './lines';
import { sessionsOverlay } from './sessions';
import { sheetPart } from './sheet';
import { transcript } from './transcript';

/** Draws the whole page. */
export function app(page: Page): TemplateResult {
  const { view } = page;
  if (!view) {
    return html`<div class="loading">
      ${
        page.notes.length > 0
          ? lines(page, [])
          : html`<vscode-progress-ring></vscode-progress-ring>`
      }
    </div>`;
  }
  const covered = view.sheet !== undefined || page.overlay?.kind === 'sessions';
  return html`<div class="page" ?inert=${covered}>
      ${header(page)} ${page.finder.open ? findBar(page) : nothing}
      <main class="main">${transcript(page, view, page.following)}</main>
      ${composerPart(page, view)}
    </div>
    ${page.overlay?.kind === 'sessions' ? sessionsOverlay(page, page.overlay) : nothing}
    ${view.sheet ? sheetPart(page, view.sheet) : nothing}`;
}
