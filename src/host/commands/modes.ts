import * as vscode from 'vscode';
import { modes, type Mode } from '../../core/mode';
import { modeDetail, modeLabel } from '../sessionModes';
import { parseArgument, schemas } from './arguments';
import { target, type CommandHost } from './host';
import { chosen } from './moves';

/** `retrace.selectMode`: how far the agent may go in a session; without a mode it asks. */
export async function selectMode(
  host: CommandHost,
  raw: unknown,
): Promise<{ sessionId: string; mode: Mode }> {
  const args = parseArgument(schemas.selectMode, raw);
  const { session } = await target(host, args.sessionId);
  const mode = args.mode ?? chosen(await pickMode(host.modes.current(session)));
  await host.modes.select(session.id, mode);
  return { sessionId: session.id, mode };
}

async function pickMode(current: Mode): Promise<Mode | undefined> {
  const items = modes.toReversed().map((mode) => ({
    label: modeLabel(mode),
    description: mode === current ? vscode.l10n.t('current') : '',
    detail: modeDetail(mode),
    mode,
  }));
  const title = vscode.l10n.t('How far may the agent go in this session?');
  return (await vscode.window.showQuickPick(items, { title }))?.mode;
}
