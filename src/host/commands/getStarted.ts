import * as vscode from 'vscode';
import { walkthroughId } from '../contributions';
import { parseArgument, schemas } from './arguments';
import type { CommandHost } from './host';

/** `retrace.getStarted`: opens the walkthrough. */
export async function getStarted(_host: CommandHost, raw: unknown): Promise<Record<string, never>> {
  parseArgument(schemas.getStarted, raw);
  await vscode.commands.executeCommand('workbench.action.openWalkthrough', walkthroughId);
  return {};
}
