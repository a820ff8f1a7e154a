import * as vscode from 'vscode';
import { RetraceError } from '../../engine/errors';
import { exportJson, exportMarkdown } from '../../engine/exportSession';
import { planImport } from '../../engine/import/importSession';
import { hostRuntime } from '../runtime';
import { isInteractive, parseArgument, schemas } from './arguments';
import { target, type CommandHost } from './host';
import { chosen } from './moves';

type Format = 'json' | 'markdown';

/** `retrace.exportSession`: everything as JSON, or the active branch as Markdown; a person is asked which and where to. */
export async function exportSession(
  host: CommandHost,
  raw: unknown,
): Promise<{ readonly text: string; readonly uri?: string }> {
  const args = parseArgument(schemas.exportSession, raw);
  const { session } = await target(host, args.sessionId);
  const asks = isInteractive(raw);
  if (args.format === undefined && !asks)
    throw new RetraceError('invalid', vscode.l10n.t('Missing: {0}.', 'format'));
  const format = args.format ?? chosen(await askFormat());
  const text = format === 'json' ? exportJson(session) : exportMarkdown(session);
  const uri =
    args.uri === undefined
      ? asks
        ? chosen(await askPlace(session.info.title, format))
        : undefined
      : place(args.uri);
  if (uri === undefined) return { text };
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  if (asks) void offerOpen(uri);
  return { text, uri: uri.toString() };
}

/** `retrace.importSession`: a session from a file of ours or of another tool; history to read and go on from. */
export async function importSession(
  host: CommandHost,
  raw: unknown,
): Promise<{ readonly sessionId: string }> {
  const args = parseArgument(schemas.importSession, raw);
  if (args.text !== undefined && args.uri !== undefined)
    throw new RetraceError('invalid', vscode.l10n.t('Give uri or text, not both.'));
  const text = args.text ?? (await readText(args.uri, isInteractive(raw)));
  const { sessions, current } = await host.engine();
  const folders = vscode.workspace.workspaceFolders ?? [];
  const plan = planImport(text, {
    newId: () => hostRuntime.newId(),
    now: () => hostRuntime.now(),
    folders: folders.map(({ uri, name }, index) => ({
      id: `f${index}`,
      uri: uri.toString(),
      name,
    })),
  });
  // What the window showed is left for what came from elsewhere.
  if (current.id !== undefined) await sessions.backUp({ id: current.id }, 'import');
  const session = await sessions.createFrom(plan);
  await current.set(session.id);
  if (isInteractive(raw)) await host.reveal(session, 'composer');
  return { sessionId: session.id };
}

async function readText(given: string | undefined, asks: boolean): Promise<string> {
  if (given === undefined && !asks)
    throw new RetraceError('invalid', vscode.l10n.t('Missing: {0}.', 'uri, text'));
  const uri = given === undefined ? chosen(await askFile()) : place(given);
  const bytes = await vscode.workspace.fs.readFile(uri).then(
    (read) => read,
    () => {
      throw new RetraceError('storage', vscode.l10n.t('The file could not be read: {0}', uri.path));
    },
  );
  return new TextDecoder().decode(bytes);
}

function place(uri: string): vscode.Uri {
  try {
    return vscode.Uri.parse(uri, true);
  } catch {
    throw new RetraceError('invalid', vscode.l10n.t('Wrong value: {0}.', 'uri'));
  }
}

async function askFormat(): Promise<Format | undefined> {
  const items: (vscode.QuickPickItem & { readonly format: Format })[] = [
    {
      label: 'Markdown',
      description: vscode.l10n.t('the conversation that is shown, to read'),
      format: 'markdown',
    },
    {
      label: 'JSON',
      description: vscode.l10n.t('all branches, to import again; without contents of files'),
      format: 'json',
    },
  ];
  const title = vscode.l10n.t('Export the session as');
  return (await vscode.window.showQuickPick(items, { title }))?.format;
}

async function askPlace(title: string, format: Format): Promise<vscode.Uri | undefined> {
  const name = title
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/gu, '')
    .slice(0, 60);
  const file = `${name || 'session'}.${format === 'json' ? 'json' : 'md'}`;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  return vscode.window.showSaveDialog({
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, file) }),
    filters: format === 'json' ? { JSON: ['json'] } : { Markdown: ['md'] },
  });
}

async function askFile(): Promise<vscode.Uri | undefined> {
  const title = vscode.l10n.t('Import a session');
  const found = await vscode.window.showOpenDialog({ title, filters: { JSON: ['json', 'jsonl'] } });
  return found?.[0];
}

async function offerOpen(uri: vscode.Uri): Promise<void> {
  const open = vscode.l10n.t('Open');
  const text = vscode.l10n.t('The session was exported.');
  if ((await vscode.window.showInformationMessage(text, open)) === open)
    await vscode.commands.executeCommand('vscode.open', uri);
}
