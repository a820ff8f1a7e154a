import * as vscode from 'vscode';
import type { OpenSession } from '../engine/openSession';
import type { Sessions } from '../engine/sessions';
import { contextKeys } from './contributions';
import type { CurrentSession } from './currentSession';

const keys: readonly (readonly [string, (session: OpenSession) => boolean])[] = [
  [contextKeys.running, (session) => session.running !== undefined],
  [contextKeys.moved, ({ state }) => state.steps.at(-1)?.type === 'move'],
];

/** Keeps the context keys that tell how the current session stands. */
export function sessionKeys(sessions: Sessions, current: CurrentSession): vscode.Disposable {
  const told = new Set<string>();
  const tell = (key: string, holds: boolean): void => {
    if (holds === told.has(key)) return;
    if (holds) told.add(key);
    else told.delete(key);
    void vscode.commands.executeCommand('setContext', key, holds);
  };
  const update = (): void => {
    const session = current.id === undefined ? undefined : sessions.opened(current.id);
    for (const [key, holds] of keys) tell(key, session !== undefined && holds(session));
  };
  const stops = [sessions.listChanged.on(update), current.onChange.on(update)];
  return new vscode.Disposable(() => {
    for (const stop of stops) stop();
    for (const [key] of keys) tell(key, false);
  });
}
