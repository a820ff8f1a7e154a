import { html, nothing } from 'lit';
import type { FilesLineView } from '../../src/protocol/viewModel';
import type { Page } from '../page';
import { t } from '../strings';
import { icon, spinner } from './icon';

/** Draws where the files are while that is not where the conversation is. */
export function filesLine(page: Page, shown: FilesLineView | undefined): unknown {
  if (!shown) return nothing;
  const busy = page.busy('bringHere');
  const ask = () => page.ask('bringHere', {}, { what: t('bringHere') });
  return html`<div
    class="line files"
    role="group"
    aria-label=${t('filesLine')}
    data-testid="files-line"
  >
    <div class="line-body">
      ${icon('files')} <span class="line-text">${shown.text}</span>
      ${
        shown.canBring
          ? html`<button
              type="button"
              class="link"
              data-testid="bring-here"
              aria-disabled=${busy ? 'true' : 'false'}
              @click=${() => void page.working('bringHere', ask)}
            >
              ${busy ? spinner() : nothing}${t('bringHere')}
            </button>`
          : nothing
      }
    </div>
  </div>`;
}
