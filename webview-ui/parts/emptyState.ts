import { html, type TemplateResult } from 'lit';
import type { Page } from '../page';
import { t } from '../strings';
import { icon } from './icon';

const tries = [
  { label: 'emptyCreate', text: 'emptyCreateText', icon: 'new-file' },
  { label: 'emptyChange', text: 'emptyChangeText', icon: 'edit' },
  { label: 'emptySeveral', text: 'emptySeveralText', icon: 'checklist' },
] as const;

/** Draws what stands in an empty session: what this is, and three things to try where there are files. */
export function emptyState(page: Page, noFolder: boolean): TemplateResult {
  return html`<div class="empty" data-testid="empty">
    <h2>${t('emptyTitle')}</h2>
    <p>${t('emptyText')}</p>
    ${noFolder ? openFolder(page) : thingsToTry(page)}
  </div>`;
}

function thingsToTry(page: Page): TemplateResult {
  return html`<p class="empty-try">${t('emptyTry')}</p>
    <div class="tries">
      ${tries.map(
        (one) =>
          html`<vscode-button
            appearance="secondary"
            title=${t(one.text)}
            @click=${() => page.composer.fill(t(one.text))}
            >${icon(one.icon)}<span class="try-label">${t(one.label)}</span></vscode-button
          >`,
      )}
    </div>
    <p class="quiet">${t('emptyThen')}</p>`;
}

function openFolder(page: Page): TemplateResult {
  const ask = (): void => void page.ask('openFolder', {}, { what: t('openFolder') });
  return html`<p class="empty-try">${t('emptyNoFolder')}</p>
    <div class="tries">
      <vscode-button data-testid="open-folder" @click=${ask}
        >${icon('folder-opened')}<span class="try-label">${t('openFolder')}</span></vscode-button
      >
    </div>`;
}
