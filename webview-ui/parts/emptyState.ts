import { html, nothing, type TemplateResult } from 'lit';
import type { Page } from '../page';
import { t } from '../strings';
import { icon } from './icon';
import { askForModel } from './modelPicker';

/** What Practice understands, which is no AI. */
const tries = [
  { label: 'emptyCreate', text: 'emptyCreateText', icon: 'new-file' },
  { label: 'emptyChange', text: 'emptyChangeText', icon: 'edit' },
  { label: 'emptySeveral', text: 'emptySeveralText', icon: 'checklist' },
] as const;

const questions = [
  { label: 'emptyExplain', text: 'emptyExplainText', icon: 'book' },
  { label: 'emptyMend', text: 'emptyMendText', icon: 'bug' },
  { label: 'emptyTest', text: 'emptyTestText', icon: 'beaker' },
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
  const practice = page.view?.model.practice === true;
  return html`<p class="empty-try">${t(practice ? 'emptyTry' : 'emptyAsk')}</p>
    <div class="tries">
      ${(practice ? tries : questions).map(
        (one) =>
          html`<vscode-button
            appearance="secondary"
            title=${t(one.text)}
            @click=${() => page.composer.fill(t(one.text))}
            >${icon(one.icon)}<span class="try-label">${t(one.label)}</span></vscode-button
          >`,
      )}
    </div>
    <p class="quiet">${t('emptyThen')}</p>
    ${practice ? realWork(page) : nothing}`;
}

function realWork(page: Page): TemplateResult {
  return html`<p class="empty-try">${t('emptyReal')}</p>
    <div class="tries">
      <vscode-button
        appearance="secondary"
        data-testid="add-model"
        @click=${() => askForModel(page)}
        >${icon('add')}<span class="try-label">${t('addModel')}</span></vscode-button
      >
    </div>`;
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
