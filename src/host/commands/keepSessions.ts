import * as vscode from 'vscode';
import type { OpenSession } from '../../engine/openSession';
import type { Engine } from '../engine';
import { pickDeletedSession } from '../picks';
import { parseArgument, schemas } from './arguments';
import { target, type CommandHost } from './host';
import { chosen } from './moves';

/** `retrace.archiveSession`: out of the list's sight, or back into it. */
export async function archiveSession(
  host: CommandHost,
  raw: unknown,
): Promise<{ readonly sessionId: string; readonly archived: boolean }> {
  const { sessionId, archived = true } = parseArgument(schemas.archiveSession, raw);
  const { engine, session } = await target(host, sessionId);
  await engine.sessions.archive(session, archived);
  return { sessionId: session.id, archived };
}

/** What a deleted session held. */
export interface DeletedSession {
  readonly sessionId: string;
  readonly messages: number;
  readonly branches: number;
}

/** `retrace.deleteSession`: off the list, after saying how much it holds; for 7 days it can be taken back. */
export async function deleteSession(host: CommandHost, raw: unknown): Promise<DeletedSession> {
  const { sessionId, confirm = true } = parseArgument(schemas.deleteSession, raw);
  const { engine, session } = await target(host, sessionId);
  session.refuseWhileRunning();
  const held = {
    sessionId: session.id,
    messages: session.state.counts.shown,
    branches: countBranches(session),
  };
  if (confirm) chosen(await askDelete(session.info.title, held));
  engine.sheets.cancelSession(session.id);
  await engine.sessions.delete(session);
  await leave(engine, session.id);
  if (confirm) void offerBack(engine, session);
  return held;
}

/** `retrace.restoreSession`: takes a deletion back; without an id it asks which. */
export async function restoreSession(
  host: CommandHost,
  raw: unknown,
): Promise<{ readonly sessionId: string }> {
  const args = parseArgument(schemas.session, raw);
  const { sessions, current } = await host.engine();
  const sessionId = args.sessionId ?? chosen(await pickDeletedSession(await sessions.deleted()));
  await sessions.undelete(sessionId);
  await current.set(sessionId);
  return { sessionId };
}

function countBranches({ state }: OpenSession): number {
  const leaves = [...state.nodes.values()].filter(
    ({ id, role }) => role !== 'files' && (state.children.get(id) ?? []).length === 0,
  );
  return leaves.length;
}

/** The window goes over to another session when its own is gone. */
async function leave({ sessions, current }: Engine, gone: string): Promise<void> {
  if (current.id !== gone) return;
  const [next] = await sessions.cards();
  await current.set(next?.id ?? (await sessions.create()).id);
}

async function askDelete(
  title: string,
  { messages, branches }: DeletedSession,
): Promise<vscode.QuickPickItem | undefined> {
  const held =
    branches > 1
      ? vscode.l10n.t('{0} messages on {1} branches', messages, branches)
      : vscode.l10n.t('{0} messages', messages);
  return vscode.window.showQuickPick(
    [{ label: `$(trash) ${vscode.l10n.t('Delete')}`, description: held }],
    {
      title: vscode.l10n.t('Delete “{0}”?', title),
      placeHolder: vscode.l10n.t('It can be taken back for 7 days. No file changes.'),
    },
  );
}

async function offerBack(engine: Engine, session: OpenSession): Promise<void> {
  const undo = vscode.l10n.t('Take Back');
  const text = vscode.l10n.t('“{0}” was deleted.', session.info.title);
  if ((await vscode.window.showInformationMessage(text, undo)) !== undo) return;
  await engine.sessions.undelete(session.id);
  await engine.current.set(session.id);
}
