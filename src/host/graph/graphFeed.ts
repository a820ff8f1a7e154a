import type { NodeId } from '../../core/ids';
import type { OpenSession, SessionEvent } from '../../engine/openSession';
import type { Sessions } from '../../engine/sessions';
import type { GraphFrame, GraphView } from '../../protocol/graph';
import type { CurrentSession } from '../currentSession';
import type { ForkMade, GraphPresenter } from './presentGraph';

export interface GraphFeedPorts {
  readonly presenter: GraphPresenter;
  readonly current: CurrentSession;
  readonly sessions: Pick<Sessions, 'cards' | 'listChanged'>;
}

/** How long changes are collected before they are posted, in milliseconds. */
const delays = { graph: 60, row: 400 } as const;

/**
 * Keeps one page of the graph up to date with the window's current session: a running reply by its own row, anything
 * else by the whole picture. Nothing is posted before the first view went out, nor while the page is hidden.
 */
export class GraphFeed {
  #session: OpenSession | undefined;
  #view: GraphView | undefined;
  #forks: readonly ForkMade[] = [];
  #active = false;
  #held = false;
  #archived = false;
  #wanted: keyof typeof delays | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #ends: (() => void)[];
  #endSession: () => void = () => undefined;

  constructor(
    private readonly ports: GraphFeedPorts,
    private readonly post: (frame: GraphFrame) => void,
  ) {
    this.#ends = [
      ports.current.onChange.on((session) => {
        this.#follow(session);
        void this.#findForks(session);
        this.#want('graph');
      }),
      ports.sessions.listChanged.on((id) => {
        // Only another session can be a fork that this one does not know of yet.
        if (this.#session !== undefined && id !== this.#session.id)
          void this.#findForks(this.#session);
      }),
    ];
  }

  /** Follows a session and returns its picture; what comes after it waits for {@link GraphFeed.release}. */
  async start(session: OpenSession, archived: boolean): Promise<GraphView> {
    this.#archived = archived;
    this.#follow(session);
    this.#held = true;
    await this.#findForks(session);
    this.#active = true;
    this.#settle();
    return this.#present(session);
  }

  /** Shows archived branches from now on, or leaves them out. */
  showArchived(shown: boolean): void {
    this.#archived = shown;
    this.#want('graph');
  }

  release(): void {
    this.#held = false;
    if (this.#wanted !== undefined) this.#want(this.#wanted);
  }

  /** Posts at once what waits, so that an answer never comes before the change it speaks of. */
  flush(): void {
    const session = this.#session;
    if (!this.#active || this.#held || session === undefined || this.#wanted === undefined) return;
    const whole = this.#wanted === 'graph' || this.#view?.sessionId !== session.id;
    this.#settle();
    if (whole) this.post({ type: 'graph', sessionId: session.id, view: this.#present(session) });
    else this.#postRow(session);
  }

  pause(): void {
    this.#active = false;
    this.#settle();
  }

  dispose(): void {
    this.pause();
    this.#endSession();
    for (const end of this.#ends) end();
  }

  #follow(session: OpenSession): void {
    if (session === this.#session) return;
    this.#endSession();
    this.#session = session;
    this.#forks = [];
    this.#endSession = session.events.on((event) => this.#take(event));
  }

  #take(event: SessionEvent): void {
    if (event.type === 'changed') this.#want('graph');
    else if (event.type === 'running') this.#want('row');
  }

  #want(kind: keyof typeof delays): void {
    const sooner = this.#wanted !== 'graph' && kind === 'graph';
    this.#wanted = this.#wanted === 'graph' ? 'graph' : kind;
    if (!this.#active || this.#held || (this.#timer !== undefined && !sooner)) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), delays[kind]);
  }

  #settle(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#wanted = undefined;
  }

  #present(session: OpenSession): GraphView {
    this.#view = this.ports.presenter.present(session, this.#forks, this.#archived);
    return this.#view;
  }

  #postRow(session: OpenSession): void {
    const id: NodeId | undefined = session.running?.nodeId;
    const row = this.#view?.rows.findLast(({ key }) => key === id);
    if (row === undefined) return;
    const grown = this.ports.presenter.grown(session, row);
    this.post({ type: 'row', sessionId: session.id, row: grown });
  }

  async #findForks(session: OpenSession): Promise<void> {
    const cards = await this.ports.sessions.cards(true).catch(() => []);
    if (session !== this.#session) return;
    const forks = cards.flatMap(({ title, forkedFrom }): ForkMade[] =>
      forkedFrom?.sessionId === session.id ? [{ title, at: forkedFrom.messageId }] : [],
    );
    const same = JSON.stringify(forks) === JSON.stringify(this.#forks);
    this.#forks = forks;
    if (!same) this.#want('graph');
  }
}
