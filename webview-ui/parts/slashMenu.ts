import { html, nothing } from 'lit';
import type { SlashItem } from '../slash';
import { t } from '../strings';

/** Draws the commands that complete what is typed; `chosen` is the one Enter takes. */
export function slashMenu(
  items: readonly SlashItem[],
  chosen: number,
  take: (item: SlashItem) => void,
): unknown {
  if (items.length === 0) return nothing;
  return html`<div
    class="menu slash"
    id="slash-menu"
    role="listbox"
    aria-label=${t('commandsLabel')}
    data-testid="slash-menu"
  >
    ${items.map(
      (item, index) =>
        html`<div
          class="menu-item"
          id="slash-${item.word}"
          role="option"
          aria-selected=${index === chosen ? 'true' : 'false'}
          @mousedown=${(event: Event) => {
            // The composer keeps the focus.
            event.preventDefault();
            take(item);
          }}
        >
          <span class="slash-word">/${item.word}</span><span class="quiet">${t(item.help)}</span>
        </div>`,
    )}
  </div>`;
}
