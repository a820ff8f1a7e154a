import { html, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { isComposing, isSendKey } from '../keys';
import { changeEdit, endEdit, sendEdit, type EditState } from '../moves';
import type { Page } from '../page';
import { t } from '../strings';
import { chips } from './chips';
import { pasted } from './paste';

/** Draws a user message that is being edited in its place. */
export function editor(page: Page, edit: EditState): TemplateResult {
  const busy = page.busy(`edit.${edit.messageId}`);
  return html`<article
    class="message user editing"
    tabindex="-1"
    data-message=${edit.messageId}
    data-testid="editing"
    aria-label=${t('editLabel')}
  >
    <div class="box">
      <textarea
        class="grow"
        rows="1"
        aria-label=${t('editLabel')}
        data-autofocus
        .value=${live(edit.text)}
        @input=${(event: Event) => {
          changeEdit(page, { text: (event.target as HTMLTextAreaElement).value });
        }}
        @keydown=${(event: KeyboardEvent) => onKey(page, event)}
        @paste=${(event: ClipboardEvent) => {
          pasted(page, event, (added) => {
            const old = page.edit?.attachments ?? [];
            changeEdit(page, { attachments: [...old, ...added] });
          });
        }}
      ></textarea>
      ${chips(edit.attachments, (index) => {
        changeEdit(page, { attachments: edit.attachments.filter((_, at) => at !== index) });
      })}
      <div class="row">
        <span class="space"></span>
        <vscode-button appearance="secondary" @click=${() => endEdit(page)}
          >${t('cancel')}</vscode-button
        >
        <vscode-button
          appearance="primary"
          data-testid="send-edit"
          ?disabled=${busy}
          @click=${() => sendEdit(page)}
          >${t('sendEdited')}</vscode-button
        >
      </div>
    </div>
  </article>`;
}

function onKey(page: Page, event: KeyboardEvent): void {
  // Keys of a text being composed belong to the input method.
  if (isComposing(event)) return;
  if (event.key === 'Escape') endEdit(page);
  else if (isSendKey(event, page.view?.sendKey ?? 'enter')) sendEdit(page);
  else return;
  event.preventDefault();
  event.stopPropagation();
}
