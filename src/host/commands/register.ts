import * as vscode from 'vscode';
import type { Log } from '../../engine/ports';
import { commandIds } from '../contributions';
import type { CommandHost } from './host';

/** Registers every command; what they do is loaded with the first one that is called. */
export function registerCommands(host: CommandHost, log: Log): vscode.Disposable[] {
  return commandIds.map((id) =>
    vscode.commands.registerCommand(id, async (raw: unknown, more: unknown) => {
      const { runCommand } = await import('./run');
      return runCommand(host, log, id, fromMenu(raw, more));
    }),
  );
}

/** VS Code's menus of files and editors hand over a URI; the Explorer also everything that is selected in it. */
function fromMenu(raw: unknown, more: unknown): unknown {
  if (!(raw instanceof vscode.Uri)) return raw;
  const selected: readonly unknown[] = Array.isArray(more) ? more : [raw];
  const uris = selected.filter((one) => one instanceof vscode.Uri).map(String);
  return { uris, ...(more === undefined && { selection: true }) };
}
