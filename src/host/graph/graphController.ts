import { nodeText } from '../../core/node';
import { errorText, RetraceError, toRetraceError } from '../../engine/errors';
import { archiveBranch } from '../../engine/marks';
import type { OpenSession } from '../../engine/openSession';
import {
  graphProtocol,
  parseGraphRequest,
  type GraphAsked,
  type GraphFrame,
  type GraphParams,
  type GraphRequestName,
  type GraphResults,
  type LineCount,
} from '../../protocol/graph';
import { PageMoves } from '../chat/moves';
import type { ChatServices } from '../chat/services';
import type { LineCounts } from '../chat/lineCounts';
import { GraphFeed } from './graphFeed';
import type { GraphPresenter } from './presentGraph';

/** What the graph needs besides what the chat stands on. */
export interface GraphServices extends ChatServices {
  readonly counts: LineCounts;
  /** Opens what differs between the files at a message and those at another one, or those that lie there now. */
  readonly compare: (
    session: OpenSession,
    messageId: string,
    other: string | undefined,
  ) => Promise<unknown>;
  /** Asks a person for a label of a message. Rejects with `cancelled` when there is none. */
  readonly label: (session: OpenSession, messageId: string) => Promise<unknown>;
  /** Brings the chat view up: the question before a move is asked there. */
  readonly reveal: (session: OpenSession, focus: 'composer' | 'sheet') => Promise<void>;
}

interface Call<K extends GraphRequestName> {
  readonly params: GraphParams[K];
  readonly session: OpenSession;
  readonly progress: (text: string) => void;
}

type Handlers = {
  readonly [K in GraphRequestName]: (call: Call<K>) => Promise<GraphResults[K]> | GraphResults[K];
};

/** How long is waited for lines to be counted, in milliseconds; what is not counted then is left out. */
const countLimit = 20_000;
const detailsLimit = 500;

/** One connection to one page of the graph. Every request that can be answered is answered once, what goes wrong too. */
export class GraphController {
  readonly #feed: GraphFeed;
  readonly #handlers: Handlers;

  constructor(
    private readonly services: GraphServices,
    private readonly presenter: GraphPresenter,
    private readonly post: (frame: GraphFrame) => void,
  ) {
    this.#feed = new GraphFeed({ ...services, presenter }, post);
    this.#handlers = this.#createHandlers();
  }

  /** Takes what came from the page. Never throws. */
  async receive(data: unknown): Promise<void> {
    const parsed = parseGraphRequest(data);
    if (parsed.ok) {
      await this.#handle(parsed.frame);
      return;
    }
    const { requestId, sessionId, problem } = parsed;
    this.services.log.warn(`The graph asked something that was not understood: ${problem}`);
    if (requestId === undefined) return;
    const message = this.services.t('The view asked something that was not understood.');
    const result = { ok: false, code: 'invalid', message } as const;
    this.post({ type: 'answer', requestId, sessionId, result });
  }

  /** The page is gone or hidden; the next one says `ready` again. */
  pause(): void {
    this.#feed.pause();
  }

  dispose(): void {
    this.#feed.dispose();
  }

