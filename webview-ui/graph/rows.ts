import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import type { GraphRowView } from '../../src/protocol/graph';
import { counts } from '../parts/fileCard';
import { icon, spinner } from '../parts/icon';
import { t, tn } from '../strings';
import type { Span } from './edges';
import type { GraphPage } from './page';
import type { VisibleRow } from './visible';

/** Returns the element id of a line. */
export function lineId(key: string): string {
  return `line-${key}`;
}

/** Draws the texts of a span as a tree: a branch is a level deeper than what it leaves. */
export function tree(page: GraphPage, span: Span): TemplateResult {
  const { lines, current } = page;
  const shown = lines.slice(span.first, span.end);
  const seen = shown.some(({ key }) => key === current);
  return html`<div
    class="tree"
    role="tree"
    tabindex="0"
    id="tree"
    aria-label=${t('graphTree')}
    aria-description=${t('graphHelp')}
    aria-activedescendant=${seen ? lineId(current) : nothing}
    @click=${(event: Event) => onClick(page, event)}
  >
    ${repeat(
      shown,
      ({ key }) => key,
      (line, index) =>
        guard(dependencies(page, line), () => drawLine(page, line, span.first + index)),
    )}
  </div>`;
}

/** All that a line shows: where none of it changed, panning draws nothing again. */
function dependencies(page: GraphPage, line: VisibleRow): unknown[] {
  const hit = page.search?.hits.includes(line.row.key) === true;
  const { key, row } = line;
  const chosen = key === page.compareFrom;
  const counted = page.counts.get(row.key);
  return [line, page.lines, key === page.current, hit, chosen, counted, page.language];
}

function drawLine(page: GraphPage, line: VisibleRow, at: number): TemplateResult {
  const { row, key, folded } = line;
  const classes = ['line', row.kind, row.active ? 'on' : 'off'];
  if (row.archived) classes.push('archived');
  if (key === page.compareFrom) classes.push('chosen');
  if (key === page.current) classes.push('current');
  if (page.search?.hits.includes(row.key) === true) classes.push('hit');
  return html`<div
    class=${classes.join(' ')}
    role="treeitem"
    id=${lineId(key)}
    data-key=${key}
    data-testid="graph-row"
    data-kind=${folded > 0 ? 'fold' : row.kind}
    data-lane=${row.lane}
    aria-level=${row.lane + 1}
    aria-posinset=${at + 1}
    aria-setsize=${page.lines.length}
    aria-selected=${key === page.current ? 'true' : 'false'}
    aria-expanded=${folded > 0 ? 'false' : nothing}
    aria-current=${row.kind === 'here' ? 'location' : nothing}
    data-message=${isMessage(line) ? row.key : nothing}
    data-vscode-context=${menuContext(page, line)}
  >
    ${folded > 0 ? html`<span class="quiet">${tn('graphFolded', folded)}</span>` : content(page, row)}
  </div>`;
}

function content(page: GraphPage, row: GraphRowView): unknown {
  const label = labelOf(row);
  const lines = page.counts.get(row.key);
  return html`${
    row.label === undefined
      ? nothing
      : html`<span class="name-tag">${icon('tag')} ${row.label}</span>`
  }${label === '' ? nothing : html`<span class="what">${label}</span>`}${
    row.text === '' || row.kind === 'here' ? nothing : html`<span class="text">${row.text}</span>`
  }${
    row.files > 0
      ? html`<span class="files"
          >${tn('files', row.files)} ${counts(lines?.added, lines?.removed)}</span
        >`
      : nothing
  }${state(row)}${row.marks.map((mark) => html`<span class="mark">${mark}</span>`)}${spoken(row)}`;
}

function labelOf(row: GraphRowView): string {
  const { version } = row;
  switch (row.kind) {
    case 'start':
      return t('graphStart');
    case 'here':
      return t('graphHere', row.text);
    case 'reply':
      return version === undefined
        ? t('graphReply')
        : t('graphReplyVersion', version.index, version.count);
    case 'user':
    case 'notice':
      return '';
  }
}

function state({ status }: GraphRowView): unknown {
  if (status === 'done') return nothing;
  const text = stateText(status);
  const sign = {
    running: spinner(),
    failed: icon('error'),
    interrupted: icon('debug-stop'),
  }[status];
  return html`<span class="state ${status}">${sign} ${text}</span>`;
}

function stateText(status: 'running' | 'failed' | 'interrupted'): string {
  return { running: t('toolRunning'), failed: t('toolFailed'), interrupted: t('toolInterrupted') }[
    status
  ];
}

/** What the picture shows by place and colour alone, for those who hear it. */
function spoken({ kind, version, active, archived }: GraphRowView): TemplateResult {
  const words = [
    kind === 'user' && version ? t('graphVersion', version.index, version.count) : '',
    t(archived ? 'graphOnArchived' : active ? 'graphActive' : 'graphBranch'),
  ];
  return html`<span class="visually-hidden"
    >${words.filter((word) => word !== '').join(', ')}</span
  >`;
}

function isMessage({ row, folded }: VisibleRow): boolean {
  return folded === 0 && row.kind !== 'here' && row.kind !== 'start';
}

/** What VS Code's context menu is told about a line. */
function menuContext({ sessionId }: GraphPage, line: VisibleRow): string {
  const { row } = line;
  const preventDefaultContextMenuItems = true;
  if (!isMessage(line)) return JSON.stringify({ preventDefaultContextMenuItems });
  const about = {
    webviewSection: 'message',
    messageIsOffBranch: !row.active,
    messageId: row.key,
    sessionId,
  };
  return JSON.stringify({ ...about, preventDefaultContextMenuItems });
}

function onClick(page: GraphPage, event: Event): void {
  const target = event.target instanceof Element ? event.target.closest('[data-key]') : null;
  const key = target?.getAttribute('data-key');
  if (key === null || key === undefined) return;
  if (target?.getAttribute('data-kind') === 'fold') {
    page.unfold(key);
    return;
  }
  page.select(key);
  page.preview(key);
}
