import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { SessionView } from '../../src/protocol/viewModel';
import type { Page } from '../page';
import { t } from '../strings';
import { approvals } from './approval';
import { emptyState } from './emptyState';
import { filesLine } from './filesLine';
import { icon, spinner } from './icon';
import { lines } from './lines';
import { message } from './message';

/** Draws the conversation and, after it, what is said about it. */
export function transcript(page: Page, view: SessionView, following: boolean): TemplateResult {
  return html`<div class="scroller" data-testid="scroller">
      <div class="content">
        <div
          class="transcript"
          role="log"
          aria-live="off"
          aria-label=${t('conversation')}
          aria-description=${t('conversationHelp')}
        >
          ${view.messages.length === 0 && view.lines.length === 0 ? emptyState(page, view.noFolder) : nothing}
          ${repeat(
            page.follower.slots(page.pinned),
            (slot) => slot.id,
            (slot) =>
              slot.kind === 'message'
                ? message(page, slot.entry, slot.height)
                : html`<div class="room" data-height=${slot.height}></div>`,
          )}
        </div>
        ${
          view.waiting === undefined
            ? nothing
            : html`<div class="quiet" data-testid="waiting">${spinner()} ${view.waiting}</div>`
        }
        ${approvals(page, view.approvals)} ${lines(page, view.lines)} ${filesLine(page, view.files)}
      </div>
    </div>
    ${
      following
        ? nothing
        : html`<div class="jump">
            <vscode-button
              appearance="secondary"
              data-testid="jump"
              title=${t('jumpToLatest')}
              aria-label=${t('jumpToLatest')}
              @click=${() => page.follow()}
              >${icon('arrow-down')}</vscode-button
            >
          </div>`
    }`;
}
