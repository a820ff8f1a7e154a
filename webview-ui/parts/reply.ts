import { html, nothing } from 'lit';
import type { PartView, ReplyView } from '../../src/protocol/viewModel';
import { excerpt, timeOf } from '../format';
import { renderMarkdown } from '../markdown';
import { move } from '../moves';
import type { Page } from '../page';
import { messageText } from '../state';
import { t } from '../strings';
import { actionButtons, type Action } from './actions';
import { fileCard } from './fileCard';
import { icon, spinner } from './icon';
import { menuContext } from './message';
import { modelMenu, openModels } from './modelPicker';
import { reasoning } from './reasoning';
import { siblingsSwitch } from './siblings';
import { todoList } from './todo';
import { toolRow } from './toolRow';
import { copyText, fork } from './verbs';

const labels = {
  running: 'replyRunning',
  done: 'replySaid',
  failed: 'replyFailed',
  interrupted: 'replyStopped',
} as const;

/** Draws a reply: its parts in order, how it ended, what it did to files, and what can be done from there. */
export function reply(page: Page, shown: ReplyView): unknown {
  return html`<article
    class="message reply"
    tabindex="-1"
    data-message=${shown.id}
    data-testid="reply"
    data-status=${shown.status}
    data-vscode-context=${menuContext(page, 'reply', shown.id)}
    aria-busy=${shown.status === 'running' ? 'true' : 'false'}
    aria-label=${t(labels[shown.status], excerpt(messageText(shown)))}
  >
    ${shown.parts.map((part, index) => drawPart(page, shown, part, index))}
    ${
      shown.status === 'running' && shown.parts.length === 0
        ? html`<div class="quiet">${spinner()} ${t('working')}</div>`
        : nothing
    }
    ${ending(page, shown)} ${fileCard(page, shown)} ${footer(page, shown)}
  </article>`;
}

function drawPart(page: Page, shown: ReplyView, part: PartView, index: number): unknown {
  const fold = `${shown.id}.${index}`;
  const running = shown.status === 'running' && index === shown.parts.length - 1;
  switch (part.type) {
    case 'text':
      return html`<div class="markdown">${renderMarkdown(part.text, running)}</div>`;
    case 'reasoning':
      return reasoning(page, shown.id, fold, part.text, running);
    case 'tool':
      return toolRow(page, shown.id, fold, part);
    case 'todo':
      return todoList(part.items);
  }
}

function ending(page: Page, shown: ReplyView): unknown {
  if (shown.status !== 'failed' && shown.status !== 'interrupted') return nothing;
  const why = shown.error?.message;
  const text =
    shown.status === 'failed'
      ? t('failed', why ?? '')
      : why === undefined
        ? t('stopped')
        : t('endedEarly', why);
  if (shown.error?.code === 'too_long') return tooLong(page, shown, text);
  return html`<div class="ending ${shown.status}" data-testid="ending">
    ${icon(shown.status === 'failed' ? 'error' : 'debug-stop')}
    <span class="ending-text">${text}</span>
    <button
      type="button"
      class="link"
      tabindex="-1"
      data-item
      data-testid="retry"
      title=${t('retryTitle')}
      @click=${() => regenerate(page, shown.id)}
    >
      ${t('retry')}
    </button>
  </div>`;
}

/** A request that was too long is not sent again: what helps is to make it shorter. */
function tooLong(page: Page, shown: ReplyView, text: string): unknown {
  const isLast = page.view?.messages.at(-1)?.id === shown.id;
  return html`<div class="ending failed" data-testid="ending">
    ${icon('error')}
    <span class="ending-text">${text}</span>
    ${
      isLast
        ? html`<button
            type="button"
            class="link"
            tabindex="-1"
            data-item
            data-testid="summarise"
            title=${t('continueSummarisedTitle')}
            @click=${() =>
              void page.working('summarise', () =>
                page.ask('continueSummarised', {}, { what: t('continueSummarised') }),
              )}
          >
            ${t('continueSummarised')}
          </button>`
        : nothing
    }
  </div>`;
}

function footer(page: Page, shown: ReplyView): unknown {
  if (shown.status === 'running') return nothing;
  const menu = page.overlay?.kind === 'models' && page.overlay.at === shown.id;
  return html`<div class="foot" role="toolbar" aria-label=${t('replyActions')}>
    ${actionButtons(page, shown.id, actionsOf(page, shown))}
    <span class="space"></span>
    ${siblingsSwitch(page, shown.id, shown.siblings)}
    ${menu ? modelMenu(page, (model) => regenerate(page, shown.id, model)) : nothing}
  </div>`;
}

function regenerate(page: Page, messageId: string, model?: string): void {
  const plan = {
    verb: 'regenerate',
    messageId,
    ...(model === undefined ? {} : { model }),
  } as const;
  void move(page, plan, `regenerate.${messageId}`);
}

function actionsOf(page: Page, shown: ReplyView): readonly Action[] {
  const { id } = shown;
  return [
    {
      id: 'regenerate',
      icon: 'refresh',
      text: t('regenerate'),
      title: t('regenerateTitle'),
      name: t('regenerate'),
      key: 'r',
      run: () => regenerate(page, id),
    },
    {
      id: 'regenerate-with',
      icon: 'chevron-down',
      title: t('regenerateWith'),
      name: t('regenerateWith'),
      run: () => openModels(page, id),
    },
    {
      id: 'fork',
      icon: 'repo-forked',
      text: t('fork'),
      title: t('forkTitle'),
      name: t('fork'),
      key: 'f',
      run: () => fork(page, id),
    },
    {
      id: 'copy',
      icon: 'copy',
      title: [t('copyTitle'), timeOf(shown.createdAt, page.language), shown.usage]
        .filter((one) => one !== undefined)
        .join(' · '),
      name: t('copy'),
      key: 'c',
      run: () => copyText(page, messageText(shown)),
    },
  ];
}
