// A session's files in a folder of their own for each test, and what the tests look at: bytes by Node's own fs.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { assert } from 'chai';
import * as vscode from 'vscode';
import type { SessionFolder } from '../../../src/core/fileKey';
import { vscodeFileSystem } from '../../../src/host/files/vscodeFileSystem';
import { FilesHub, SessionFiles } from '../../../src/host/files/workspaceFiles';
import { hostRuntime } from '../../../src/host/runtime';
import { createNodePowers } from '../../../src/node/main';

let count = 0;

export interface Place {
  readonly root: vscode.Uri;
  readonly files: SessionFiles;
  uri(name: string): vscode.Uri;
  path(name: string): string;
  key(name: string): string;
  put(name: string, content: string | Uint8Array): Promise<void>;
  bytes(name: string): Promise<Uint8Array | undefined>;
  /** Opens a file in an editor, beside the one that shows it already if `beside` is true. */
  open(name: string, beside?: boolean): Promise<vscode.TextEditor>;
}

export function workspaceRoot(): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0];
  assert.ok(folder);
  return folder.uri;
}

export async function makePlace(powers = true): Promise<Place> {
  count += 1;
  const root = vscode.Uri.joinPath(workspaceRoot(), `files-${count}`);
  await mkdir(root.fsPath, { recursive: true });
  const folder: SessionFolder = { id: 'f0', uri: root.toString(), name: 'files' };
  const hub = new FilesHub({
    files: vscodeFileSystem,
    runtime: hostRuntime,
    powers: powers ? createNodePowers() : undefined,
  });
  const uri = (name: string): vscode.Uri => vscode.Uri.joinPath(root, name);
  const path = (name: string): string => uri(name).fsPath;
  return {
    root,
    files: new SessionFiles(hub, () => [folder]),
    uri,
    path,
    key: (name) => `f0/${name}`,
    async put(name, content) {
      await mkdir(dirname(path(name)), { recursive: true });
      await writeFile(path(name), content);
    },
    bytes: (name) =>
      readFile(path(name)).then(
        (buffer) => new Uint8Array(buffer),
        () => undefined,
      ),
    async open(name, beside = false) {
      const document = await vscode.workspace.openTextDocument(uri(name));
      return vscode.window.showTextDocument(document, {
        preview: false,
        viewColumn: beside ? vscode.ViewColumn.Beside : vscode.ViewColumn.One,
      });
    },
  };
}

/** Closes every editor without keeping what is unsaved, and takes the folder away. */
export async function clearPlace(place: Place): Promise<void> {
  await closeEditors();
  await rm(place.root.fsPath, { recursive: true, force: true });
}

export async function closeEditors(): Promise<void> {
  for (const document of vscode.workspace.textDocuments) {
    if (!document.isDirty || document.isClosed) continue;
    await vscode.window.showTextDocument(document, { preview: false });
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}

export function bytesOf(...parts: readonly (string | readonly number[])[]): Uint8Array {
  return new Uint8Array(
    parts.flatMap((part) =>
      typeof part === 'string' ? [...new TextEncoder().encode(part)] : [...part],
    ),
  );
}

/** UTF-16 LE with its byte order mark. */
export function utf16(text: string): Uint8Array {
  const bytes = [0xff, 0xfe];
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    bytes.push(unit & 0xff, unit >> 8);
  }
  return new Uint8Array(bytes);
}

export function tabCount(): number {
  return vscode.window.tabGroups.all.reduce((sum, group) => sum + group.tabs.length, 0);
}

export async function setSettings(values: Readonly<Record<string, unknown>>): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    await vscode.workspace
      .getConfiguration()
      .update(name, value, vscode.ConfigurationTarget.Global);
  }
}

export async function eventually(check: () => boolean, milliseconds = 3_000): Promise<boolean> {
  const end = Date.now() + milliseconds;
  while (!check() && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
  return check();
}
