import { html, nothing, type TemplateResult } from 'lit';
import type { Page } from '../page';
import { icon, spinner } from './icon';

export interface Action {
  readonly id: string;
  readonly icon: string;
  /** Shown beside the icon; without it the icon stands alone. */
  readonly text?: string;
  readonly title: string;
  readonly name: string;
  readonly main?: boolean;
  /** The key that does the same while the message itself has focus. */
  readonly key?: string;
  readonly run: (event: Event) => void;
}

/**
 * Draws the actions of a message. They are plain buttons: there are several on each of thousands of messages, which
 * is too many for an element with a shadow of its own.
 */
export function actionButtons(page: Page, messageId: string, actions: readonly Action[]): unknown {
  return actions.map((action) => actionButton(page, messageId, action));
}

export function actionButton(page: Page, messageId: string, action: Action): TemplateResult {
  const busy = page.busy(`${action.id}.${messageId}`);
  return html`<button
    type="button"
    class="act ${action.main ? 'first' : ''}"
    tabindex="-1"
    data-item
    data-testid=${action.id}
    data-key=${action.key ?? nothing}
    title=${action.title}
    aria-label=${action.name}
    aria-disabled=${busy ? 'true' : 'false'}
    @click=${(event: Event) => {
      if (!busy) action.run(event);
    }}
  >
    ${busy ? spinner() : icon(action.icon)}${
      action.text ? html`<span class="act-text">${action.text}</span>` : nothing
    }
  </button>`;
}
