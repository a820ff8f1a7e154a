import type { FileKey } from '../../core/fileKey';
import { keyUri } from '../../core/fileKey';
import type { FileChoice } from '../../core/plan';
import { errorText, RetraceError, toRetraceError } from '../../engine/errors';
import type { MoveRequest } from '../../engine/movePlan';
import type { OpenSession } from '../../engine/openSession';
import type { Performed } from '../../engine/sheets';
import type { RequestParams, RequestResults } from '../../protocol/messages';
import { bringHereRequest } from './bringHere';
import type { ChatServices } from './services';

type Begun = RequestResults['planMove'];

interface Moving {
  readonly begun: Promise<Begun>;
  readonly controller: AbortController;
  /** Told how far the files are; the request that waits now. */
  progress: (text: string) => void;
}

/** Moves as the page asks for them: begun, answered in the sheet or not at all, and followed by the turn they make room for. */
export class PageMoves {
  readonly #moving = new Map<string, Moving>();
  readonly #applying = new Set<string>();

  constructor(
    private readonly services: Pick<
      ChatServices,
      'retrace' | 'sheets' | 'requireTurn' | 'log' | 't' | 'defaultScope'
    >,
    /** Told when a move has settled, so that focus can go where it went. */
    private readonly settled: (session: OpenSession) => void,
  ) {}

  /** Begins a move. Resolves when its sheet is open, or when it is done because there was nothing to ask. */
  plan(
    session: OpenSession,
    params: RequestParams['planMove'],
    progress: (text: string) => void,
  ): Promise<Begun> {
    const { verb, messageId, draft, model } = params;
    return this.#begin(
      session,
      {
        verb,
        scope: this.#scope(params),
        ...(messageId !== undefined && { messageId }),
        ...(draft && { draft }),
        ...(model !== undefined && { model }),
      },
      progress,
    );
  }

  /** Brings files to where the conversation is: those named, else all that are elsewhere. */
  async bringHere(
    session: OpenSession,
    uris: readonly string[] | undefined,
    progress: (text: string) => void,
  ): Promise<void> {
    await this.#begin(session, bringHereRequest(session, uris), progress);
  }

  /** Goes on with the open sheet; false when files changed meanwhile and it stays open with a new plan. */
  async apply(
    session: OpenSession,
    { planId, choices, dontAskAgain }: RequestParams['applyMove'],
    progress: (text: string) => void,
  ): Promise<boolean> {
    const { sheets } = this.services;
    const open = sheets.current(session.id);
    if (open?.plan.planId !== planId)
      throw new RetraceError('not_found', 'This question is no longer open.');
    const { folders } = session.info;
    const chosen = new Map<FileKey, FileChoice>();
    for (const { file } of open.plan.files.files) {
      const choice = choices[keyUri(folders, file) ?? file];
      if (choice !== undefined) chosen.set(file, choice);
    }
    const moving = this.#ofSession(session);
    if (moving !== undefined) moving.progress = progress;
    this.#applying.add(planId);
    try {
      return await sheets.answer(planId, chosen, dontAskAgain);
    } finally {
      this.#applying.delete(planId);
    }
  }

  /** Closes the sheet. A move that already writes is stopped between two files instead, and says which were not reached. */
  cancel(session: OpenSession, planId: string): void {
    if (this.#applying.has(planId)) this.#ofSession(session)?.controller.abort();
    else this.services.sheets.cancel(planId);
  }

  #scope({ verb, scope }: RequestParams['planMove']): MoveRequest['scope'] {
    if (verb === 'files') return 'files';
    if (verb === 'undo' || verb === 'redo') return 'both';
    return scope ?? this.services.defaultScope(verb);
  }

  /** The same move pressed twice is one move, also for the turn that follows it. */
  #begin(
    session: OpenSession,
    request: MoveRequest,
    progress: (text: string) => void,
  ): Promise<Begun> {
    const key = keyOf(session, request);
    const known = this.#moving.get(key);
    if (known !== undefined) return known.begun;
    const controller = new AbortController();
    const { promise: begun, resolve, reject } = withResolvers<Begun>();
    const moving: Moving = { begun, controller, progress };
    this.#moving.set(key, moving);
    const { sheets, t } = this.services;
    this.#allow(session, request)
      .then(() =>
        sheets.perform(session, request, {
          confirm: true,
          onConflict: 'ask',
          signal: controller.signal,
          onProgress: (done, all) => moving.progress(t('{0} of {1} files', done, all)),
          onAsk: (plan) =>
            resolve({ planId: plan.planId, needsAnswer: true, scope: plan.request.scope }),
        }),
      )
      .then((performed) => {
        const { plan } = performed;
        this.#goOn(session, performed, controller.signal.aborted, () => this.#moving.delete(key));
        resolve({ planId: plan.planId, needsAnswer: false, scope: plan.request.scope });
      })
      .catch((error: unknown) => {
        this.#moving.delete(key);
        // After the sheet was open this settles nothing: whoever answered it is told.
        reject(toRetraceError(error, 'storage'));
      });
    return begun;
  }

  async #allow(session: OpenSession, { verb, model }: MoveRequest): Promise<void> {
    if (verb === 'regenerate' || verb === 'edit') await this.services.requireTurn(session, model);
  }

  #goOn(session: OpenSession, { plan }: Performed, stopped: boolean, free: () => void): void {
    const { verb } = plan.request;
    this.settled(session);
    if (stopped || (verb !== 'regenerate' && verb !== 'edit')) {
      free();
      return;
    }
    // From then on the running turn refuses the same move; until then it would begin a second turn.
    const end = session.events.on(() => {
      if (session.running !== undefined) free();
    });
    this.services.retrace
      .continueAfter(session, plan)
      .catch((error: unknown) => {
        this.services.log.error('The turn after a move could not begin', error);
        const { code } = toRetraceError(error, 'model');
        const text = errorText(error, this.services.t);
        session.addLine({ kind: 'error', id: `after.${plan.planId}`, code, text });
      })
      .finally(() => {
        end();
        free();
      });
  }

  #ofSession(session: OpenSession): Moving | undefined {
    const prefix = `${session.id} `;
    return [...this.#moving].findLast(([key]) => key.startsWith(prefix))?.[1];
  }
}

function keyOf(session: OpenSession, request: MoveRequest): string {
  return `${session.id} ${JSON.stringify(request)}`;
}

/** `Promise.withResolvers`, which the oldest supported host does not have. */
function withResolvers<T>(): {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
} {
  let settle: { resolve: (value: T) => void; reject: (error: unknown) => void } | undefined;
  const promise = new Promise<T>((resolve, reject) => (settle = { resolve, reject }));
  return {
    promise,
    resolve: (value) => settle?.resolve(value),
    reject: (error) => settle?.reject(error),
  };
}
