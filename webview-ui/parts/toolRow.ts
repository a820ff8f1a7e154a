import { html, nothing, type TemplateResult } from 'lit';
import type { PartView } from '../../src/protocol/viewModel';
import { duration } from '../format';
import type { Page } from '../page';
import { t } from '../strings';
import { fold } from './fold';
import { icon, spinner } from './icon';

type ToolPart = Extract<PartView, { type: 'tool' }>;

const states = {
  running: { icon: 'loading', text: 'toolRunning' },
  done: { icon: 'check', text: 'toolDone' },
  failed: { icon: 'error', text: 'toolFailed' },
  interrupted: { icon: 'debug-stop', text: 'toolInterrupted' },
  denied: { icon: 'circle-slash', text: 'toolDenied' },
} as const;

const linesShown = 40;

/** Draws one call of a tool as a line that unfolds to what went in and came out. */
export function toolRow(
  page: Page,
  messageId: string,
  key: string,
  part: ToolPart,
): TemplateResult {
  const state = states[part.state];
  // The state is told by more than the icon's colour only where it is not the ordinary one.
  const plain = part.state === 'done' || part.state === 'running';
  return fold(page, {
    key,
    messageId,
    kind: `tool ${part.state}`,
    summary: html`${part.state === 'running' ? spinner() : icon(state.icon)}
      <span class="fold-text"
        >${part.summary}
        ${
          plain
            ? html`<span class="visually-hidden">${t(state.text)}</span>`
            : html`<span class="tool-state">${t(state.text)}</span>`
        }
        ${
          part.took === undefined ? nothing : html`<span class="took">${duration(part.took)}</span>`
        }</span
      >`,
    body: () =>
      html`${block(page, messageId, `${key}.in`, t('toolInput'), part.input)}
      ${block(page, messageId, `${key}.out`, t('toolOutput'), part.output, part.state === 'running')}`,
  });
}

function block(
  page: Page,
  messageId: string,
  key: string,
  name: string,
  text: string,
  /** What still grows is shown at its end. */
  grows = false,
): unknown {
  if (text === '') return nothing;
  const lines = text.split('\n');
  const whole = lines.length <= linesShown || page.isOpen(key);
  return html`<div class="io">
    <div class="io-name">${name}</div>
    <pre>
${whole ? text : (grows ? lines.slice(-linesShown) : lines.slice(0, linesShown)).join('\n')}</pre>
    ${
      whole
        ? nothing
        : html`<button
            type="button"
            class="link"
            tabindex="-1"
            data-item
            @click=${() => page.setOpen(key, true, messageId)}
          >
            ${t('toolShowAll', lines.length)}
          </button>`
    }
  </div>`;
}
