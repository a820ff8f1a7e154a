import * as vscode from 'vscode';
import type { Attachment } from '../../core/node';
import { RetraceError } from '../../engine/errors';
import type { OpenSession } from '../../engine/openSession';
import { currentOffer, takeSelection } from '../context/editorContext';
import { parseArgument, schemas } from './arguments';
import { target, type CommandHost } from './host';

/**
 * `retrace.addToChat`: puts files and folders, the selected text, or else the file in the editor, beside the message being
 * written. Sends nothing.
 */
export async function addToChat(
  host: CommandHost,
  raw: unknown,
): Promise<{ readonly sessionId: string; readonly attachments: number }> {
  const { sessionId, uris, selection } = parseArgument(schemas.addToChat, raw);
  const { session } = await target(host, sessionId);
  const added = selectionWanted(uris, selection)
    ? [takeSelection(session)]
    : await Promise.all((uris ?? fileInEditor(session)).map(named));
  const { text, attachments } = session.draft.draft;
  const known = new Set(attachments.map((one) => JSON.stringify(one)));
  const fresh = added.filter((one) => !known.has(JSON.stringify(one)));
  await session.putDraft({ text, attachments: [...attachments, ...fresh] }, true);
  await host.reveal(session, 'composer');
  return { sessionId: session.id, attachments: attachments.length + fresh.length };
}

/** From an editor's menu and the palette, selected text goes before its file. */
function selectionWanted(
  uris: readonly string[] | undefined,
  selection: boolean | undefined,
): boolean {
  if (uris === undefined && selection === true) return true;
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || editor.selection.isEmpty) return false;
  if (uris === undefined) return selection !== false;
  return selection === true && uris.length === 1 && uris[0] === editor.document.uri.toString();
}

function fileInEditor(session: OpenSession): readonly string[] {
  const offer = currentOffer(session);
  const uri =
    offer?.what === 'file' ? offer.uri : vscode.window.activeTextEditor?.document.uri.toString();
  if (uri === undefined) {
    throw new RetraceError('not_found', 'Open a file, or choose one in the Explorer, to add it.');
  }
  return [uri];
}

/** A folder's URI ends with a slash, so that it can be told from a file without being looked at. */
async function named(uri: string): Promise<Attachment> {
  try {
    const { type } = await vscode.workspace.fs.stat(vscode.Uri.parse(uri, true));
    const folder = (type & vscode.FileType.Directory) !== 0 && !uri.endsWith('/');
    return { uri: folder ? `${uri}/` : uri };
  } catch {
    throw new RetraceError('not_found', 'There is no file {0}.', [uri]);
  }
}
