import * as vscode from 'vscode';
import type { AttachedFile } from '../engine/attachedFiles';
import { excludes, findFiles, ignoreRules, relativePath } from './files/finder';

/** Above this a file is not read at all: the agent would cut it anyway, and an image of that size is refused by servers. */
const readLimit = 16 * 1024 * 1024;
/** More files of a folder are not named. */
const listLimit = 500;
const listMilliseconds = 5_000;

/** Reads a file a message names, unsaved text first, or lists a folder; undefined when it is gone or too large to be sent. */
export async function readAttachment(name: string): Promise<AttachedFile | undefined> {
  const uri = vscode.Uri.parse(name.replace(/(?<=[^/])\/+$/u, ''), true);
  const label = vscode.workspace.asRelativePath(uri);
  const open = vscode.workspace.textDocuments.find(
    (document) => document.isDirty && document.uri.toString() === uri.toString(),
  );
  if (open !== undefined)
    return { kind: 'file', label, bytes: new TextEncoder().encode(open.getText()) };
  const { type, size } = await vscode.workspace.fs.stat(uri);
  if ((type & vscode.FileType.Directory) !== 0) {
    return { kind: 'folder', label, bytes: new TextEncoder().encode(await listing(uri)) };
  }
  if ((type & vscode.FileType.File) === 0 || size > readLimit) return undefined;
  return { kind: 'file', label, bytes: await vscode.workspace.fs.readFile(uri) };
}

/** Names the files below a folder, a line each, without those that are ignored. */
async function listing(folder: vscode.Uri): Promise<string> {
  const root = vscode.workspace.getWorkspaceFolder(folder)?.uri ?? folder;
  const signal = AbortSignal.timeout(listMilliseconds);
  const [rules, found] = await Promise.all([
    ignoreRules(root, textOf, signal),
    findFiles(folder, '**/*', excludes(folder), listLimit + 1, signal),
  ]);
  const paths = found
    .filter((uri) => !rules.ignores(relativePath(root, uri)))
    .map((uri) => relativePath(folder, uri))
    .sort();
  const shown = paths.slice(0, listLimit);
  if (found.length > listLimit) shown.push('(There are more files.)');
  return shown.length === 0 ? '(There are no files.)' : shown.join('\n');
}

async function textOf(uri: string): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(
      await vscode.workspace.fs.readFile(vscode.Uri.parse(uri, true)),
    );
  } catch {
    // An ignore file that cannot be read ignores nothing.
    return undefined;
  }
}
