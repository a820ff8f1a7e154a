import { html, nothing } from 'lit';
import type { SessionView } from '../../src/protocol/viewModel';
import { attach, takeContext } from '../mentions';
import type { Page } from '../page';
import { t } from '../strings';
import { icon } from './icon';

/** Draws what the editor shows as a chip that attaches it; nothing where it is attached already. */
export function offerChip(page: Page, { offer }: SessionView): unknown {
  if (offer === undefined) return nothing;
  const there = page.composer.attachments.some((one) =>
    'uri' in one ? offer.what === 'file' && one.uri === offer.uri : one.name === offer.label,
  );
  if (there) return nothing;
  const title = t(offer.what === 'file' ? 'offerFile' : 'offerSelection', offer.label);
  const add = (): void => {
    page.focusWish = 'composer';
    if (offer.what === 'file') attach(page, [{ uri: offer.uri }]);
    else takeContext(page, 'selection');
  };
  return html`<li>
    <button
      type="button"
      class="chip offer"
      data-testid="offer"
      title=${title}
      aria-label=${title}
      @click=${add}
    >
      ${icon('add')}<span class="chip-label">${shortLabel(offer.label)}</span>
    </button>
  </li>`;
}

/** Draws the files of instructions that go with each message; a click opens one. */
export function instructionChips(page: Page, { instructions }: SessionView): unknown {
  return instructions.map(({ uri, label, used }) => {
    const title = t(used ? 'instructionsUsed' : 'instructionsUnused', label);
    return html`<li>
      <button
        type="button"
        class="chip offer"
        data-testid="instructions"
        title=${title}
        aria-label=${title}
        @click=${() => void page.ask('openLink', { href: uri }, { what: label })}
      >
        ${icon(used ? 'book' : 'circle-slash')}<span class="chip-label">${label}</span>
      </button>
    </li>`;
  });
}

function shortLabel(label: string): string {
  return label.slice(label.lastIndexOf('/') + 1);
}