  async #handle<K extends GraphRequestName>(frame: GraphAsked<K>): Promise<void> {
    const { requestId, sessionId, name, params } = frame;
    try {
      const session = await this.#session(sessionId);
      const progress = (text: string): void =>
        this.post({ type: 'progress', requestId, sessionId, text });
      const value = await this.#handlers[name]({ params, session, progress });
      this.#feed.flush();
      this.post({ type: 'answer', requestId, sessionId, result: { ok: true, value } });
    } catch (error) {
      if (!(error instanceof RetraceError))
        this.services.log.error(`The graph's request ${name} failed`, error);
      const known = toRetraceError(error, 'storage');
      const message = errorText(known, this.services.t);
      const result = { ok: false, code: known.code, message } as const;
      this.post({ type: 'answer', requestId, sessionId, result });
    }
    if (name === 'ready') this.#feed.release();
  }

  #session(id: string): Promise<OpenSession> {
    return id === '' ? this.services.current.get() : this.services.sessions.open(id);
  }

  #createHandlers(): Handlers {
    const { services, presenter } = this;
    const { current, opener, retrace, reveal, t } = services;
    const moves = new PageMoves(services, () => undefined);
    return {
      ready: async ({ params }) => {
        if (params.protocol !== graphProtocol)
          throw new RetraceError('invalid', t('Retrace was updated. Reload the window to go on.'));
        const session = await current.get();
        return { view: await this.#feed.start(session, params.archived), ...services.texts };
      },
      showArchived: ({ params }) => {
        this.#feed.showArchived(params.shown);
        return null;
      },
      details: async ({ params, session }) => {
        await this.#counts(session, [params.messageId], detailsLimit);
        const details = presenter.details(session, params.messageId);
        if (details === undefined) throw noMessage(params.messageId);
        return details;
      },
      counts: async ({ params, session }) => ({
        counts: await this.#counts(session, params.messageIds),
      }),
      find: ({ params, session }) => ({ messageIds: find(session, params.text) }),
      checkout: async ({ params, session, progress }) => {
        const { messageId, scope } = params;
        const plan = { verb: 'checkout', messageId, ...(scope && { scope }) } as const;
        const begun = await moves.plan(session, plan, progress);
        if (begun.needsAnswer) void reveal(session, 'sheet');
        return { needsAnswer: begun.needsAnswer, scope: begun.scope };
      },
      fork: async ({ params, session }) => {
        const made = await retrace.fork(session, { messageId: params.messageId });
        await current.set(made.id);
        void reveal(made, 'composer');
        return { sessionId: made.id };
      },
      compare: async ({ params, session }) => {
        await services.compare(session, params.messageId, params.with);
        return null;
      },
      label: async ({ params, session, progress }) => {
        // Somebody who thinks about a name is no silence.
        const thinking = setInterval(() => progress(''), 10_000);
        try {
          await services.label(session, params.messageId);
        } finally {
          clearInterval(thinking);
        }
        return null;
      },
      archive: async ({ params, session }) => {
        await archiveBranch(session, params.messageId, params.archived);
        return null;
      },
      openChange: async ({ params, session }) => {
        await opener.openChange(session, params.messageId, params.uri);
        return null;
      },
      openChanges: async ({ params, session }) => {
        await opener.openChanges(session, params.messageId);
        return null;
      },
    };
  }

  /** Counting is done behind the view's back; this waits until all that was asked for is known. */
  async #counts(
    session: OpenSession,
    ids: readonly string[],
    limit = countLimit,
  ): Promise<Readonly<Record<string, LineCount>>> {
    const found = new Map<string, LineCount>();
    const missing = new Set(ids);
    const look = (): boolean => {
      for (const id of missing) {
        const lines = this.presenter.lines(session, id);
        if (lines === undefined) continue;
        found.set(id, lines);
        missing.delete(id);
      }
      return missing.size === 0;
    };
    if (!look()) {
      await new Promise<void>((resolve) => {
        const done = (): void => {
          end();
          clearTimeout(timer);
          resolve();
        };
        const end = this.services.counts.known.on(() => {
          if (look()) done();
        });
        const timer = setTimeout(done, limit);
      });
    }
    return Object.fromEntries(found);
  }
}

function find({ state }: OpenSession, text: string): string[] {
  const wanted = text.trim().toLocaleLowerCase();
  if (wanted === '') return [];
  return [...state.nodes.values()].flatMap((node) =>
    [nodeText(node), state.labels.get(node.id) ?? ''].some((one) =>
      one.toLocaleLowerCase().includes(wanted),
    )
      ? [node.id]
      : [],
  );
}

function noMessage(id: string): RetraceError {
  return new RetraceError('not_found', 'There is no message {0} in this session.', [id]);
}
