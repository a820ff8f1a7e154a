import { html, nothing, type TemplateResult } from 'lit';
import { isComposing } from '../keys';
import { icon } from '../parts/icon';
import { t, tn } from '../strings';
import type { GraphPage } from './page';

const pause = 150;
let waiting: ReturnType<typeof setTimeout> | undefined;

/** Draws the title, the search field, and the buttons that fold and zoom. */
export function toolbar(page: GraphPage): TemplateResult {
  const { folds } = page;
  return html`<header class="header">
    <h1 class="title" data-testid="graph-title">${t('graphTitle', page.view?.title ?? '')}</h1>
    <span class="found" data-testid="graph-found">${found(page)}</span>
    <vscode-text-field
      class="filter"
      id="find"
      data-testid="graph-find"
      placeholder=${t('graphFind')}
      @input=${(event: Event) => onInput(page, event)}
      @keydown=${(event: KeyboardEvent) => onKey(page, event)}
      >${t('graphFind')}</vscode-text-field
    >
    ${archivedButton(page)}
    ${iconButton(t(folds ? 'graphUnfold' : 'graphFold'), folds ? 'unfold' : 'fold', () =>
      page.toggleFolds(),
    )}
    ${iconButton(t('graphZoomOut'), 'zoom-out', () => page.zoom(-1))}
    ${iconButton(t('graphZoomIn'), 'zoom-in', () => page.zoom(1))}
  </header>`;
}

/** There is a button where there is something it shows or hides. */
function archivedButton(page: GraphPage): unknown {
  const count = page.view?.archived ?? 0;
  if (count === 0 && !page.showsArchived) return nothing;
  const title = page.showsArchived ? t('graphHideArchived') : tn('graphShowArchived', count);
  return html`<vscode-button
    appearance="icon"
    class=${page.showsArchived ? 'pressed' : ''}
    title=${title}
    aria-label=${title}
    data-testid="graph-archived"
    @click=${() => void page.toggleArchived()}
    >${icon('archive')}</vscode-button
  >`;
}

function iconButton(title: string, name: string, run: () => void): TemplateResult {
  return html`<vscode-button
    appearance="icon"
    title=${title}
    aria-label=${title}
    data-testid="graph-${name}"
    @click=${run}
    >${icon(name)}</vscode-button
  >`;
}

function found({ search }: GraphPage): unknown {
  if (search === undefined) return nothing;
  const { hits, at } = search;
  return hits.length === 0 ? t('graphNotFound') : t('graphFound', at + 1, hits.length);
}

function onInput(page: GraphPage, event: Event): void {
  const text = (event.target as HTMLInputElement).value;
  clearTimeout(waiting);
  waiting = setTimeout(() => void page.find(text), pause);
}

function onKey(page: GraphPage, event: KeyboardEvent): void {
  if (isComposing(event)) return;
  if (event.key === 'Enter') page.nextHit(event.shiftKey ? -1 : 1);
  else if (event.key === 'Escape' || event.key === 'ArrowDown') page.select(page.current);
  else return;
  event.preventDefault();
  event.stopPropagation();
}
