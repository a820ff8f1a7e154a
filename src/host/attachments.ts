import * as vscode from 'vscode';
import type { AgentTurn } from '../engine/ports';

/** Above this a file is not read at all: the agent would cut it anyway, and an image of that size is refused by servers. */
const readLimit = 16 * 1024 * 1024;

/** Reads a file a message names, unsaved text first; undefined when it is gone, a folder, or too large to be sent. */
export const readAttachment: AgentTurn['attachment'] = async (name) => {
  const uri = vscode.Uri.parse(name, true);
  const label = vscode.workspace.asRelativePath(uri);
  const open = vscode.workspace.textDocuments.find(
    (document) => document.isDirty && document.uri.toString() === uri.toString(),
  );
  if (open !== undefined) return { label, bytes: new TextEncoder().encode(open.getText()) };
  const stat = await vscode.workspace.fs.stat(uri);
  if ((stat.type & vscode.FileType.File) === 0 || stat.size > readLimit) return undefined;
  return { label, bytes: await vscode.workspace.fs.readFile(uri) };
};
