import { html, type TemplateResult } from 'lit';
import type { Page } from '../page';
import { t } from '../strings';
import { fold } from './fold';
import { icon, spinner } from './icon';

/** Draws what a model thought before it answered, folded. */
export function reasoning(
  page: Page,
  messageId: string,
  key: string,
  text: string,
  running: boolean,
): TemplateResult {
  return fold(page, {
    key,
    messageId,
    kind: 'reasoning',
    summary: html`${running ? spinner() : icon('lightbulb')}
      <span class="fold-text">${t(running ? 'reasoningRunning' : 'reasoning')}</span>`,
    body: () => html`<div class="thought">${text}</div>`,
  });
}
