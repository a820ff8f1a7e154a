import * as vscode from 'vscode';
import { RetraceError } from '../engine/errors';

/** Throws `untrusted` where nothing may run or change files. */
export function requireTrust(): void {
  if (vscode.workspace.isTrusted) return;
  throw new RetraceError(
    'untrusted',
    vscode.l10n.t(
      'This folder is not trusted, so no agent runs and no file changes. Trust it with the command "Workspaces: Manage Workspace Trust".',
    ),
  );
}
