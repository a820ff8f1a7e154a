import * as vscode from 'vscode';
import { archiveBranch as archive, labelLength, labelMessage as label } from '../../engine/marks';
import { parseArgument, schemas } from './arguments';
import { target, type CommandHost } from './host';
import { chosen } from './moves';

/** `retrace.showGraph`: the picture of a session, which becomes the window's current one. */
export async function showGraph(
  host: CommandHost,
  raw: unknown,
): Promise<{ readonly sessionId: string }> {
  const { sessionId } = parseArgument(schemas.session, raw);
  const { engine, session } = await target(host, sessionId);
  await engine.current.set(session.id);
  host.showGraph();
  return { sessionId: session.id };
}

/** `retrace.labelMessage`: what a message is called in the graph; without a label it asks. */
export async function labelMessage(
  host: CommandHost,
  raw: unknown,
): Promise<{ readonly messageId: string; readonly label: string }> {
  const args = parseArgument(schemas.labelMessage, raw);
  const { session } = await target(host, args.sessionId);
  const { messageId } = args;
  const text = args.label ?? chosen(await askLabel(session.state.labels.get(messageId)));
  return { messageId, label: await label(session, messageId, text) };
}

/** `retrace.archiveBranch`: a message and all under it out of the graph's sight, or back into it. */
export async function archiveBranch(
  host: CommandHost,
  raw: unknown,
): Promise<{ readonly messageId: string; readonly archived: boolean }> {
  const { sessionId, messageId, archived = true } = parseArgument(schemas.archiveBranch, raw);
  const { session } = await target(host, sessionId);
  await archive(session, messageId, archived);
  return { messageId, archived };
}

/** `retrace.compareMessages`: what differs between the files at two messages, or at one and now. */
export async function compareMessages(
  host: CommandHost,
  raw: unknown,
): Promise<{ readonly files: readonly string[] }> {
  const args = parseArgument(schemas.compareMessages, raw);
  const { session } = await target(host, args.sessionId);
  const diffs = await host.diffs();
  return { files: await diffs.compareMessages(session, args.messageId, args.with) };
}

async function askLabel(value = ''): Promise<string | undefined> {
  const tooLong = vscode.l10n.t('A label has at most {0} characters.', labelLength);
  return vscode.window.showInputBox({
    title: vscode.l10n.t('Label the message'),
    prompt: vscode.l10n.t('Shown in the graph. An empty label takes it away.'),
    value,
    validateInput: (text) => (text.trim().length > labelLength ? tooLong : undefined),
  });
}
