import * as vscode from 'vscode';
import { RetraceError } from '../engine/errors';
import type { BlobFiles } from './blobFiles';
import { openDiff } from './diffs';
import { hostRuntime } from './runtime';

/** Puts code of a reply at the cursor of the editor used last, or in the place of what is selected there. Undo takes it back. */
export async function insertCode(code: string): Promise<void> {
  const editor = lastEditor();
  const done = await editor.edit((edit) => {
    for (const selection of editor.selections) edit.replace(selection, code);
  });
  if (!done) throw new RetraceError('invalid', vscode.l10n.t('This editor cannot be changed.'));
  await vscode.window.showTextDocument(editor.document, editor.viewColumn);
}

/** Shows code of a reply beside what is selected in the editor used last, or beside all of its text. */
export async function compareCode(files: BlobFiles, code: string): Promise<void> {
  const { document, selection } = lastEditor();
  const name = document.uri.path.slice(document.uri.path.lastIndexOf('/') + 1);
  const hold = async (text: string): Promise<vscode.Uri> => {
    const bytes = new TextEncoder().encode(text);
    return files.hold(name, await hostRuntime.sha256(bytes), bytes);
  };
  const left = selection.isEmpty ? document.uri : await hold(document.getText(selection));
  const title = selection.isEmpty
    ? vscode.l10n.t('{0} ↔ code of the reply', name)
    : vscode.l10n.t('{0}, selection ↔ code of the reply', name);
  await openDiff({ left, right: await hold(code) }, title);
}

function lastEditor(): vscode.TextEditor {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined)
    throw new RetraceError('invalid', vscode.l10n.t('Open a file in an editor first.'));
  return editor;
}
