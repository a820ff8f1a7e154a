import * as vscode from 'vscode';
import type { FileSystem, FsKind, FsStat } from '../../engine/ports';
import { toFsError } from './fsErrors';

/** The {@link FileSystem} over `workspace.fs`: the same code on the desktop, in a remote and in a browser. */
export const vscodeFileSystem: FileSystem = {
  stat: (uri) =>
    call(uri, async (at) => {
      const stat = await vscode.workspace.fs.stat(at);
      return {
        ...kindOf(stat.type),
        size: stat.size,
        mtime: stat.mtime,
        readonly: ((stat.permissions ?? 0) & vscode.FilePermission.Readonly) !== 0,
      } satisfies FsStat;
    }),
  read: (uri) => call(uri, async (at) => vscode.workspace.fs.readFile(at)),
  write: (uri, bytes) => call(uri, async (at) => vscode.workspace.fs.writeFile(at, bytes)),
  rename: (from, to, overwrite) =>
    call(from, async (at) =>
      vscode.workspace.fs.rename(at, vscode.Uri.parse(to, true), { overwrite }),
    ),
  delete: (uri, recursive) =>
    call(uri, async (at) => vscode.workspace.fs.delete(at, { recursive, useTrash: false })),
  list: (uri) =>
    call(uri, async (at) => {
      const entries = await vscode.workspace.fs.readDirectory(at);
      return entries.map(([name, type]) => [name, kindOf(type).kind] as const);
    }),
  makeFolder: (uri) => call(uri, async (at) => vscode.workspace.fs.createDirectory(at)),
};

async function call<T>(uri: string, act: (at: vscode.Uri) => Promise<T>): Promise<T> {
  try {
    return await act(vscode.Uri.parse(uri, true));
  } catch (error) {
    throw toFsError(error, uri);
  }
}

/** A link carries the flag of what it points at beside its own; one that points at nothing carries only its own. */
function kindOf(type: vscode.FileType): { readonly kind: FsKind; readonly link: boolean } {
  const link = (type & vscode.FileType.SymbolicLink) !== 0;
  if ((type & vscode.FileType.File) !== 0) return { kind: 'file', link };
  if ((type & vscode.FileType.Directory) !== 0) return { kind: 'folder', link };
  return { kind: link ? 'symlink' : 'other', link };
}
