import { html, nothing, render, type TemplateResult } from 'lit';
import type { GraphFrame } from '../src/protocol/graph';
import { createAnnouncer } from './announce';
import { Drawing } from './draw';
import { detailsPart } from './graph/details';
import { edges } from './graph/edges';
import { HoverCard } from './graph/hoverCard';
import { onTreeKey } from './graph/keys';
import { GraphPage } from './graph/page';
import { tree } from './graph/rows';
import { toolbar } from './graph/toolbar';
import { Viewport } from './graph/viewport';
import { icon } from './parts/icon';
import { t } from './strings';
import { registerToolkit } from './toolkit';

registerToolkit();
createAnnouncer();
const root = document.createElement('div');
root.className = 'root';
document.body.prepend(root);

const drawing = new Drawing(draw);
const page = new GraphPage(() => drawing.request());
const viewport = new Viewport(page);
const hover = new HoverCard(page);
/** How long scrolling rests before lines are counted, in milliseconds. */
const rest = 120;
let resting: ReturnType<typeof setTimeout> | undefined;

function draw(): void {
  render(page.view === undefined ? loading() : whole(), root);
  if (page.view === undefined) return;
  viewport.drawn();
  hover.drawn();
  countSoon();
}

function loading(): TemplateResult {
  return html`<div class="loading">
    ${
      page.note === undefined
        ? html`<vscode-progress-ring></vscode-progress-ring>`
        : html`<span>${page.note}</span>`
    }
  </div>`;
}

function whole(): TemplateResult {
  const span = viewport.span();
  return html`<div class="page graph">
    ${toolbar(page)} ${noteLine()}
    <main class="body">
      <div class="scroll" @scroll=${onScroll}>
        <div class="canvas">
          <div class="window">
            ${edges(page.lines, page.trunks, span, viewport.measures())} ${tree(page, span)}
          </div>
        </div>
      </div>
      ${page.details === undefined ? nothing : detailsPart(page, page.details)}
    </main>
    ${hover.draw()}
  </div>`;
}

function noteLine(): unknown {
  if (page.note === undefined) return nothing;
  return html`<div class="note" data-testid="graph-note">
    <span class="space">${page.note}</span>
    <button
      type="button"
      class="plain"
      title=${t('dismiss')}
      aria-label=${t('dismiss')}
      @click=${() => {
        page.note = undefined;
        page.update();
      }}
    >
      ${icon('close')}
    </button>
  </div>`;
}

function onScroll(): void {
  hover.hide();
  if (viewport.moved()) page.update();
  countSoon();
}

function countSoon(): void {
  clearTimeout(resting);
  resting = setTimeout(() => page.count(viewport.repliesInSight()), rest);
}

document.addEventListener('keydown', (event) => {
  hover.hide();
  onTreeKey(page, event);
});
document.addEventListener('pointermove', (event) => hover.over(event));
document.addEventListener('pointerdown', () => hover.hide());
document.documentElement.addEventListener('pointerleave', () => hover.hide());
window.addEventListener('resize', () => page.update());
window.addEventListener('message', (event: MessageEvent<GraphFrame>) => page.receive(event.data));
page.update();
void page.ready();
