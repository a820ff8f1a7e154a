import * as vscode from 'vscode';
import type { SessionId } from '../../core/ids';
import { RetraceError } from '../../engine/errors';
import type { GoneFolder } from '../../engine/newPlaces';
import { foldersGone, takeOver } from '../newPlace';
import { parseArgument, schemas } from './arguments';
import type { CommandHost } from './host';
import { chosen } from './moves';

/** `retrace.adoptSessions`: gives the sessions of a folder that was moved or renamed to a folder of this window. */
export async function adoptSessions(
  host: CommandHost,
  raw: unknown,
): Promise<{ readonly sessionIds: readonly SessionId[] }> {
  const args = parseArgument(schemas.adoptSessions, raw);
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length === 0)
    throw new RetraceError('invalid', vscode.l10n.t('Open a folder first.'));
  const { sessions } = await host.engine();
  const gone = await foldersGone(sessions);
  const from = args.from === undefined ? chosen(await askFrom(gone)) : named(gone, args.from);
  const to = args.to === undefined ? chosen(await askTo(folders)) : named(folders, args.to);
  return { sessionIds: await takeOver(sessions, from, to) };
}

function named<T extends { readonly uri: { toString(): string } }>(
  folders: readonly T[],
  uri: string,
): T {
  const wanted = vscode.Uri.parse(uri, true).toString();
  const found = folders.find((folder) => folder.uri.toString() === wanted);
  if (found !== undefined) return found;
  throw new RetraceError('not_found', vscode.l10n.t('There is no such folder: {0}', uri));
}

async function askFrom(gone: readonly GoneFolder[]): Promise<GoneFolder | undefined> {
  const items = gone.map((folder) => ({
    label: folder.name,
    description: vscode.Uri.parse(folder.uri).path,
    detail: folder.sessions
      .slice(0, 5)
      .map(({ title }) => title)
      .join(' · '),
    folder,
  }));
  const title = vscode.l10n.t('Take over the sessions of which folder that is gone?');
  const placeHolder =
    items.length === 0
      ? vscode.l10n.t('Every folder that sessions speak of is still there.')
      : title;
  return (
    await vscode.window.showQuickPick(items, { title, placeHolder, matchOnDescription: true })
  )?.folder;
}

async function askTo(
  folders: readonly vscode.WorkspaceFolder[],
): Promise<vscode.WorkspaceFolder | undefined> {
  const [only] = folders;
  if (folders.length === 1) return only;
  const items = folders.map((folder) => ({
    label: folder.name,
    description: folder.uri.path,
    folder,
  }));
  const title = vscode.l10n.t('Which folder of this window are they to go on in?');
  return (await vscode.window.showQuickPick(items, { title }))?.folder;
}
