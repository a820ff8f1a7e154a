import { html, nothing, type TemplateResult } from 'lit';
import type { GraphDetails } from '../../src/protocol/graph';
import type { Scope } from '../../src/protocol/viewModel';
import { timeOf } from '../format';
import { counts } from '../parts/fileCard';
import { icon } from '../parts/icon';
import { t, tn } from '../strings';
import type { GraphPage } from './page';

const filesShown = 200;

/** Draws the chosen message and what can be done with it. */
export function detailsPart(page: GraphPage, shown: GraphDetails): TemplateResult {
  const { text, model, error, at, files } = shown;
  const about = [timeOf(at, page.language), model ?? ''].filter((part) => part !== '').join(' · ');
  return html`<aside class="details" aria-label=${t('graphDetails')} data-testid="graph-details">
    <div class="details-head">
      <span class="quiet space">${about}</span>
      ${
        shown.label === undefined
          ? nothing
          : html`<span class="name-tag" data-testid="graph-label"
              >${icon('tag')} ${shown.label}</span
            >`
      }
      <vscode-button
        appearance="icon"
        title=${t('graphClose')}
        aria-label=${t('graphClose')}
        @click=${() => page.closeDetails()}
        >${icon('close')}</vscode-button
      >
    </div>
    <div class="details-body" tabindex="0" role="group" aria-label=${t('graphDetails')}>
      <p class="details-text">${text}</p>
      ${error === undefined ? nothing : html`<p class="details-error">${icon('error')} ${error}</p>`}
      ${files.length > 0 ? fileList(page, shown) : nothing}
    </div>
    ${shown.here ? html`<p class="details-actions quiet">${t('graphIsHere')}</p>` : nothing}
    ${actions(page, shown)}
  </aside>`;
}

function fileList(page: GraphPage, { messageId, files }: GraphDetails): TemplateResult {
  return html`<div class="card files" role="group" aria-label=${tn('filesChanged', files.length)}>
    <div class="card-head">
      <span class="space">${tn('filesChanged', files.length)}</span>
      <button
        type="button"
        class="plain"
        title=${t('openDiffTitle')}
        @click=${() => void page.ask('openChanges', { messageId })}
      >
        ${t('openDiff')}
      </button>
    </div>
    ${files.slice(0, filesShown).map(
      ({ uri, label, added, removed }) =>
        html`<button
          type="button"
          class="file-row"
          title=${t('openChangeTitle', label)}
          @click=${() => void page.ask('openChange', { messageId, uri })}
        >
          <span class="file-name"><span class="path">${label}</span></span
          >${counts(added, removed)}
        </button>`,
    )}
  </div>`;
}

function actions(page: GraphPage, shown: GraphDetails): TemplateResult {
  const { messageId, here, archived, active } = shown;
  const go = (scope?: Scope) => () => void page.checkout(messageId, scope);
  const ask = (run: () => Promise<unknown>) => () => void page.working(run);
  const fork = ask(() => page.ask('fork', { messageId }));
  const label = ask(() => page.ask('label', { messageId }));
  return html`<div class="details-actions" aria-busy=${page.busy ? 'true' : 'false'}>
    ${
      here
        ? nothing
        : html`${button(t('graphCheckout'), t('graphCheckoutTitle'), 'graph-checkout', go(), true)}
          ${button(t('scopeChat'), t('graphCheckoutChat'), 'graph-checkout-chat', go('chat'))}
          ${button(t('scopeFiles'), t('graphCheckoutFiles'), 'graph-checkout-files', go('files'))}`
    }
    ${button(t('graphFork'), t('forkTitle'), 'graph-fork', fork)}
    <div class="quiet-actions">
      ${comparing(page, messageId)}
      ${link('tag', t('graphLabel'), t('graphLabelTitle'), 'graph-label-edit', label)}
      ${
        active && !archived
          ? nothing
          : link(
              'archive',
              t(archived ? 'graphUnarchive' : 'graphArchive'),
              t(archived ? 'graphUnarchiveTitle' : 'graphArchiveTitle'),
              'graph-archive',
              () => void page.archive(messageId, !archived),
            )
      }
    </div>
  </div>`;
}

/** The files of a message can be held against those that lie there, or against another message's. */
function comparing(page: GraphPage, messageId: string): TemplateResult {
  const from = page.compareFrom;
  const compare = (params: { messageId: string; with?: string }) => () =>
    void page.working(() => page.ask('compare', params));
  const now = link(
    'diff',
    t('graphCompare'),
    t('graphCompareTitle'),
    'graph-compare',
    compare({ messageId }),
  );
  const select = link(
    'pinned',
    t(from === messageId ? 'graphUnselect' : 'graphSelect'),
    t('graphSelectTitle'),
    'graph-select',
    () => page.selectForCompare(from === messageId ? undefined : messageId),
  );
  if (from === undefined || from === messageId) return html`${now} ${select}`;
  const selected = link(
    'git-compare',
    t('graphCompareWith'),
    t('graphCompareWithTitle'),
    'graph-compare-with',
    compare({ messageId: from, with: messageId }),
  );
  return html`${now} ${selected} ${select}`;
}

function link(
  name: string,
  text: string,
  title: string,
  id: string,
  run: () => void,
): TemplateResult {
  return html`<button type="button" class="plain" data-testid=${id} title=${title} @click=${run}>
    ${icon(name)} ${text}
  </button>`;
}

function button(
  text: string,
  title: string,
  id: string,
  run: () => void,
  primary = false,
): TemplateResult {
  return html`<vscode-button
    appearance=${primary ? 'primary' : 'secondary'}
    data-testid=${id}
    title=${title}
    @click=${run}
    >${text}</vscode-button
  >`;
}
