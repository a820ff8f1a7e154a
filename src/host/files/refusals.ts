import * as vscode from 'vscode';
import { isUnderGit } from '../../core/laxPath';
import type { FileSystem } from '../../engine/ports';
import { isNothing } from './fsErrors';
import { openEditors } from './openEditors';
import type { NodePowers } from './powers';

/** Why nothing may be written at a place at all, whatever stands there. */
export function refusalOfPlace(uri: vscode.Uri): string | undefined {
  if (!vscode.workspace.isTrusted) return vscode.l10n.t('This workspace is not trusted.');
  if (isUnderGit(uri.path)) {
    return vscode.l10n.t('Nothing under .git is touched.');
  }
  if (vscode.workspace.fs.isWritableFileSystem(uri.scheme) === false) {
    return vscode.l10n.t('The file system is read-only.');
  }
  const unreadable = openEditors(uri).unreadable;
  if (unreadable === 'notebook') {
    return vscode.l10n.t('The notebook has unsaved changes; save it first.');
  }
  if (unreadable === 'editor') {
    return vscode.l10n.t('Its editor has unsaved changes that cannot be read; save it first.');
  }
  return undefined;
}

/** Why what stands at a place must not be written: it is marked read-only. */
export async function refusalOfFile(
  files: FileSystem,
  powers: NodePowers | undefined,
  uri: vscode.Uri,
): Promise<string | undefined> {
  return (await isReadonly(files, powers, uri.toString()))
    ? vscode.l10n.t('The file is read-only.')
    : undefined;
}

async function isReadonly(
  files: FileSystem,
  powers: NodePowers | undefined,
  uri: string,
): Promise<boolean> {
  // Asked of the mode, not of the system: root may write what its owner meant to keep.
  if (powers?.handles(uri) === true) {
    const mode = await powers.modes.get(uri);
    return mode !== undefined && (mode & 0o222) === 0;
  }
  try {
    return (await files.stat(uri)).readonly;
  } catch (error) {
    if (isNothing(error)) return false;
    throw error;
  }
}

/** Where a path of a workspace folder really leads. */
type RealPlace = 'inside' | 'outside' | 'not open' | 'cannot be seen' | 'under .git';

/** Follows the links of a path. Where real places cannot be seen, any link on the way is one that might leave. */
async function realPlace(
  files: FileSystem,
  powers: NodePowers | undefined,
  uri: vscode.Uri,
): Promise<RealPlace> {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (folder === undefined) return 'not open';
  const real = await followed(powers, uri);
  if (real === undefined)
    return (await linkOnTheWay(files, folder.uri, uri)) ? 'cannot be seen' : 'inside';
  if (real.root === undefined) return 'outside';
  return isUnderGit(vscode.Uri.parse(real.uri).path) ? 'under .git' : 'inside';
}

/** Follows the links of a URI, and says which workspace folder it then lies in; undefined where that cannot be seen. */
async function followed(
  powers: NodePowers | undefined,
  uri: vscode.Uri,
): Promise<{ readonly uri: string; readonly root: string | undefined } | undefined> {
  if (powers?.handles(uri.toString()) !== true) return undefined;
  const folders = vscode.workspace.workspaceFolders ?? [];
  const [real, ...roots] = await Promise.all([
    powers.realPath(uri.toString()),
    ...folders.map((folder) => realRoot(powers, folder.uri.toString())),
  ]);
  if (real === undefined) return undefined;
  return { uri: real, root: roots.find((root) => root !== undefined && isInside(real, root)) };
}

/** Why a path that should lie in a workspace folder must not be written: a link leads out of it. */
export async function refusalOfRealPlace(
  files: FileSystem,
  powers: NodePowers | undefined,
  uri: vscode.Uri,
): Promise<string | undefined> {
  switch (await realPlace(files, powers, uri)) {
    case 'inside':
      return undefined;
    case 'outside':
      return vscode.l10n.t('A link leads to a place outside the workspace.');
    case 'not open':
      return vscode.l10n.t('Its folder is not open in this window.');
    case 'cannot be seen':
      return vscode.l10n.t('The path goes through a link whose target cannot be seen here.');
    case 'under .git':
      return vscode.l10n.t('Nothing under .git is touched.');
  }
}

/** Says whether what is read at a path of the workspace lies outside it, or might. */
export async function leavesWorkspace(
  files: FileSystem,
  powers: NodePowers | undefined,
  uri: vscode.Uri,
): Promise<boolean> {
  const place = await realPlace(files, powers, uri);
  return place !== 'inside' && place !== 'under .git';
}

/** Returns the path below a workspace folder that a URI really leads to, links followed; undefined where that cannot be seen. */
export async function realPathInWorkspace(
  powers: NodePowers | undefined,
  uri: vscode.Uri,
): Promise<string | undefined> {
  const real = await followed(powers, uri);
  if (real?.root === undefined) return undefined;
  return vscode.Uri.parse(real.uri).path.slice(vscode.Uri.parse(real.root).path.length + 1);
}

/** Why a link must not be made or removed: the folder it stands in is not one of the workspace. */
export async function refusalOfLink(
  files: FileSystem,
  powers: NodePowers,
  uri: vscode.Uri,
): Promise<string | undefined> {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  const parent = vscode.Uri.joinPath(uri, '..');
  // In the workspace folder itself there is no way to it that could lead elsewhere.
  if (folder !== undefined && folder.uri.toString() === parent.toString()) return undefined;
  return refusalOfRealPlace(files, powers, parent);
}

/** Where the workspace folders really are, for the files of one move: an old answer can only refuse too much. */
const rootsSeen = new Map<
  string,
  { readonly at: number; readonly real: Promise<string | undefined> }
>();
const rootsStay = 1_000;

function realRoot(powers: NodePowers, root: string): Promise<string | undefined> {
  const seen = rootsSeen.get(root);
  if (seen !== undefined && Date.now() - seen.at < rootsStay) return seen.real;
  const real = powers.realPath(root);
  rootsSeen.set(root, { at: Date.now(), real });
  return real;
}

function isInside(uri: string, folder: string): boolean {
  return uri.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

async function linkOnTheWay(
  files: FileSystem,
  folder: vscode.Uri,
  uri: vscode.Uri,
): Promise<boolean> {
  const below = uri.path.slice(folder.path.length).split('/').filter(Boolean);
  const places = below.map((_, index) =>
    vscode.Uri.joinPath(folder, ...below.slice(0, index + 1)).toString(),
  );
  const links = await Promise.all(
    places.map(async (place) => {
      try {
        return (await files.stat(place)).link;
      } catch (error) {
        if (isNothing(error)) return false;
        throw error;
      }
    }),
  );
  return links.includes(true);
}
