import type { Draft } from '../core/node';
import { emptyDraft } from '../core/node';
import type { MoveRequest } from '../engine/movePlan';
import type { OpenSession } from '../engine/openSession';
import type { PerformOptions } from '../engine/sheets';
import type { TurnResult } from '../engine/turnRunner';
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
    if (same) void session.putDraft(emptyDraft, true);
  });
  try {
    return await engine.retrace.send(session, draft, model);
  } finally {
    stop();
  }
}

/**
 * Performs the move of `regenerate` or `edit` and then runs the turn it made room for. What would keep the turn from
 * running is found before anything moves.
 */
export async function moveAndAnswer(
  engine: Engine,
  models: Models,
  session: OpenSession,
  request: MoveRequest,
  options: PerformOptions & { readonly onMoved?: () => void },
): Promise<TurnResult> {
  requireTrust();
  await models.resolve(request.model, session.id);
  const { plan } = await engine.sheets.perform(session, request, options);
  options.onMoved?.();
  return engine.retrace.continueAfter(session, plan);
}
