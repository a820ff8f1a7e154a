import { html, nothing, type TemplateResult } from 'lit';
import type { ModelRow } from '../../src/protocol/viewModel';
import type { Page } from '../page';
import { t } from '../strings';
import { icon } from './icon';

/** Opens the menu of models, for the composer or for a reply to be given again. */
export function openModels(page: Page, at: string): void {
  if (page.overlay?.kind === 'models' && page.overlay.at === at) {
    page.setOverlay(undefined);
    return;
  }
  page.setOverlay({ kind: 'models', at });
  void page.ask('listModels', {}, { what: t('modelMenu') }).then((answer) => {
    if (page.overlay?.kind !== 'models' || page.overlay.at !== at) return;
    page.setOverlay(answer ? { kind: 'models', at, models: answer.models } : undefined);
    if (answer) document.querySelector<HTMLElement>('.menu [aria-checked="true"]')?.focus();
  });
}

/** Draws the chip that names the model; a model that is no AI says so. */
export function modelChip(page: Page): TemplateResult {
  const model = page.view?.model;
  const label = model?.label ?? '';
  const title = t('modelTitle', model?.practice ? `${label} · ${t('noAi')}` : label);
  const open = page.overlay?.kind === 'models' && page.overlay.at === 'composer';
  return html`<span class="menu-anchor">
    <vscode-button
      class="chip-button"
      appearance="secondary"
      data-testid="model"
      title=${title}
      aria-label=${title}
      aria-haspopup="menu"
      aria-expanded=${open ? 'true' : 'false'}
      @click=${() => openModels(page, 'composer')}
      ><span class="chip-label"
        >${label}${model?.practice ? html` <span class="quiet">· ${t('noAi')}</span>` : nothing}</span
      >${icon('chevron-down')}</vscode-button
    >
    ${
      open
        ? modelMenu(page, (model) => {
            void page.ask('selectModel', { model }, { what: t('modelMenu') });
            page.focusWish = 'composer';
          })
        : nothing
    }
  </span>`;
}

export function modelMenu(page: Page, choose: (model: string) => void): TemplateResult {
  const models = page.overlay?.kind === 'models' ? page.overlay.models : undefined;
  return html`<div
    class="menu"
    role="menu"
    aria-label=${t('modelMenu')}
    data-testid="model-menu"
    @keydown=${(event: KeyboardEvent) => onKey(page, event)}
    @focusout=${(event: FocusEvent) => {
      const menu = event.currentTarget as HTMLElement;
      if (event.relatedTarget instanceof Node && !menu.contains(event.relatedTarget)) {
        page.setOverlay(undefined);
      }
    }}
  >
    ${
      models === undefined
        ? html`<div class="menu-item quiet" role="menuitem" aria-disabled="true">
            ${t('loading')}
          </div>`
        : models.length === 0
          ? html`<div class="menu-item quiet" role="menuitem" aria-disabled="true">
              ${t('noModels')}
            </div>`
          : models.map((model) => row(page, model, choose))
    }
  </div>`;
}

function row(page: Page, model: ModelRow, choose: (model: string) => void): TemplateResult {
  return html`<button
    type="button"
    class="menu-item"
    role="menuitemradio"
    tabindex="-1"
    aria-checked=${model.current ? 'true' : 'false'}
    @click=${() => {
      page.setOverlay(undefined);
      choose(model.id);
    }}
  >
    ${icon(model.current ? 'check' : 'blank')}
    <span class="menu-text">${model.label}<span class="quiet">${model.detail}</span></span>
  </button>`;
}

function onKey(page: Page, event: KeyboardEvent): void {
  const menu = event.currentTarget as HTMLElement;
  const items = [...menu.querySelectorAll<HTMLElement>('.menu-item')];
  const at = items.findIndex((item) => item === document.activeElement);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step !== undefined) items[(at + step + items.length) % items.length]?.focus();
  else if (event.key === 'Home') items[0]?.focus();
  else if (event.key === 'End') items.at(-1)?.focus();
  else if (event.key === 'Escape' || event.key === 'Tab') {
    const anchor = menu.parentElement?.querySelector<HTMLElement>('vscode-button, [data-testid]');
    page.setOverlay(undefined);
    anchor?.focus();
  } else return;
  event.preventDefault();
  event.stopPropagation();
}
