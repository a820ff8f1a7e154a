import { html, type TemplateResult } from 'lit';
import type { Page } from '../page';
import { icon } from './icon';

export interface Fold {
  /** Names the fold over reloads. */
  readonly key: string;
  readonly messageId: string;
  readonly summary: unknown;
  readonly kind: string;
  readonly body: () => unknown;
}

/** Draws a line that unfolds; what is inside is drawn only while it is open. */
export function fold(page: Page, { key, messageId, summary, kind, body }: Fold): TemplateResult {
  const open = page.isOpen(key);
  return html`<div class="fold ${kind}">
    <button
      type="button"
      class="fold-head"
      tabindex="-1"
      data-item
      aria-expanded=${open ? 'true' : 'false'}
      @click=${() => page.setOpen(key, !open, messageId)}
    >
      ${summary}${icon(open ? 'chevron-down' : 'chevron-right', 'twist')}
    </button>
    ${open ? html`<div class="fold-body">${body()}</div>` : ''}
  </div>`;
}
