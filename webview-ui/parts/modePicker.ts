import { html, nothing, type TemplateResult } from 'lit';
import type { ModeView } from '../../src/protocol/viewModel';
import type { Page } from '../page';
import { t } from '../strings';
import { icon } from './icon';
import { focusChosen, menu, menuRow } from './menu';

const modes: readonly ModeView[] = ['agent', 'edit', 'ask'];
const labels = { ask: 'modeAsk', edit: 'modeEdit', agent: 'modeAgent' } as const;
const details = {
  ask: 'modeAskDetail',
  edit: 'modeEditDetail',
  agent: 'modeAgentDetail',
} as const;

/** Draws the chip that says how far the agent may go in this session. */
export function modeChip(page: Page): TemplateResult {
  const mode = page.view?.mode ?? 'agent';
  const open = page.overlay?.kind === 'modes';
  const title = t('modeTitle', t(labels[mode]), t(details[mode]));
  return html`<span class="menu-anchor narrow">
    <vscode-button
      class="chip-button"
      appearance="secondary"
      data-testid="mode"
      data-mode=${mode}
      title=${title}
      aria-label=${title}
      aria-haspopup="menu"
      aria-expanded=${open ? 'true' : 'false'}
      @click=${() => {
        page.setOverlay(open ? undefined : { kind: 'modes' });
        if (!open) requestAnimationFrame(focusChosen);
      }}
      ><span class="chip-label">${t(labels[mode])}</span>${icon('chevron-down')}</vscode-button
    >
    ${
      open
        ? menu(
            page,
            { label: t('modeMenu'), testId: 'mode-menu' },
            modes.map((one) =>
              menuRow(
                page,
                {
                  id: one,
                  label: t(labels[one]),
                  detail: t(details[one]),
                  current: one === mode,
                },
                () => {
                  void page.ask('selectMode', { mode: one }, { what: t('modeMenu') });
                  page.focusWish = 'composer';
                },
              ),
            ),
          )
        : nothing
    }
  </span>`;
}
