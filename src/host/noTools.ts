import * as vscode from 'vscode';
import type { AgentTurn, Log } from '../engine/ports';
import type { Models } from './models';

/** Offers what helps when a model turned out to take no tools. Nothing waits for the answer: the turn has ended. */
export async function offerWithoutTools(models: Models, turn: AgentTurn, log: Log): Promise<void> {
  const chat = vscode.l10n.t('Chat Without Tools');
  const other = vscode.l10n.t('Choose Another Model');
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t(
      'The model "{0}" cannot use tools, so it cannot read or change files.',
      turn.model.model,
    ),
    chat,
    other,
  );
  try {
    if (chosen === chat) await models.withoutTools(turn.model.id);
    else if (chosen === other) await vscode.commands.executeCommand('retrace.selectModel');
    else return;
    await vscode.commands.executeCommand('retrace.regenerate', {
      messageId: turn.history.at(-1)?.id,
    });
  } catch (error) {
    log.warn('The message could not be answered again', error);
  }
}
