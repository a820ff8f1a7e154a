import { html, nothing } from 'lit';
import type { SiblingsView } from '../../src/protocol/viewModel';
import { move } from '../moves';
import type { Page } from '../page';
import { t } from '../strings';
import { actionButton } from './actions';

/** Draws `‹ 2 / 3 ›`, where there is more than one version of a message. */
export function siblingsSwitch(page: Page, messageId: string, siblings: SiblingsView): unknown {
  const { index, count, previous, next } = siblings;
  if (count < 2) return nothing;
  const go = (target: string | undefined) => (event: Event) => {
    if (target === undefined) return;
    const stay = event instanceof MouseEvent && event.altKey;
    page.focusWish = { messageId: target };
    const scope = stay ? ({ scope: 'chat' } as const) : {};
    const plan = { verb: 'switch', messageId: target, ...scope } as const;
    void move(page, plan, `switch.${messageId}`);
  };
  const label = t('siblings', index, count);
  return html`<span class="siblings" role="group" aria-label=${label} data-testid="siblings">
    ${
      previous === undefined
        ? html`<span class="act off"><span class="codicon codicon-chevron-left"></span></span>`
        : actionButton(page, messageId, {
            id: 'previous',
            icon: 'chevron-left',
            title: t('previousVersion'),
            name: t('previousVersion'),
            key: '[',
            run: go(previous),
          })
    }
    <span class="count">${index} / ${count}</span>
    ${
      next === undefined
        ? html`<span class="act off"><span class="codicon codicon-chevron-right"></span></span>`
        : actionButton(page, messageId, {
            id: 'next',
            icon: 'chevron-right',
            title: t('nextVersion'),
            name: t('nextVersion'),
            key: ']',
            run: go(next),
          })
    }
  </span>`;
}
