import { html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { RequestParams } from '../../src/protocol/messages';
import type { QueuedView, SessionView } from '../../src/protocol/viewModel';
import { excerpt } from '../format';
import type { Page } from '../page';
import { t, tn } from '../strings';
import { icon } from './icon';

type Action = RequestParams['queued']['action'];

/** Draws the messages that wait for the running reply, with what can be done about each. */
export function queuedMessages(page: Page, view: SessionView): unknown {
  if (view.queued.length === 0) return nothing;
  return html`<ul class="queued" aria-label=${t('queuedLabel')} data-testid="queued">
    ${repeat(
      view.queued,
      ({ id }) => id,
      (waits) => row(page, waits),
    )}
  </ul>`;
}

function row(page: Page, waits: QueuedView): unknown {
  const name = waits.text.trim() === '' ? tn('attached', waits.attachments) : excerpt(waits.text);
  const act = (action: Action): void => {
    page.composer.flush();
    page.focusWish = 'composer';
    const ask = () =>
      page.ask('queued', { queuedId: waits.id, action }, { what: t('queuedLabel') });
    void page.working(`queued.${waits.id}`, ask);
  };
  const button = (action: Action, sign: string, title: string): unknown =>
    html`<button
      type="button"
      class="act"
      data-testid="queued-${action}"
      title=${title}
      aria-label="${title}: ${name}"
      aria-disabled=${page.busy(`queued.${waits.id}`) ? 'true' : 'false'}
      @click=${() => act(action)}
    >
      ${icon(sign)}
    </button>`;
  return html`<li class="queued-row" title=${t('queuedTitle')}>
    ${icon('clock')}<span class="chip-label">${name}</span>
    ${button('send', 'send', t('queuedSend'))} ${button('edit', 'edit', t('queuedEdit'))}
    ${button('drop', 'close', t('queuedDrop'))}
  </li>`;
}
