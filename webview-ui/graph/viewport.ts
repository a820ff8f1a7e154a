import type { Measures, Span } from './edges';
import type { GraphPage } from './page';

/** Lines drawn at a time beyond what is in sight, so that panning seldom draws. */
const beyond = 14;
const rowHeight = 28;
const laneWidth = 28;
/** Lanes come closer together where there are many, so that the texts stay in sight. */
const lanesWidth = 260;
const narrowest = 8;

/** What of the picture is drawn, and how large. */
export class Viewport {
  readonly #page: GraphPage;
  #span: Span = { first: 0, end: 0 };

  constructor(page: GraphPage) {
    this.#page = page;
  }

  measures(): Measures {
    const { scale, lines } = this.#page;
    const lanes = lines.reduce((most, { row }) => Math.max(most, row.lane), 0) + 1;
    const lane = Math.max(narrowest, Math.min(laneWidth, lanesWidth / lanes)) * scale;
    return { row: Math.round(rowHeight * scale), lane, left: 24 * scale };
  }

  /** Returns the lines to draw now, in steps, so that most scrolling draws nothing. */
  span(): Span {
    const { scroller, lines } = { scroller: this.#scroller, lines: this.#page.lines };
    const { row } = this.measures();
    const top = Math.floor((scroller?.scrollTop ?? 0) / row);
    const count = Math.ceil((scroller?.clientHeight ?? 800) / row);
    const first = Math.max(0, Math.floor((top - beyond) / beyond) * beyond);
    const end = Math.ceil((top + count + beyond) / beyond) * beyond;
    this.#span = { first, end: Math.min(lines.length, end) };
    return this.#span;
  }

  /** Says whether scrolling has come to where nothing is drawn yet. */
  moved(): boolean {
    const before = this.#span;
    const now = this.span();
    return before.first !== now.first || before.end !== now.end;
  }

  /** Called after drawing: sizes what was drawn and scrolls to what was asked for. */
  drawn(): void {
    const measures = this.measures();
    const { lines, scale, wish } = this.#page;
    const lanes = lines.reduce((most, { row }) => Math.max(most, row.lane), 0);
    const gutter = measures.left + lanes * measures.lane + 22 * scale;
    set(document.documentElement, '--row', `${measures.row}px`);
    set(document.documentElement, '--gutter', `${gutter}px`);
    set(document.documentElement, '--scale', String(scale));
    set(find('.canvas'), 'height', `${lines.length * measures.row}px`);
    set(find('.window'), 'transform', `translateY(${this.#span.first * measures.row}px)`);
    if (wish === undefined) return;
    const at = lines.findIndex(({ key }) => key === wish.key);
    if (at === -1) return;
    this.#page.wish = undefined;
    this.#scrollTo(at * measures.row, measures.row);
    if (wish.focus) find('#tree')?.focus({ preventScroll: true });
    if (this.moved()) this.#page.update();
  }

  /** Returns the keys of the replies in sight. */
  repliesInSight(): string[] {
    const { lines } = this.#page;
    return lines
      .slice(this.#span.first, this.#span.end)
      .flatMap(({ row, folded }) =>
        row.kind === 'reply' && folded === 0 && row.files > 0 && row.status !== 'running'
          ? [row.key]
          : [],
      );
  }

  #scrollTo(top: number, height: number): void {
    const scroller = this.#scroller;
    if (scroller === null) return;
    const room = height * 2;
    if (top < scroller.scrollTop + room) scroller.scrollTop = Math.max(0, top - room);
    else if (top + height > scroller.scrollTop + scroller.clientHeight - room)
      scroller.scrollTop = top + height - scroller.clientHeight + room;
  }

  get #scroller(): HTMLElement | null {
    return find('.scroll');
  }
}

function find(selector: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(selector);
}

/** A style is set by name through the element's own interface: the policy allows no style in markup. */
function set(element: HTMLElement | null, name: string, value: string): void {
  if (element !== null && element.style.getPropertyValue(name) !== value)
    element.style.setProperty(name, value);
}
