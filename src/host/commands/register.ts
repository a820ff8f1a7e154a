import * as vscode from 'vscode';
import type { Log } from '../../engine/ports';
import { commandIds } from '../contributions';
import type { CommandHost } from './host';

/** Registers every command; what they do is loaded with the first one that is called. */
export function registerCommands(host: CommandHost, log: Log): vscode.Disposable[] {
  return commandIds.map((id) =>
    vscode.commands.registerCommand(id, async (raw: unknown) => {
      const { runCommand } = await import('./run');
      return runCommand(host, log, id, raw);
    }),
  );
}
