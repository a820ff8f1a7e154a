import * as vscode from 'vscode';
import type { Attachment } from '../core/node';
import { errorText, RetraceError } from '../engine/errors';
import type { OpenSession } from '../engine/openSession';
import type { ChatOpener } from './chat/services';
import type { BlobFiles } from './blobFiles';
import { compareCode, insertCode } from './codeBlocks';
import type { Diffs } from './diffs';

/** What the chat has VS Code show. */
export function chatOpener(diffs: Diffs, blobFiles: BlobFiles): ChatOpener {
  return {
    openChange: (session, messageId, uri) => diffs.openChange(session, messageId, uri),
    openChanges: (session, messageId) => diffs.openChanges(session, messageId),
    compareFile: (planId, uri) => diffs.compareFile(planId, uri),
    compareAll: (planId) => diffs.compareAll(planId),
    openLink,
    attachFiles,
    insertCode,
    compareCode: (text) => compareCode(blobFiles, text),
    copy: async (text) => vscode.env.clipboard.writeText(text),
    openFolder: async () => vscode.commands.executeCommand('vscode.openFolder'),
    addModel: async () => {
      // Not waited for: people take their time with its questions.
      void vscode.commands
        .executeCommand('retrace.addModel')
        .then(undefined, (error: unknown) => vscode.window.showErrorMessage(errorText(error)));
    },
  };
}

/** Shows a file in a preview tab; `line` is one-based. Files without text open in the editor made for them. */
async function openFile(name: string, line?: number): Promise<void> {
  const uri = vscode.Uri.parse(name, true);
  const at = line === undefined ? undefined : new vscode.Position(Math.max(0, line - 1), 0);
  await vscode.commands.executeCommand('vscode.open', uri, {
    preview: true,
    ...(at && { selection: new vscode.Range(at, at) }),
  });
}

/** Follows web links and links to files of the session's folders; a model may write any other and none is followed. */
async function openLink(session: OpenSession, href: string): Promise<void> {
  if (/^https?:\/\//iu.test(href)) {
    await vscode.env.openExternal(vscode.Uri.parse(href, true));
    return;
  }
  const { uri, line } = await linkedFile(session, href);
  await openFile(uri.toString(), line);
}

async function linkedFile(
  session: OpenSession,
  href: string,
): Promise<{ readonly uri: vscode.Uri; readonly line?: number }> {
  const [, path, number] = /^(.*?)(?:(?:#L|:)(\d+).*)?$/su.exec(href) ?? [];
  for (const folder of session.info.folders) {
    const root = vscode.Uri.parse(folder.uri, true);
    const uri = inside(root, decoded(path ?? href));
    if (uri === undefined || !(await isFile(uri))) continue;
    return { uri, ...(number !== undefined && { line: Number(number) }) };
  }
  throw new RetraceError(
    'not_found',
    vscode.l10n.t('This link is neither a web address nor a file of the workspace: {0}', href),
  );
}

/** Returns the place in a folder a path names, or nothing when it leads out of it. */
function inside(root: vscode.Uri, path: string): vscode.Uri | undefined {
  const whole = /^[a-z][a-z0-9+.-]+:\/\//iu.test(path);
  if (!whole && /^[a-z][a-z0-9+.-]+:/iu.test(path)) return undefined;
  const uri = whole
    ? vscode.Uri.parse(path, true)
    : path.startsWith('/')
      ? root.with({ path })
      : vscode.Uri.joinPath(root, path);
  const top = root.path.endsWith('/') ? root.path : `${root.path}/`;
  const same = uri.scheme === root.scheme && uri.authority === root.authority;
  const climbs = uri.path.split('/').includes('..');
  return same && !climbs && uri.path.startsWith(top) ? uri : undefined;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

async function isFile(uri: vscode.Uri): Promise<boolean> {
  try {
    return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.File) !== 0;
  } catch {
    return false;
  }
}

async function attachFiles(session: OpenSession): Promise<readonly Attachment[]> {
  const [first] = session.info.folders;
  const chosen = await vscode.window.showOpenDialog({
    canSelectMany: true,
    title: vscode.l10n.t('Attach files to the message'),
    openLabel: vscode.l10n.t('Attach'),
    ...(first && { defaultUri: vscode.Uri.parse(first.uri, true) }),
  });
  return (chosen ?? []).map((uri) => ({ uri: uri.toString() }));
}
