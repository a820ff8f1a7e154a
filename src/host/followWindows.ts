import * as vscode from 'vscode';
import type { Log } from '../engine/ports';
import type { Sessions } from '../engine/sessions';
import type { CurrentSession } from './currentSession';

/** While the window has the focus, it looks this often for what other windows stored, in milliseconds. */
const lookEvery = 3_000;

/** Keeps the window's current session up with other windows: at once when it gets the focus, then every few seconds. */
export function followWindows(
  sessions: Sessions,
  current: CurrentSession,
  log: Log,
): vscode.Disposable {
  let looking = false;
  let failed = false;
  const look = async (): Promise<void> => {
    const session = current.id === undefined ? undefined : sessions.opened(current.id);
    if (looking || session === undefined || !vscode.window.state.focused) return;
    looking = true;
    try {
      await sessions.follow(session);
      failed = false;
    } catch (error) {
      // A storage that is away would fill the log.
      if (!failed) log.warn('Changes of other windows could not be looked for', error);
      failed = true;
    } finally {
      looking = false;
    }
  };
  const timer = setInterval(() => void look(), lookEvery);
  return vscode.Disposable.from(
    vscode.window.onDidChangeWindowState(() => void look()),
    new vscode.Disposable(() => clearInterval(timer)),
  );
}
