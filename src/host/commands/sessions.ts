import * as vscode from 'vscode';
import { RetraceError } from '../../engine/errors';
import { pickSession } from '../picks';
import { outOfRange } from '../points';
import { isInteractive, parseArgument, schemas } from './arguments';
import { target, type CommandHost } from './host';
import { chosen } from './moves';
import { forkResult, sessionResult, type ForkResult, type SessionResult } from './results';

/** `retrace.newSession`: an empty session, which becomes the window's current one. */
export async function newSession(
  host: CommandHost,
  raw: unknown,
): Promise<{ readonly sessionId: string }> {
  const { title } = parseArgument(schemas.newSession, raw);
  const trimmed = title?.trim();
  const engine = await host.engine();
  const session = await engine.sessions.create(trimmed === '' ? undefined : trimmed);
  await engine.current.set(session.id);
  if (isInteractive(raw)) await host.reveal(session, 'composer');
  return { sessionId: session.id };
}

/** `retrace.openSession`: makes a session the current one; without an id it asks which. */
export async function openSession(
  host: CommandHost,
  raw: unknown,
): Promise<{ readonly sessionId: string }> {
  const args = parseArgument(schemas.openSession, raw);
  const engine = await host.engine();
  const id =
    args.sessionId ?? chosen(await pickSession(await engine.sessions.cards(), engine.current.id));
  const session = await engine.current.set(id);
  if (isInteractive(raw)) await host.reveal(session, 'composer');
  return { sessionId: session.id };
}

/** A row of `retrace.listSessions`. */
export interface SessionListRow {
  readonly id: string;
  readonly title: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly archived: boolean;
  readonly messages: number;
  readonly running: boolean;
  readonly current: boolean;
  readonly forkedFrom?: { readonly sessionId: string; readonly messageId: string | null };
  /** The place that holds what was looked for. */
  readonly excerpt?: string;
}

/** `retrace.listSessions`: the sessions of this window's folders, newest first. */
export async function listSessions(
  host: CommandHost,
  raw: unknown,
): Promise<readonly SessionListRow[]> {
  const { archived = false, text } = parseArgument(schemas.listSessions, raw);
  const { sessions, current, search } = await host.engine();
  const found =
    text === undefined || text.trim() === ''
      ? undefined
      : await search.find(text, archived, new AbortController().signal);
  const excerpts = found && new Map(found.hits.map(({ id, excerpt }) => [id, excerpt]));
  const all = await sessions.cards(archived);
  const cards = excerpts === undefined ? all : all.filter(({ id }) => excerpts.has(id));
  const excerptOf = (id: string): { readonly excerpt?: string } => {
    const excerpt = excerpts?.get(id);
    return excerpt === undefined ? {} : { excerpt };
  };
  return cards.map(({ id, title, createdAt, updatedAt, userMessages, forkedFrom, ...card }) => ({
    id,
    title,
    createdAt,
    updatedAt,
    archived: card.archived,
    messages: userMessages,
    running: sessions.opened(id)?.running !== undefined,
    current: id === current.id,
    ...(forkedFrom && { forkedFrom }),
    ...excerptOf(id),
  }));
}

/** `retrace.renameSession`: a title that stays; without one it asks. */
export async function renameSession(host: CommandHost, raw: unknown): Promise<{ title: string }> {
  const args = parseArgument(schemas.renameSession, raw);
  const { engine, session } = await target(host, args.sessionId);
  const asked = args.title ?? (await askTitle(session.info.title));
  await engine.sessions.rename(session, chosen(asked));
  return { title: session.info.title };
}

async function askTitle(value: string): Promise<string | undefined> {
  return vscode.window.showInputBox({ title: vscode.l10n.t('Rename the session'), value });
}

/** `retrace.getSession`: the whole graph and where the session stands. */
export async function getSession(host: CommandHost, raw: unknown): Promise<SessionResult> {
  const args = parseArgument(schemas.session, raw);
  const { session } = await target(host, args.sessionId);
  return sessionResult(session, host.modes.current(session));
}

/** `retrace.setDraft`: what the composer holds from now on. */
export async function setDraft(host: CommandHost, raw: unknown): Promise<{ sessionId: string }> {
  const { sessionId, draft } = parseArgument(schemas.setDraft, raw);
  const { session } = await target(host, sessionId);
  await session.putDraft(draft, true);
  return { sessionId: session.id };
}

/** `retrace.fork`: a new session with the history up to a message, or without the last turns. It becomes the current one. */
export async function fork(host: CommandHost, raw: unknown): Promise<ForkResult> {
  const args = parseArgument(schemas.fork, raw);
  const { messageId, turns } = args;
  if (messageId !== undefined && turns !== undefined)
    throw new RetraceError('invalid', vscode.l10n.t('Give messageId or turns, not both.'));
  const { engine, session } = await target(host, args.sessionId);
  const { length } = engine.retrace.rewindPoints(session);
  if (turns !== undefined && (!Number.isInteger(turns) || turns < 0 || turns > length))
    throw outOfRange(0, length);
  const made = await engine.retrace.fork(session, {
    ...(messageId !== undefined && { messageId }),
    ...(turns !== undefined && { turns }),
  });
  await engine.current.set(made.id);
  if (isInteractive(raw)) await host.reveal(made, 'composer');
  return forkResult(made);
}
