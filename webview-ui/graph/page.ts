import {
  graphProtocol,
  type GraphDetails,
  type GraphFrame,
  type GraphParams,
  type GraphRequestName,
  type GraphResults,
  type GraphView,
  type LineCount,
} from '../../src/protocol/graph';
import type { Scope } from '../../src/protocol/viewModel';
import { announce } from '../announce';
import { HostClient, type AskOptions } from '../host';
import { setStrings, t } from '../strings';
import { keep, postToHost } from '../vscodeApi';
import { readKept } from './kept';
import { longTrunks, visibleRows, type Trunk, type VisibleRow } from './visible';

/** What is looked for, and which of the hits is looked at. */
export interface Search {
  readonly text: string;
  readonly hits: readonly string[];
  readonly at: number;
}

const zooms = [0.7, 0.85, 1, 1.2, 1.45, 1.75];

/** The graph's page: what the host last said, and the little that is the page's own. */
export class GraphPage {
  view: GraphView | undefined;
  lines: readonly VisibleRow[] = [];
  trunks: readonly Trunk[] = [];
  details: GraphDetails | undefined;
  search: Search | undefined;
  note: string | undefined;
  /** The message another one's files are to be compared with. */
  compareFrom: string | undefined;
  language = 'en';
  /** A line that shall be scrolled to once it is drawn. */
  wish: { readonly key: string; readonly focus: boolean } | undefined;
  readonly counts = new Map<string, LineCount>();
  readonly host = new HostClient<GraphParams, GraphResults>(postToHost);
  readonly #draw: () => void;
  readonly #asked = new Set<string>();
  readonly #opened = new Set<string>();
  #zoom: number;
  #fold: boolean;
  #archived: boolean;
  #current: string;
  #busy = false;

  constructor(draw: () => void) {
    this.#draw = draw;
    const kept = readKept();
    this.#zoom = kept.zoom;
    this.#fold = kept.fold;
    this.#archived = kept.archived;
    this.#current = kept.current;
  }

  get sessionId(): string {
    return this.view?.sessionId ?? '';
  }

  /** The key of the line the keyboard is on. */
  get current(): string {
    return this.#current;
  }

