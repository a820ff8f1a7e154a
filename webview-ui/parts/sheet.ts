import { html, nothing, type TemplateResult } from 'lit';
import type { Scope, SheetView } from '../../src/protocol/viewModel';
import { applySheet, cancelSheet, rescope, sheetState } from '../moves';
import type { Page } from '../page';
import { t } from '../strings';
import { spinner } from './icon';
import { sheetRow } from './sheetRow';
import { keepFocusInside } from '../focus';

const scopeTexts = { chat: 'scopeChat', files: 'scopeFiles', both: 'scopeBoth' } as const;

/** Draws the question before a move that changes files. */
export function sheetPart(page: Page, sheet: SheetView): TemplateResult {
  const state = sheetState(page, sheet);
  const busy = page.busy('sheet.apply') || page.busy('sheet.scope');
  return html`<div class="sheet-back">
    <div
      class="sheet"
      role="dialog"
      aria-modal="true"
      aria-labelledby="sheet-title"
      aria-describedby="sheet-detail"
      data-testid="sheet"
      data-plan=${sheet.planId}
      @keydown=${(event: KeyboardEvent) => onKey(page, sheet, event)}
    >
      <h2 id="sheet-title">${sheet.title}</h2>
      <p id="sheet-detail">${sheet.detail}</p>
      ${sheet.replanned ? html`<p class="replanned" role="note">${t('replanned')}</p>` : nothing}
      ${scopes(page, sheet)}
      ${
        sheet.files.length === 0
          ? html`<p class="quiet">${t('noFileChanges')}</p>`
          : html`<ul class="sheet-files" aria-label=${t('filesOfMove')}>
              ${sheet.files.map((file) => sheetRow(page, sheet.planId, file, state))}
            </ul>`
      }
      ${
        sheet.plain && sheet.files.length > 0
          ? html`<vscode-checkbox
              class="dont-ask"
              data-testid="dont-ask"
              ?checked=${state.dontAskAgain}
              @change=${(event: Event) => {
                const dontAskAgain = (event.target as HTMLInputElement).checked;
                page.sheet = { ...state, dontAskAgain };
              }}
              >${t('dontAskAgain')}</vscode-checkbox
            >`
          : nothing
      }
      <div class="row">
        ${
          sheet.files.some((file) => file.canCompare)
            ? html`<button
                type="button"
                class="link"
                data-testid="compare-all"
                @click=${() =>
                  void page.ask('compareAll', { planId: sheet.planId }, { what: t('compareAll') })}
              >
                ${t('compareAll')}
              </button>`
            : nothing
        }
        <span class="space"></span>
        <vscode-button
          appearance="secondary"
          data-testid="sheet-cancel"
          @click=${() => cancelSheet(page, sheet)}
          >${t('cancel')}</vscode-button
        >
        <vscode-button
          appearance="primary"
          data-testid="sheet-apply"
          ?disabled=${busy}
          @click=${() => applySheet(page, sheet)}
          >${page.busy('sheet.apply') ? spinner() : nothing}${sheet.action}</vscode-button
        >
      </div>
    </div>
  </div>`;
}

function scopes(page: Page, sheet: SheetView): unknown {
  if (sheet.scopes.length < 2) return nothing;
  return html`<div
    class="segments"
    role="radiogroup"
    aria-label=${t('scope')}
    @keydown=${(event: KeyboardEvent) => onScopeKey(page, sheet, event)}
  >
    ${inOrder(sheet.scopes).map(
      (scope) =>
        html`<button
          type="button"
          class="segment"
          role="radio"
          data-scope=${scope}
          aria-checked=${scope === sheet.scope ? 'true' : 'false'}
          tabindex=${scope === sheet.scope ? 0 : -1}
          @click=${() => rescope(page, sheet, scope)}
        >
          ${t(scopeTexts[scope])}
        </button>`,
    )}
  </div>`;
}

function inOrder(scopes: readonly Scope[]): readonly Scope[] {
  return (['chat', 'files', 'both'] as const).filter((scope) => scopes.includes(scope));
}

function onScopeKey(page: Page, sheet: SheetView, event: KeyboardEvent): void {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const scopes = inOrder(sheet.scopes);
  const at = scopes.indexOf(sheet.scope);
  const next = scopes[(at + step + scopes.length) % scopes.length];
  if (next === undefined) return;
  event.preventDefault();
  const group = event.currentTarget as HTMLElement;
  group.querySelector<HTMLElement>(`[data-scope="${next}"]`)?.focus();
  rescope(page, sheet, next);
}

function onKey(page: Page, sheet: SheetView, event: KeyboardEvent): void {
  if (event.key === 'Escape' && !event.defaultPrevented) {
    event.preventDefault();
    cancelSheet(page, sheet);
  } else {
    keepFocusInside(event.currentTarget as HTMLElement, event);
  }
}
