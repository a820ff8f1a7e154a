import * as vscode from 'vscode';
import { keyPath, uriKey, type FileKey, type SessionFolder } from '../core/fileKey';
import { Captures } from '../engine/capture/captures';
import { Copies } from '../engine/capture/copies';
import type { BlobStore } from '../engine/ports';
import type { CommandPower } from '../engine/turnRunner';
import type { NodeParts } from './loadNode';

/** What running commands takes here, and who has to be told of writes that are not theirs. */
export interface HostCommands {
  readonly power: CommandPower;
  readonly told: (uri: string) => void;
}

/** Makes commands run on a host with processes; what people write meanwhile in VS Code is told apart from theirs. */
export function hostCommands(
  node: NodeParts,
  context: vscode.ExtensionContext,
  blobs: BlobStore,
): HostCommands {
  const tree = node.createTree();
  const captures = new Captures(
    {
      tree,
      copies: new Copies(tree, blobs),
      now: () => Date.now(),
      excludes: hidden,
      unsaved: unsavedIn,
    },
    (message, ...args) => vscode.l10n.t(message, ...args),
  );
  const told = (uri: string): void => captures.told(uri);
  const all = (uris: readonly vscode.Uri[]): void => uris.forEach((uri) => told(uri.toString()));
  context.subscriptions.push(
    vscode.workspace.onDidSaveTextDocument(({ uri }) => told(uri.toString())),
    vscode.workspace.onDidSaveNotebookDocument(({ uri }) => told(uri.toString())),
    vscode.workspace.onDidCreateFiles(({ files }) => all(files)),
    vscode.workspace.onDidDeleteFiles(({ files }) => all(files)),
    vscode.workspace.onDidRenameFiles(({ files }) =>
      all(files.flatMap(({ oldUri, newUri }) => [oldUri, newUri])),
    ),
  );
  return {
    told,
    power: {
      shell: node.createShell(
        vscode.Uri.joinPath(context.extensionUri, 'dist', 'guard.js').toString(),
      ),
      watcherOf: (session, tracker, keeper) =>
        captures.watch({
          id: session.id,
          folders: () => session.info.folders,
          adopt: (links) => tracker.adopt(links),
          adoptCutOff: (links) => tracker.adopt(links, true),
          keeper,
          copies: tracker.copies,
          waiting: (text) => session.setWaiting(text),
        }),
    },
  };
}

function unsavedIn(folders: readonly SessionFolder[]): FileKey[] {
  return vscode.workspace.textDocuments
    .filter(({ isDirty, isClosed, isUntitled }) => isDirty && !isClosed && !isUntitled)
    .map(({ uri }) => uriKey(folders, uri.toString()))
    .filter((key) => keyPath(key) !== undefined);
}

/** What people hide in the Explorer, as patterns. */
function hidden(folder: string): string[] {
  const scope = vscode.Uri.parse(folder, true);
  const setting: unknown = vscode.workspace.getConfiguration('files', scope).get('exclude');
  if (typeof setting !== 'object' || setting === null) return [];
  return Object.entries(setting).flatMap(([glob, on]) => (on === true ? [glob] : []));
}
