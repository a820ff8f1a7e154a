// What the cases share, in every host alike.
import * as vscode from 'vscode';
import type { MoveResult } from '../../../src/host/commands/results';
import type { Folder } from '../kit';

/** Waits until a question is answered with something true, and returns that. */
export async function until<T>(ask: () => Promise<T | undefined | false>, tries = 400): Promise<T> {
  for (let left = tries; left > 0; left--) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    await sleep(25);
  }
  throw new Error('It did not happen.');
}

export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** When each of the files was last written; a file rewritten with the same bytes shows here. */
export async function writtenAt(folder: Folder, ...files: readonly string[]): Promise<number[]> {
  const stats = files.map(async (file) => (await vscode.workspace.fs.stat(folder.uri(file))).mtime);
  return Promise.all(stats);
}

/** The texts of files on disk, by name. */
export async function texts(
  folder: Folder,
  ...files: readonly string[]
): Promise<(string | undefined)[]> {
  return Promise.all(files.map((file) => folder.text(file)));
}

/** What a move did to each file of a folder, by its name there. */
export function outcomes(folder: Folder, { files }: MoveResult): Record<string, string> {
  const root = `${folder.uri('').toString().replace(/\/$/u, '')}/`;
  return Object.fromEntries(
    files.map(({ uri, outcome }) => [uri.startsWith(root) ? uri.slice(root.length) : uri, outcome]),
  );
}

export async function openInEditor(folder: Folder, file: string): Promise<vscode.TextEditor> {
  const document = await vscode.workspace.openTextDocument(folder.uri(file));
  return vscode.window.showTextDocument(document, { preview: false });
}

/** Closes every editor without keeping what is unsaved. */
export async function closeEditors(): Promise<void> {
  for (const document of vscode.workspace.textDocuments) {
    if (!document.isDirty || document.isClosed) continue;
    await vscode.window.showTextDocument(document, { preview: false });
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}
