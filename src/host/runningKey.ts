import * as vscode from 'vscode';
import type { Sessions } from '../engine/sessions';
import { contextKeys } from './contributions';
import type { CurrentSession } from './currentSession';

/** Keeps the context key that says whether a turn runs in the current session. */
export function runningKey(sessions: Sessions, current: CurrentSession): vscode.Disposable {
  let told = false;
  const tell = (running: boolean): void => {
    if (running === told) return;
    told = running;
    void vscode.commands.executeCommand('setContext', contextKeys.running, running);
  };
  const update = (): void => {
    const session = current.id === undefined ? undefined : sessions.opened(current.id);
    tell(session?.running !== undefined);
  };
  const stops = [sessions.listChanged.on(update), current.onChange.on(update)];
  return new vscode.Disposable(() => {
    for (const stop of stops) stop();
    tell(false);
  });
}
