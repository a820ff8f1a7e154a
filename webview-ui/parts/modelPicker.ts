import { html, nothing, type TemplateResult } from 'lit';
import type { Page } from '../page';
import { t } from '../strings';
import { icon } from './icon';
import { focusChosen, menu, menuAction, menuNote, menuRow } from './menu';

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
    if (answer) focusChosen();
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
        ? modelMenu(
            page,
            (model) => {
              void page.ask('selectModel', { model }, { what: t('modelMenu') });
              page.focusWish = 'composer';
            },
            true,
          )
        : nothing
    }
  </span>`;
}

/** Begins to ask for a new model. */
export function askForModel(page: Page): void {
  void page.ask('addModel', {}, { what: t('addModel') });
}

/** Draws the models to choose from and, where asked for, the way to a new one. */
export function modelMenu(
  page: Page,
  choose: (model: string) => void,
  addsModels = false,
): TemplateResult {
  const models = page.overlay?.kind === 'models' ? page.overlay.models : undefined;
  const rows =
    models === undefined
      ? menuNote(t('loading'))
      : models.length === 0
        ? menuNote(t('noModels'))
        : models.map((model) => menuRow(page, model, choose));
  const more = addsModels ? menuAction(page, t('addModel'), () => askForModel(page)) : nothing;
  return menu(page, { label: t('modelMenu'), testId: 'model-menu' }, [rows, more]);
}
