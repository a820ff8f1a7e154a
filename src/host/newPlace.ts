import * as vscode from 'vscode';
import { goneFolders, type GoneFolder } from '../engine/newPlaces';
import type { Sessions } from '../engine/sessions';
import type { CurrentSession } from './currentSession';
import { isNothing, toFsError } from './files/fsErrors';
import type { SessionId } from '../core/ids';

/** Finds the folders that sessions speak of and that were moved, renamed or deleted. */
export async function foldersGone(sessions: Sessions): Promise<GoneFolder[]> {
  const here = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.toString());
  return goneFolders(await sessions.everywhere(), here, isGone);
}

/** A place that cannot be asked now, as one of another machine, is not gone. */
async function isGone(uri: string): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(vscode.Uri.parse(uri, true));
    return false;
  } catch (error) {
    return isNothing(toFsError(error, uri));
  }
}

/** Gives the sessions of a folder that is gone to one of this window, and returns their ids. */
export async function takeOver(
  sessions: Sessions,
  from: GoneFolder,
  to: vscode.WorkspaceFolder,
): Promise<SessionId[]> {
  const place = { uri: to.uri.toString(), name: to.name };
  const options = {
    location: vscode.ProgressLocation.Window,
    title: vscode.l10n.t('Taking over sessions'),
  };
  return vscode.window.withProgress(options, async () => {
    const taken: SessionId[] = [];
    for (const card of from.sessions)
      if (await sessions.giveNewPlace(card, from.uri, place)) taken.push(card.id);
    return taken;
  });
}

const declinedKey = 'retrace.foldersLeft';
const mostDeclined = 100;

/** In a window whose folder has no session yet: offers those of a folder that is gone, for it may be the same one. */
export async function offerNewPlace(
  sessions: Sessions,
  current: CurrentSession,
  remembered: vscode.Memento,
): Promise<void> {
  const [to, ...others] = vscode.workspace.workspaceFolders ?? [];
  if (to === undefined || others.length > 0) return;
  // The empty one that the view made is none.
  if ((await sessions.cards(true)).some(({ nodes }) => nodes > 0)) return;
  const declined = remembered.get<readonly string[]>(declinedKey, []);
  const from = (await foldersGone(sessions)).find(({ uri }) => !declined.includes(uri));
  if (from === undefined) return;
  const take = vscode.l10n.t('Take Over');
  const leave = vscode.l10n.t('Not Now');
  const answer = await vscode.window.showInformationMessage(
    vscode.l10n.t(
      'The folder {0} is no longer there. Did it become {1}? Its sessions ({2}) can go on here.',
      vscode.Uri.parse(from.uri).path,
      to.name,
      from.sessions.length,
    ),
    take,
    leave,
  );
  // A folder that was deleted for good is asked about once; the command finds it still.
  if (answer === leave)
    await remembered.update(declinedKey, [...declined, from.uri].slice(-mostDeclined));
  if (answer !== take) return;
  const [newest] = await takeOver(sessions, from, to);
  if (newest !== undefined) await current.set(newest);
}
