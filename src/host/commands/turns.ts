import * as vscode from 'vscode';
import type { TurnResult } from '../../engine/liveReply';
import type { RewindPoint } from '../../engine/retrace';
import type { PendingApproval } from '../../engine/approvals';
import { parseArgument, schemas } from './arguments';
import { target, type CommandHost } from './host';

/**
 * `retrace.send`: sends a message and resolves when the turn has ended. A slash command is never sent: it does, and
 * returns, what the command of its name does.
 */
export async function send(host: CommandHost, raw: unknown): Promise<unknown> {
  const { text, sessionId, model, attachments } = parseArgument(schemas.send, raw);
  const { session } = await target(host, sessionId);
  const submitter = await host.submitter();
  return submitter.run(session, { text, attachments }, () => undefined, model);
}

/** `retrace.continueSummarised`: has older turns summarised for the model and goes on; resolves when the turn has ended. */
export async function continueSummarised(host: CommandHost, raw: unknown): Promise<TurnResult> {
  const { sessionId, model } = parseArgument(schemas.continueSummarised, raw);
  const { engine, session } = await target(host, sessionId);
  return engine.retrace.continueSummarised(session, vscode.l10n.t('Go on.'), model);
}

/** `retrace.stop`: resolves when everything has settled. */
export async function stop(host: CommandHost, raw: unknown): Promise<{ sessionId: string }> {
  const args = parseArgument(schemas.session, raw);
  const { engine, session } = await target(host, args.sessionId);
  await engine.retrace.stop(session);
  return { sessionId: session.id };
}

/** `retrace.listRewindPoints`: the active branch's messages, newest first. */
export async function listRewindPoints(
  host: CommandHost,
  raw: unknown,
): Promise<{ readonly sessionId: string; readonly points: readonly RewindPoint[] }> {
  const args = parseArgument(schemas.session, raw);
  const { engine, session } = await target(host, args.sessionId);
  return { sessionId: session.id, points: engine.retrace.rewindPoints(session) };
}

/** `retrace.pendingApprovals`: the questions that wait, of one session or of all. */
export async function pendingApprovals(
  host: CommandHost,
  raw: unknown,
): Promise<readonly PendingApproval[]> {
  const { sessionId } = parseArgument(schemas.session, raw);
  return (await host.engine()).approvals.pending(sessionId);
}

/** `retrace.answerApproval`: what one of the buttons says. */
export async function answerApproval(
  host: CommandHost,
  raw: unknown,
): Promise<{ approvalId: string }> {
  const { approvalId, answer } = parseArgument(schemas.answerApproval, raw);
  await (await host.engine()).approvals.answer(approvalId, answer);
  return { approvalId };
}
