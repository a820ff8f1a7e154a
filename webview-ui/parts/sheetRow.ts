import { html, nothing, type TemplateResult } from 'lit';
import type { ConflictChoice, PlannedFileView } from '../../src/protocol/viewModel';
import { choose, type SheetState } from '../moves';
import type { Page } from '../page';
import { t } from '../strings';
import { counts } from './fileCard';

const choiceTexts = {
  keep: 'choiceKeep',
  restore: 'choiceRestore',
  merge: 'choiceMerge',
} as const satisfies Record<ConflictChoice, string>;

const colours = {
  restored: 'quiet',
  deleted: 'quiet',
  moved: 'quiet',
  unchanged: 'quiet',
  kept: 'quiet',
  merged: 'merged',
  conflict: 'conflict',
  'stands at': 'conflict',
  uncovered: 'uncovered',
  failed: 'conflict',
} as const satisfies Record<PlannedFileView['outcome'], string>;

/** Draws what a move would do to one file, and what can be chosen about it. */
export function sheetRow(
  page: Page,
  planId: string,
  file: PlannedFileView,
  state: SheetState,
): TemplateResult {
  const compare = () =>
    void page.ask('compareFile', { planId, uri: file.uri }, { what: file.label });
  return html`<li class="sheet-row" data-outcome=${file.outcome}>
    ${
      file.canCompare
        ? html`<button
            type="button"
            class="plain path"
            title=${t('compareFile', file.label)}
            @click=${compare}
          >
            ${file.label}
          </button>`
        : html`<span class="path" title=${file.label}>${file.label}</span>`
    }
    ${counts(file.added, file.removed)}
    <span class="tag ${colours[file.outcome]}">${file.tag}</span>
    ${choices(page, file, state)}
  </li>`;
}

function choices(page: Page, file: PlannedFileView, state: SheetState): unknown {
  if (file.choices.length === 0) return nothing;
  const chosen = state.choices[file.uri];
  return html`<select
    class="choice"
    data-testid="choice"
    data-uri=${file.uri}
    aria-label=${t('choiceFor', file.label)}
    @change=${(event: Event) => {
      choose(page, file.uri, (event.target as HTMLSelectElement).value as ConflictChoice);
    }}
  >
    ${file.choices.map(
      (choice) =>
        html`<option value=${choice} ?selected=${choice === chosen}>
          ${t(choiceTexts[choice])}
        </option>`,
    )}
  </select>`;
}
