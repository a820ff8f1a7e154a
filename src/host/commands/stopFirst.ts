import * as vscode from 'vscode';
import { errorText, RetraceError } from '../../engine/errors';
import type { CommandId } from '../contributions';
import { isInteractive, parseArgument, schemas } from './arguments';
import { target, type CommandHost } from './host';
import { chosen } from './moves';

/** The moves a person can ask for without the view, and what going on with each is called. */
const goOn: Partial<Record<CommandId, () => string>> = {
  'retrace.rewind': () => vscode.l10n.t('Stop and rewind'),
  'retrace.regenerate': () => vscode.l10n.t('Stop and regenerate'),
  'retrace.undoMove': () => vscode.l10n.t('Stop and undo'),
  'retrace.redoMove': () => vscode.l10n.t('Stop and redo'),
  'retrace.retryFiles': () => vscode.l10n.t('Stop and bring the files here'),
};

/**
 * Runs a command; where a running turn refuses a move that a person asked for, offers to stop that turn, waits until it
 * has settled, and runs the command again. A program gets the refusal.
 */
export async function stopFirst(
  host: CommandHost,
  id: CommandId,
  raw: unknown,
  run: () => Promise<unknown>,
): Promise<unknown> {
  try {
    return await run();
  } catch (error) {
    const label = goOn[id];
    if (label === undefined || !isInteractive(raw)) throw error;
    if (!(error instanceof RetraceError) || error.code !== 'run_active') throw error;
    const { sessionId } = parseArgument(schemas.menu, raw);
    const { engine, session } = await target(host, sessionId);
    // Another move under way is soon over; there is nothing to stop.
    if (session.running === undefined) throw error;
    chosen(await offer(label(), errorText(error, vscode.l10n.t)));
    await engine.retrace.stop(session);
    return run();
  }
}

async function offer(label: string, why: string): Promise<vscode.QuickPickItem | undefined> {
  return vscode.window.showQuickPick([{ label: `$(debug-stop) ${label}` }], {
    title: why,
    placeHolder: vscode.l10n.t('Escape lets the reply go on; nothing is changed.'),
  });
}
