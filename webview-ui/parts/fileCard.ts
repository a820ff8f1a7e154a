import { html, nothing, type TemplateResult } from 'lit';
import type { FileView, ReplyView } from '../../src/protocol/viewModel';
import type { Page } from '../page';
import { t, tn } from '../strings';
import { icon } from './icon';

const rowsShown = 8;

/** Draws what a reply did to files. */
export function fileCard(page: Page, shown: ReplyView): unknown {
  const { files, id } = shown;
  if (files.length === 0) return nothing;
  const fold = `${id}.files`;
  const whole = files.length <= rowsShown + 1 || page.isOpen(fold);
  const rows = whole ? files : files.slice(0, rowsShown);
  return html`<div
    class="card files"
    role="group"
    aria-label=${tn('filesChanged', files.length)}
    data-testid="file-card"
  >
    <div class="card-head">
      <span class="space">${tn('filesChanged', files.length)}</span>
      <button
        type="button"
        class="plain"
        tabindex="-1"
        data-item
        title=${t('openDiffTitle')}
        @click=${() => void page.ask('openChanges', { messageId: id }, { what: t('openDiff') })}
      >
        ${t('openDiff')}
      </button>
    </div>
    ${rows.map((file) => fileRow(page, id, file))}
    ${
      whole
        ? nothing
        : html`<button
            type="button"
            class="file-row more"
            tabindex="-1"
            data-item
            @click=${() => page.setOpen(fold, true, id)}
          >
            ${t('showMoreFiles', files.length - rows.length)}
          </button>`
    }
  </div>`;
}

function fileRow(page: Page, messageId: string, file: FileView): TemplateResult {
  const open = () =>
    void page.ask('openChange', { messageId, uri: file.uri }, { what: file.label });
  return html`<button
    type="button"
    class="file-row"
    tabindex="-1"
    data-item
    title=${t('openChangeTitle', file.label)}
    @click=${open}
  >
    <span class="file-name"
      >${file.kind === 'folder' ? icon('folder') : nothing}<span class="path">${file.label}</span>
      ${labelsOf(file).map(({ text, kind }) => html`<span class="label ${kind}">${text}</span> `)}</span
    >${counts(file.added, file.removed)}
  </button>`;
}

function labelsOf(file: FileView): readonly { text: string; kind: string }[] {
  const labels: { text: string; kind: string }[] = [];
  if (file.kind === 'created') labels.push({ text: t('fileNew'), kind: 'added' });
  if (file.kind === 'deleted') labels.push({ text: t('fileDeleted'), kind: 'removed' });
  if (file.kind === 'renamed') {
    labels.push({ text: t('fileRenamed', file.from ?? ''), kind: 'quiet' });
  }
  if (file.kind === 'folder') labels.push({ text: t('fileFolder'), kind: 'quiet' });
  if (file.byHand) labels.push({ text: t('fileByHand'), kind: 'hand' });
  if (file.uncovered !== undefined) {
    labels.push({ text: t('fileUncoveredWhy', file.uncovered), kind: 'warn' });
  } else if (file.kind === 'uncovered') {
    labels.push({ text: t('fileUncovered'), kind: 'warn' });
  }
  return labels;
}

/** Draws `+9 −2`; what is nothing is left out. */
export function counts(added: number | undefined, removed: number | undefined): unknown {
  if (!added && !removed) return nothing;
  return html`<span class="counts"
    >${
      removed
        ? html`<span class="removed" role="img" aria-label=${t('linesRemoved', removed)}
            >−${removed}</span
          >`
        : nothing
    }${
      added
        ? html`<span class="added" role="img" aria-label=${t('linesAdded', added)}>+${added}</span>`
        : nothing
    }</span
  >`;
}
