import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { isComposing } from '../keys';
import { move } from '../moves';
import type { Page } from '../page';
import { t } from '../strings';
import { icon } from './icon';

/** Draws where a text is looked for in the conversation, over its beginning. */
export function findBar(page: Page): TemplateResult {
  const { finder } = page;
  const { current } = finder;
  const none = finder.hits.length === 0;
  return html`<search
    class="find"
    data-testid="find-bar"
    @keydown=${(event: KeyboardEvent) => onKey(page, event)}
  >
    <div class="find-row">
      <input
        id="find"
        class="find-field"
        type="text"
        autocomplete="off"
        spellcheck="false"
        placeholder=${t('find')}
        aria-label=${t('find')}
        .value=${live(finder.text)}
        @input=${(event: Event) => finder.typed((event.target as HTMLInputElement).value)}
      />
      <span class="find-count" data-testid="find-count">${finder.count}</span>
      ${button('find-previous', 'arrow-up', t('findPrevious'), none, () => finder.step(-1))}
      ${button('find-next', 'arrow-down', t('findNext'), none, () => finder.step(1))}
      <button
        type="button"
        class="act ${finder.everywhere ? 'pressed' : ''}"
        data-testid="find-everywhere"
        title=${t('findEverywhere')}
        aria-label=${t('findEverywhere')}
        aria-pressed=${finder.everywhere ? 'true' : 'false'}
        @click=${() => finder.lookEverywhere(!finder.everywhere)}
      >
        ${icon('git-branch')}
      </button>
      ${button('find-close', 'close', t('findClose'), false, () => finder.close())}
    </div>
    ${
      current !== undefined && !current.onPath
        ? html`<div class="find-elsewhere" data-testid="find-elsewhere">
            <span>${t('findElsewhere', current.excerpt)}</span>
            <button
              type="button"
              class="link"
              data-testid="find-checkout"
              aria-disabled=${page.busy('find.checkout') ? 'true' : 'false'}
              @click=${() => {
                const { messageId } = current;
                void move(page, { verb: 'checkout', messageId }, 'find.checkout');
              }}
            >
              ${t('findGoThere')}
            </button>
          </div>`
        : nothing
    }
  </search>`;
}

function button(
  testId: string,
  name: string,
  title: string,
  disabled: boolean,
  act: () => void,
): TemplateResult {
  return html`<button
    type="button"
    class="act"
    data-testid=${testId}
    title=${title}
    aria-label=${title}
    ?disabled=${disabled}
    @click=${act}
  >
    ${icon(name)}
  </button>`;
}

function onKey({ finder }: Page, event: KeyboardEvent): void {
  if (isComposing(event)) return;
  if (event.key === 'Escape') finder.close();
  else if (event.key === 'Enter' && event.target instanceof HTMLInputElement)
    finder.step(event.shiftKey ? -1 : 1);
  else return;
  event.preventDefault();
  event.stopPropagation();
}
