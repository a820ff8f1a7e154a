import type { Draft } from '../core/node';
import { emptyDraft } from '../core/node';
import type { MoveRequest } from '../engine/movePlan';
import type { OpenSession } from '../engine/openSession';
import type { PerformOptions } from '../engine/sheets';
import type { TurnResult } from '../engine/liveReply';
import type { Engine } from './engine';
import type { Models } from './models';
import { requireTrust } from './trust';

/** Sends a message and resolves when the turn has ended. A composer that holds the very same is emptied. */
export async function send(
  engine: Engine,
  session: OpenSession,
  draft: Draft,
  model?: string,
): Promise<TurnResult> {
  const same = JSON.stringify(session.draft.draft) === JSON.stringify(draft);
  const stop = session.events.on(() => {
    if (session.running === undefined) return;
    stop();
    if (!same) return;
    session
      .putDraft(emptyDraft, true)
      .catch((error: unknown) => engine.log.warn('A draft could not be saved', error));
  });
  try {
    return await engine.retrace.send(session, draft, model);
  } finally {
    stop();
  }
}

/** Throws what would keep a turn from running, so that it is known before a move makes room for one. */
export async function requireTurn(
  models: Models,
  session: OpenSession,
  model: string | undefined,
): Promise<void> {
  requireTrust();
  await models.resolve(model, session.id);
}

const begun = new WeakMap<OpenSession, Map<string, Promise<TurnResult>>>();

/**
 * Performs the move of `regenerate` or `edit` and then runs the turn it made room for. Asked for again before that turn
 * runs, it is the same one: two turns would otherwise follow one move.
 */
export function moveAndAnswer(
  engine: Engine,
  models: Models,
  session: OpenSession,
  request: MoveRequest,
  options: PerformOptions & { readonly onMoved?: () => void },
): Promise<TurnResult> {
  const running = begun.get(session) ?? new Map<string, Promise<TurnResult>>();
  begun.set(session, running);
  const key = JSON.stringify([request, options.confirm, options.onConflict]);
  const known = running.get(key);
  if (known !== undefined) return known;
  const stop = session.events.on(() => {
    if (session.running !== undefined) running.delete(key);
  });
  const turn = moveThenAnswer(engine, models, session, request, options).finally(() => {
    stop();
    if (running.get(key) === turn) running.delete(key);
  });
  running.set(key, turn);
  return turn;
}

async function moveThenAnswer(
  engine: Engine,
  models: Models,
  session: OpenSession,
  request: MoveRequest,
  options: Parameters<typeof moveAndAnswer>[4],
): Promise<TurnResult> {
  await requireTurn(models, session, request.model);
  const { plan } = await engine.sheets.perform(session, request, options);
  options.onMoved?.();
  return engine.retrace.continueAfter(session, plan);
}
