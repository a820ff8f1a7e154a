import { html, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { trunkTo, type Trunk, type VisibleRow } from './visible';

/** How large the picture is drawn, in pixels. */
export interface Measures {
  readonly row: number;
  readonly lane: number;
  readonly left: number;
}

/** The lines that are drawn: from `first` up to, not with, `end`. */
export interface Span {
  readonly first: number;
  readonly end: number;
}

/** Colours there are for branches besides the active path's. */
const colours = 5;

/** Returns the name of a row's colour. */
export function colourOf({ branch, active }: { branch: number; active: boolean }): string {
  return active ? 'active' : `branch-${branch % colours}`;
}

/** Draws the lines and dots of a span; coordinates begin at its first line. */
export function edges(
  lines: readonly VisibleRow[],
  long: readonly Trunk[],
  span: Span,
  measures: Measures,
): TemplateResult {
  const x = (lane: number): number => measures.left + lane * measures.lane;
  const y = (line: number): number => (line - span.first + 0.5) * measures.row;
  const shown = lines.slice(span.first, span.end);
  const trunks = shown
    .flatMap((_, index) => trunkTo(lines, span.first + index) ?? [])
    .concat(long.filter(({ from, to }) => to >= span.end && from < span.end))
    .concat(trunkTo(lines, span.end) ?? []);
  return html`<svg class="edges" aria-hidden="true">
    ${trunks.map((trunk) => drawTrunk(trunk, x, y))}
    ${shown.map(({ parent, row }, index) => {
      const from = lines[parent]?.row;
      if (from === undefined || from.lane === row.lane) return '';
      return drawTurn(x(from.lane), x(row.lane), y(span.first + index), measures.row, row);
    })}
    ${shown.map((line, index) => drawDot(line, x(line.row.lane), y(span.first + index)))}
  </svg>`;
}

function drawTrunk(
  { from, to, row }: Trunk,
  x: (lane: number) => number,
  y: (line: number) => number,
): SVGTemplateResult {
  const at = x(row.lane);
  return svg`<path class="edge ${colourOf(row)}" d="M${at} ${y(from)}V${y(to)}"></path>`;
}

/** A branch leaves its parent's lane between the row above and its own first row. */
function drawTurn(
  from: number,
  to: number,
  y: number,
  height: number,
  row: { branch: number; active: boolean },
): SVGTemplateResult {
  const top = y - height;
  const d = `M${from} ${top}C${from} ${top + height * 0.7} ${to} ${y - height * 0.75} ${to} ${y}`;
  return svg`<path class="edge ${colourOf(row)}" d=${d}></path>`;
}

function drawDot({ row, folded }: VisibleRow, x: number, y: number): SVGTemplateResult {
  const colour = colourOf(row);
  if (folded > 0)
    return svg`<rect class="dot fold ${colour}" x=${x - 4} y=${y - 7} width="8" height="14" rx="4"></rect>`;
  if (row.kind === 'here')
    return svg`<circle class="dot ring ${colour}" cx=${x} cy=${y} r="7"></circle>
      <circle class="dot full ${colour}" cx=${x} cy=${y} r="3.5"></circle>`;
  const full = row.active ? 'full' : 'hollow';
  const radius = row.kind === 'user' ? 5.5 : 4.5;
  return svg`<circle class="dot ${full} ${row.status} ${colour}" cx=${x} cy=${y} r=${radius}></circle>`;
}