  get currentLine(): number {
    return this.lines.findIndex(({ key }) => key === this.#current);
  }

  get scale(): number {
    return zooms[this.#zoom] ?? 1;
  }

  get folds(): boolean {
    return this.#fold;
  }

  /** Archived branches are drawn too. */
  get showsArchived(): boolean {
    return this.#archived;
  }

  get busy(): boolean {
    return this.#busy;
  }

  update(): void {
    this.#draw();
  }

  /** Asks for the whole picture. */
  async ready(): Promise<void> {
    const answer = await this.ask('ready', {
      protocol: graphProtocol,
      archived: this.#archived,
    });
    if (answer === undefined) return;
    setStrings(answer.strings);
    this.language = answer.language;
    document.documentElement.lang = answer.language;
    this.#show(answer.view);
  }

  receive(frame: GraphFrame): void {
    if (frame.type === 'answer' || frame.type === 'progress') this.host.receive(frame);
    else if (frame.type === 'graph') this.#show(frame.view);
    else if (frame.sessionId === this.view?.sessionId) {
      const { row } = frame;
      const rows = this.view.rows.map((one) => (one.key === row.key ? row : one));
      this.view = { ...this.view, rows };
      this.#layOut();
    }
  }

  #show(view: GraphView): void {
    const before = this.view;
    this.view = view;
    if (before?.sessionId !== view.sessionId) {
      this.counts.clear();
      this.#asked.clear();
      this.details = undefined;
      this.search = undefined;
      this.compareFrom = undefined;
    }
    if (!view.rows.some(({ key }) => key === this.#current)) this.#current = 'here';
    if (before === undefined) this.wish = { key: this.#current, focus: true };
    else if (headOf(before) !== headOf(view)) this.wish = { key: 'here', focus: false };
    this.#layOut();
    if (this.details !== undefined) void this.#lookAt(this.details.messageId);
  }

  #layOut(): void {
    const rows = this.view?.rows ?? [];
    const folding = { on: this.#fold, opened: this.#opened, shown: this.#current };
    this.lines = visibleRows(rows, folding);
    this.trunks = longTrunks(this.lines);
    this.update();
  }

  /** Goes to a line. */
  select(key: string, focus = true): void {
    this.#current = key;
    this.wish = { key, focus };
    this.#keep();
    // A found message may lie in a fold.
    if (this.currentLine === -1) this.#layOut();
    else this.update();
    if (this.details !== undefined && this.#isMessage(key)) void this.#lookAt(key);
  }

  /** Shows a message before anything is done with it. */
  preview(key: string): void {
    if (this.#isMessage(key)) void this.#lookAt(key);
    else this.closeDetails();
  }

  closeDetails(): void {
    this.details = undefined;
    this.update();
  }

  unfold(key: string): void {
    const first = this.lines.find((line) => line.key === key)?.row.key;
    this.#opened.add(key);
    if (first !== undefined) this.#current = first;
    this.wish = { key: this.#current, focus: true };
    this.#layOut();
  }

  toggleFolds(): void {
    this.#fold = !this.#fold;
    this.#opened.clear();
    this.wish = { key: this.#current, focus: false };
    this.#keep();
    this.#layOut();
  }

  /** Draws archived branches, or leaves them out. */
  async toggleArchived(): Promise<void> {
    const shown = !this.#archived;
    if ((await this.ask('showArchived', { shown })) === undefined) return;
    this.#archived = shown;
    this.wish = { key: this.#current, focus: false };
    this.#keep();
    this.update();
  }

  /** Takes a message and all under it out of sight, or puts it back. */
  async archive(messageId: string, archived: boolean): Promise<void> {
    const done = await this.working(() => this.ask('archive', { messageId, archived }));
    if (done === undefined) return;
    if (archived && !this.#archived) {
      this.closeDetails();
      this.say(t('graphArchived'));
    } else if (this.details?.messageId === messageId) await this.#lookAt(messageId);
  }

  /** Remembers a message to compare another one with. */
  selectForCompare(messageId: string | undefined): void {
    this.compareFrom = messageId;
    this.update();
  }

  zoom(by: 1 | -1): void {
    this.#zoom = Math.max(0, Math.min(zooms.length - 1, this.#zoom + by));
    this.wish = { key: this.#current, focus: false };
    this.#keep();
    this.update();
  }

  /** Goes to a message, and its files to it; the sheet opens in the chat if there is something to ask. */
  async checkout(messageId: string, scope?: Scope): Promise<void> {
    const params = { messageId, ...(scope && { scope }) };
    const answer = await this.working(() => this.ask('checkout', params));
    if (answer?.needsAnswer === true) this.say(t('graphAsksInChat'));
  }

  /** Looks for a text in all messages. */
  async find(text: string): Promise<void> {
    if (text.trim() === '') {
      this.search = undefined;
      this.update();
      return;
    }
    const answer = await this.ask('find', { text });
    if (answer === undefined) return;
    const found = new Set(answer.messageIds);
    const hits = (this.view?.rows ?? []).flatMap(({ key }) => (found.has(key) ? [key] : []));
    const from = hits.indexOf(this.#current);
    this.search = { text, hits, at: Math.max(0, from) };
    this.#toHit();
  }

  nextHit(by: 1 | -1): void {
    const { search } = this;
    if (search === undefined || search.hits.length === 0) return;
    const { length } = search.hits;
    this.search = { ...search, at: (search.at + by + length) % length };
    this.#toHit();
  }

  #toHit(): void {
    const hit = this.search?.hits[this.search.at];
    if (hit === undefined) this.update();
    else this.select(hit, false);
  }

  /** Asks for the lines of the replies that are in sight. */
  count(keys: readonly string[]): void {
    const missing = keys.filter((key) => !this.#asked.has(key)).slice(0, 200);
    if (missing.length === 0) return;
    for (const key of missing) this.#asked.add(key);
    const { sessionId } = this;
    void this.host.request('counts', sessionId, { messageIds: missing }).then((answer) => {
      if (!answer.ok || sessionId !== this.sessionId) return;
      for (const [key, lines] of Object.entries(answer.value.counts)) this.counts.set(key, lines);
      this.update();
    });
  }

  /** Asks about the shown session; what goes wrong is shown and answered with undefined. */
  async ask<K extends GraphRequestName>(
    name: K,
    params: GraphParams[K],
    options: AskOptions<GraphResults[K]> = {},
  ): Promise<GraphResults[K] | undefined> {
    const answer = await this.host.request(name, this.sessionId, params, options);
    if (answer.ok) {
      this.note = undefined;
      return answer.value;
    }
    if (answer.code !== 'cancelled')
      this.say(answer.code === 'no_answer' ? t('noAnswer', t('graphTitle', '')) : answer.message);
    return undefined;
  }

  /** One thing at a time is asked of the host; its buttons show that. */
  async working<T>(run: () => Promise<T>): Promise<T | undefined> {
    if (this.#busy) return undefined;
    this.#busy = true;
    this.update();
    try {
      return await run();
    } finally {
      this.#busy = false;
      this.update();
    }
  }

  say(text: string): void {
    this.note = text;
    announce(text);
    this.update();
  }

  async #lookAt(messageId: string): Promise<void> {
    const answer = await this.ask('details', { messageId });
    if (answer === undefined) return;
    this.details = answer;
    this.update();
  }

  #isMessage(key: string): boolean {
    const row = this.view?.rows.find((one) => one.key === key);
    return row !== undefined && row.kind !== 'here' && row.kind !== 'start';
  }

  #keep(): void {
    keep({
      version: 1,
      zoom: this.#zoom,
      fold: this.#fold,
      current: this.#current,
      archived: this.#archived,
    });
  }
}

/** Where the session stands: the row that *here* follows. */
function headOf({ rows }: GraphView): string | undefined {
  const here = rows.at(-1);
  return here && rows[here.parent]?.key;
}
