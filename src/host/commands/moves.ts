import * as vscode from 'vscode';
import { uriKey, type FileKey } from '../../core/fileKey';
import type { NodeId } from '../../core/ids';
import type { MoveVerb } from '../../core/journal';
import { RetraceError } from '../../engine/errors';
import type { MoveRequest } from '../../engine/movePlan';
import type { OpenSession } from '../../engine/openSession';
import type { TurnResult } from '../../engine/liveReply';
import { pickPoint } from '../picks';
import { lastReply, pointAt, somePoints } from '../points';
import { defaultScope } from '../settings';
import { moveAndAnswer } from '../turns';
import { isInteractive, parseArgument, schemas } from './arguments';
import { performOptions, target, type CommandHost, type Target } from './host';
import { moveResult, type MoveResult } from './results';

/** `retrace.rewind`: to a message, or a number of turns back; without either it asks which. */
export async function rewind(host: CommandHost, raw: unknown): Promise<MoveResult> {
  const args = parseArgument(schemas.rewind, raw);
  const at = await target(host, args.sessionId);
  const request: MoveRequest = {
    verb: 'rewind',
    messageId: await rewindPoint(at, args),
    scope: args.scope ?? defaultScope('rewind'),
  };
  return perform(host, at, request, args);
}

async function rewindPoint(
  { engine, session }: Target,
  args: {
    messageId?: string | undefined;
    turns?: number | undefined;
    confirm?: boolean | undefined;
  },
): Promise<NodeId> {
  const { messageId, turns } = args;
  if (messageId !== undefined && turns !== undefined)
    throw new RetraceError('invalid', vscode.l10n.t('Give messageId or turns, not both.'));
  if (messageId !== undefined) return messageId;
  const points = engine.retrace.rewindPoints(session);
  if (turns !== undefined) return pointAt(points, turns).messageId;
  if (args.confirm === false)
    throw new RetraceError('invalid', vscode.l10n.t('Missing: {0}.', 'messageId, turns'));
  session.refuseWhileRunning();
  return chosen(await pickPoint(somePoints(points)));
}

/** `retrace.regenerate`: another reply beside the given one, or the last one. */
export async function regenerate(host: CommandHost, raw: unknown): Promise<TurnResult> {
  const args = parseArgument(schemas.regenerate, raw);
  const { engine, session } = await target(host, args.sessionId);
  const request: MoveRequest = {
    verb: 'regenerate',
    messageId: args.messageId ?? lastReply(session),
    scope: args.scope ?? defaultScope('regenerate'),
    ...(args.model !== undefined && { model: args.model }),
  };
  return moveAndAnswer(engine, host.models, session, request, performOptions(host, session, args));
}

/**
 * `retrace.editAndResend`: what the message changed is taken back, and another text is sent in its place. From a menu it
 * opens the message for editing where it stands.
 */
export async function editAndResend(
  host: CommandHost,
  raw: unknown,
): Promise<TurnResult | undefined> {
  if ((raw ?? undefined) !== undefined && isInteractive(raw)) {
    await edit(host, raw);
    return undefined;
  }
  const args = parseArgument(schemas.editAndResend, raw);
  const { engine, session } = await target(host, args.sessionId);
  const replaced = session.state.nodes.get(args.messageId);
  const kept = replaced?.role === 'user' ? replaced.attachments : [];
  const request: MoveRequest = {
    verb: 'edit',
    messageId: args.messageId,
    scope: args.scope ?? defaultScope('edit'),
    draft: { text: args.text, attachments: args.attachments ?? kept },
    ...(args.model !== undefined && { model: args.model }),
  };
  return moveAndAnswer(engine, host.models, session, request, performOptions(host, session, args));
}

async function edit(host: CommandHost, raw: unknown): Promise<void> {
  const { sessionId, messageId } = parseArgument(schemas.menu, raw);
  const { session } = await target(host, sessionId);
  if (messageId !== undefined) await host.reveal(session, { edit: messageId });
}

/** `retrace.switchBranch` and `retrace.checkout`. */
export function goTo(verb: 'switch' | 'checkout') {
  return async (host: CommandHost, raw: unknown): Promise<MoveResult> => {
    const args = parseArgument(schemas.goTo, raw);
    const at = await target(host, args.sessionId);
    const { messageId } = args;
    return perform(host, at, { verb, messageId, scope: args.scope ?? defaultScope(verb) }, args);
  };
}

/** `retrace.undoMove` and `retrace.redoMove`. */
export function takeBack(verb: 'undo' | 'redo') {
  return async (host: CommandHost, raw: unknown): Promise<MoveResult> => {
    const args = parseArgument(schemas.takeBack, raw);
    return perform(host, await target(host, args.sessionId), { verb, scope: 'both' }, args);
  };
}

/** `retrace.retryFiles`: brings files that stand apart to where the others are; all of them, or those named. */
export async function retryFiles(host: CommandHost, raw: unknown): Promise<MoveResult> {
  const args = parseArgument(schemas.retryFiles, raw);
  const at = await target(host, args.sessionId);
  const { session } = at;
  if (session.apartFiles.length === 0)
    throw new RetraceError('nothing_to_do', vscode.l10n.t('No file stands apart.'));
  const only = args.uris?.map((uri) => apartFile(session, uri));
  return perform(host, at, { verb: 'files', scope: 'files', ...(only && { only }) }, args);
}

function apartFile(session: OpenSession, uri: string): FileKey {
  const file = keyOf(session, uri);
  if (file !== undefined && session.apartFiles.includes(file)) return file;
  throw new RetraceError('not_found', vscode.l10n.t('This file does not stand apart: {0}', uri));
}

function keyOf(session: OpenSession, uri: string): FileKey | undefined {
  try {
    return uriKey(session.info.folders, uri);
  } catch {
    return undefined;
  }
}

async function perform(
  host: CommandHost,
  { engine, session }: Target,
  request: MoveRequest & { readonly verb: MoveVerb },
  given: Parameters<typeof performOptions>[2],
): Promise<MoveResult> {
  const options = performOptions(host, session, given);
  return moveResult(session, await engine.sheets.perform(session, request, options));
}

/** Returns what was picked; closing a Quick Pick is a way to say no. */
export function chosen<T>(picked: T | undefined): T {
  if (picked !== undefined) return picked;
  throw new RetraceError('cancelled', vscode.l10n.t('Nothing was changed.'));
}
