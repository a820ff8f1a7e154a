import { html, nothing } from 'lit';
import type { MentionItem, Mentions } from '../mentions';
import { t } from '../strings';
import { icon } from './icon';

const signs = {
  selection: 'list-selection',
  problems: 'warning',
  only: 'search',
  file: 'file',
  folder: 'folder',
} as const;

/** Draws what completes an `@`. */
export function mentionMenu(mentions: Mentions, items: readonly MentionItem[]): unknown {
  if (items.length === 0) return nothing;
  const chosen = Math.min(mentions.chosen, items.length - 1);
  return html`<div
    class="menu slash"
    id="mention-menu"
    role="listbox"
    aria-label=${t('mentionsLabel')}
    data-testid="mention-menu"
  >
    ${items.map(
      (item, index) =>
        html`<div
          class="menu-item"
          id="mention-${index}"
          role="option"
          title=${item.word}
          aria-selected=${index === chosen ? 'true' : 'false'}
          @mousedown=${(event: Event) => {
            // The composer keeps the focus.
            event.preventDefault();
            mentions.take(item);
          }}
        >
          ${icon(signs[item.kind])}${label(item)}
        </div>`,
    )}
  </div>`;
}

function label(item: MentionItem): unknown {
  if ('detail' in item) {
    return html`<span class="mention-word">@${item.word}</span
      ><span class="quiet chip-label">${item.detail}</span>`;
  }
  const cut = item.word.lastIndexOf('/') + 1;
  return html`<span class="mention-name">${item.word.slice(cut)}</span
    ><span class="quiet chip-label">${item.word.slice(0, Math.max(0, cut - 1))}</span>`;
}
