import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { LineView } from '../../src/protocol/viewModel';
import { move } from '../moves';
import type { Page } from '../page';
import { t, tn } from '../strings';
import { icon, spinner } from './icon';

/** Draws the quiet lines after the last message: the host's, then the page's own. */
export function lines(page: Page, shown: readonly LineView[]): unknown {
  if (shown.length === 0 && page.notes.length === 0) return nothing;
  return html`<div class="lines" data-testid="lines">
    ${repeat(
      shown,
      (line) => line.id,
      (line) => {
        const dismiss = () =>
          void page.ask('dismissLine', { lineId: line.id }, { what: t('dismiss') });
        return frame(line.kind, lineBody(page, line), dismiss);
      },
    )}
    ${repeat(
      page.notes,
      (note) => note.id,
      (note) =>
        frame(
          'error',
          html`${icon('warning')} <span class="line-text">${note.text}</span>${
              note.action
                ? html`<button
                    type="button"
                    class="link"
                    data-testid="note-action"
                    @click=${() => {
                      page.dropNote(note.id);
                      note.action?.run();
                    }}
                  >
                    ${note.action.label}
                  </button>`
                : nothing
            }`,
          () => page.dropNote(note.id),
        ),
    )}
  </div>`;
}

function frame(kind: string, body: unknown, dismiss: () => void): TemplateResult {
  return html`<div class="line ${kind}" data-testid="line-${kind}">
    <div class="line-body">${body}</div>
    <button
      type="button"
      class="act dismiss"
      title=${t('dismiss')}
      aria-label=${t('dismiss')}
      @click=${dismiss}
    >
      ${icon('close')}
    </button>
  </div>`;
}

function lineBody(page: Page, line: LineView): unknown {
  switch (line.kind) {
    case 'text':
      return html`<span class="line-text">${line.text}</span>`;
    case 'error':
      return html`${icon('error')} <span class="line-text">${line.text}</span>`;
    case 'points':
      return points(page, line.points);
    case 'result':
      return html`<span class="line-text">${line.text}</span
        >${undoButton(page, line)}${failures(page, line.failures)}`;
  }
}

function undoButton(page: Page, line: Extract<LineView, { kind: 'result' }>): unknown {
  const { action } = line;
  if (!action) return nothing;
  const control = `${action}.line`;
  return html`<button
    type="button"
    class="link"
    data-testid=${action}
    aria-disabled=${page.busy(control) ? 'true' : 'false'}
    @click=${() => void move(page, { verb: action }, control)}
  >
    ${page.busy(control) ? spinner() : nothing}${t(action)}
  </button>`;
}

function failures(page: Page, failed: Extract<LineView, { kind: 'result' }>['failures']): unknown {
  if (failed.length === 0) return nothing;
  const uris = failed.map((file) => file.uri);
  const ask = () => page.ask('bringHere', { uris }, { what: t('retryFiles') });
  return html`<ul class="failures" aria-label=${t('failures')}>
      ${failed.map(
        (file) => html`<li><span class="path">${file.label}</span> · ${file.reason}</li>`,
      )}
    </ul>
    <button
      type="button"
      class="link"
      data-testid="retry-files"
      aria-disabled=${page.busy('retryFiles') ? 'true' : 'false'}
      @click=${() => void page.working('retryFiles', ask)}
    >
      ${page.busy('retryFiles') ? spinner() : nothing}${t('retryFiles')}
    </button>`;
}

function points(page: Page, shown: Extract<LineView, { kind: 'points' }>['points']): unknown {
  return html`<div class="points">
    <div class="points-head">${t('points')}</div>
    <ol aria-label=${t('points')}>
      ${shown.map(
        (point) =>
          html`<li>
            <button
              type="button"
              class="point"
              data-testid="point"
              @click=${() =>
                void move(
                  page,
                  { verb: 'rewind', messageId: point.messageId },
                  `rewind.${point.messageId}`,
                )}
            >
              <span class="point-n">${point.n}</span>
              <span class="point-text">${point.text}</span>
              ${
                point.filesChanged > 0
                  ? html`<span class="point-files">${tn('files', point.filesChanged)}</span>`
                  : nothing
              }
            </button>
          </li>`,
      )}
    </ol>
  </div>`;
}
