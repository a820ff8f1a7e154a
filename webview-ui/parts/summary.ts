import { html } from 'lit';
import type { SummaryView } from '../../src/protocol/viewModel';
import { renderMarkdown } from '../markdown';
import { t } from '../strings';
import { icon } from './icon';

/** Draws a summary: from here on it stands for what is above in what a model is sent. */
export function summary(shown: SummaryView): unknown {
  return html`<article
    class="message summary"
    tabindex="-1"
    data-message=${shown.id}
    data-testid="summary"
    aria-label=${t('summarySaid')}
  >
    <details>
      <summary>${icon('fold')} <span>${t('summarySaid')}</span></summary>
      <div class="markdown">${renderMarkdown(shown.text)}</div>
    </details>
  </article>`;
}
