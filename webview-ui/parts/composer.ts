import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { ContextView, SessionView } from '../../src/protocol/viewModel';
import { shortCount } from '../format';
import { attach } from '../mentions';
import type { Page } from '../page';
import { completed } from '../slash';
import { t } from '../strings';
import { chips } from './chips';
import { offeredCommands, onComposerKey, send, slashState } from './composerKeys';
import { icon } from './icon';
import { modeChip } from './modePicker';
import { modelChip } from './modelPicker';
import { mentionMenu } from './mentionMenu';
import { instructionChips, offerChip } from './offer';
import { pasted } from './paste';
import { queuedMessages } from './queued';
import { slashMenu } from './slashMenu';

const isMac = navigator.userAgent.includes('Macintosh');
const modifiedEnter = isMac ? 'Cmd+Enter' : 'Ctrl+Enter';
const altEnter = isMac ? 'Option+Enter' : 'Alt+Enter';

/** Draws where messages are written. */
export function composerPart(page: Page, view: SessionView): TemplateResult {
  const { composer } = page;
  const items = offeredCommands(page);
  const chosen = Math.min(slashState.chosen, items.length - 1);
  const active = items[chosen];
  const { mentions } = page;
  const offered = items.length > 0 ? [] : mentions.items;
  const moved = (event: Event): void => {
    const { selectionStart } = event.target as HTMLTextAreaElement;
    if (selectionStart === composer.caret) return;
    composer.moved(selectionStart);
    mentions.typed();
    page.update();
  };
  return html`<footer class="composer">
    ${aside(page, view)} ${queuedMessages(page, view)}
    ${slashMenu(items, chosen, (item) => composer.fill(completed(item)))}
    ${mentionMenu(mentions, offered)}
    <div class="box">
      <textarea
        id="composer"
        class="grow"
        rows="1"
        placeholder=${t('placeholder')}
        aria-label=${t('composerLabel')}
        aria-autocomplete="list"
        aria-controls=${active ? 'slash-menu' : offered.length > 0 ? 'mention-menu' : nothing}
        aria-activedescendant=${
          active
            ? `slash-${active.word}`
            : offered.length > 0
              ? `mention-${Math.min(mentions.chosen, offered.length - 1)}`
              : nothing
        }
        .value=${live(composer.text)}
        @input=${(event: Event) => {
          const field = event.target as HTMLTextAreaElement;
          composer.typed(field.value, field.selectionStart);
          slashState.chosen = 0;
          mentions.typed();
          page.update();
        }}
        @keyup=${moved}
        @click=${moved}
        @keydown=${(event: KeyboardEvent) => onComposerKey(page, event)}
        @select=${(event: Event) => {
          composer.moved((event.target as HTMLTextAreaElement).selectionStart);
        }}
        @blur=${(event: Event) => {
          composer.moved((event.target as HTMLTextAreaElement).selectionStart);
          composer.flush();
        }}
        @paste=${(event: ClipboardEvent) => {
          pasted(page, event, (added) => attach(page, added));
        }}
      ></textarea>
      ${chips(
        composer.attachments,
        (index) => {
          composer.setAttachments(composer.attachments.filter((_, at) => at !== index));
          page.focusWish = 'composer';
        },
        view.offer || view.instructions.length > 0
          ? html`${offerChip(page, view)}${instructionChips(page, view)}`
          : undefined,
      )}
      <div class="row">
        ${modeChip(page)} ${modelChip(page)}
        <vscode-button
          class="chip-button"
          appearance="secondary"
          data-testid="attach"
          title=${t('addContextTitle')}
          aria-label=${t('addContextTitle')}
          @click=${() => {
            composer.flush();
            void page.working('attach', () =>
              page.ask('attachFiles', {}, { what: t('addContext') }),
            );
          }}
          >${icon('attach')}<span class="chip-label wide">${t('addContext')}</span></vscode-button
        >
        <span class="row-end">${meter(view.context)} ${sendAndStop(page, view)}</span>
      </div>
    </div>
  </footer>`;
}

function aside(page: Page, view: SessionView): unknown {
  if (!view.draft.aside) return nothing;
  const restore = () => page.ask('takeBackDraft', {}, { what: t('draftRestore') });
  return html`<div class="aside" data-testid="draft-aside">
    <span>${t('draftAside')} · </span>
    <button
      type="button"
      class="link"
      @click=${() => {
        page.composer.flush();
        page.focusWish = 'composer';
        void page.working('takeBack', restore);
      }}
    >
      ${t('draftRestore')}
    </button>
    <button
      type="button"
      class="act"
      data-testid="drop-aside"
      title=${t('draftForget')}
      aria-label=${t('draftForget')}
      @click=${() => {
        page.focusWish = 'composer';
        void page.ask('dropAside', {}, { what: t('draftForget') });
      }}
    >
      ${icon('close')}
    </button>
  </div>`;
}

/** From this share of the window on, the size is shown as a warning. */
const nearlyFull = 0.9;

function meter({ used, window, usage }: ContextView): TemplateResult {
  const size = window === undefined ? t('contextUsedOnly', used) : t('contextUsed', used, window);
  const title = [size, ...usage].join('\n');
  const full = window !== undefined && used > window * nearlyFull;
  const of =
    window === undefined ? nothing : html`<span class="wide"> / ${shortCount(window)}</span>`;
  return html`<span
    class="meter ${full ? 'full' : ''}"
    role="img"
    title=${title}
    aria-label=${title}
    data-testid="meter"
    >${shortCount(used)}${of}</span
  >`;
}

function sendAndStop(page: Page, view: SessionView): unknown {
  const stop = () => {
    // Messages that wait come back into the composer: it must be whole before.
    page.composer.flush();
    return page.ask('stop', {}, { what: t('stop') });
  };
  const writes = !page.composer.empty;
  return html`${
    view.running
      ? html`<vscode-button
          appearance="secondary"
          data-testid="stop"
          title=${t('stopTitle')}
          aria-label=${t('stopTitle')}
          ?disabled=${page.busy('stop')}
          @click=${() => void page.working('stop', stop)}
          >${icon('debug-stop')}<span class="button-text wide">${t('stop')}</span></vscode-button
        >`
      : nothing
  }${view.running && !writes ? nothing : sendButton(page, view)}`;
}

function sendButton(page: Page, { running, sendKey }: SessionView): TemplateResult {
  const key = sendKey === 'enter' ? 'Enter' : modifiedEnter;
  const title = running ? t('queueTitle', key, altEnter) : t('sendTitle', key);
  return html`<vscode-button
    appearance="primary"
    data-testid="send"
    title=${title}
    aria-label=${title}
    ?disabled=${page.composer.empty || page.busy('send')}
    @click=${(event: MouseEvent) => send(page, event.altKey ? 'stopFirst' : 'send')}
    >${icon(running ? 'list-ordered' : 'send', 'only-narrow')}<span class="wide"
      >${t(running ? 'queue' : 'send')}</span
    ></vscode-button
  >`;
}
