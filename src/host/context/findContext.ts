import * as vscode from 'vscode';
import type { IgnoreRules } from '../../core/ignoreRules';
import type { OpenSession } from '../../engine/openSession';
import type { ContextItem } from '../../protocol/viewModel';
import { excludes, findFiles, ignoreRules, relativePath } from '../files/finder';
import { best, foldersAbove, globsOf } from './matching';

/** More is not shown, and not looked for. */
const limits = { shown: 12, found: 400, open: 8, milliseconds: 3_000, rulesStay: 15_000 };

type Kind = 'any' | 'file' | 'folder';

interface Root {
  readonly uri: vscode.Uri;
  /** In front of paths where there are several folders. */
  readonly name: string;
}

const knownRules = new Map<string, { readonly at: number; readonly rules: Promise<IgnoreRules> }>();

/**
 * Finds files and folders that fit what was typed after `@`; for nothing typed, the files that are open. Bounded in number
 * and time; ignored files are left out. Ends, with nothing, when the signal fires.
 */
export async function findContext(
  { info: { folders } }: OpenSession,
  text: string,
  kind: Kind,
  signal: AbortSignal,
): Promise<readonly ContextItem[]> {
  const roots = folders.map(({ uri, name }) => ({
    uri: vscode.Uri.parse(uri, true),
    name: folders.length > 1 ? name : '',
  }));
  if (text === '') return kind === 'folder' ? topFolders(roots) : openFiles(roots);
  const within = AbortSignal.any([signal, AbortSignal.timeout(limits.milliseconds)]);
  const found = await Promise.all(
    roots.map((root) => inRoot(root, text, kind, within).catch(() => [])),
  );
  const open = kind === 'folder' ? [] : openFiles(roots);
  const items = new Map([...open, ...found.flat()].map((item) => [item.label, item]));
  const labels = best(text, items.keys(), limits.shown);
  return labels.flatMap((label) => items.get(label) ?? []);
}

async function inRoot(
  root: Root,
  text: string,
  kind: Kind,
  signal: AbortSignal,
): Promise<readonly ContextItem[]> {
  const globs = globsOf(text);
  const exclude = excludes(root.uri);
  const find = (glob: string): Promise<vscode.Uri[]> =>
    findFiles(root.uri, glob, exclude, limits.found, signal);
  const [rules, files, inFolders] = await Promise.all([
    rulesOf(root.uri),
    kind === 'folder' ? [] : find(globs.files),
    kind === 'file' ? [] : find(globs.inFolders),
  ]);
  const pathsOf = (uris: readonly vscode.Uri[]): string[] =>
    uris.map((uri) => relativePath(root.uri, uri)).filter((path) => !rules.ignores(path));
  return [
    ...pathsOf(files).map((path) => item(root, path, 'file')),
    ...[...foldersAbove(pathsOf(inFolders))].map((path) => item(root, path, 'folder')),
  ];
}

function item(root: Root, path: string, kind: 'file' | 'folder'): ContextItem {
  const label = root.name === '' ? path : `${root.name}/${path}`;
  const uri = vscode.Uri.joinPath(root.uri, ...path.split('/')).toString();
  return { kind, label, uri: kind === 'folder' ? `${uri}/` : uri };
}

/** Ignore files are read anew after a while: a list on the way to a choice may be a little old. */
function rulesOf(root: vscode.Uri): Promise<IgnoreRules> {
  const key = root.toString();
  const known = knownRules.get(key);
  if (known !== undefined && Date.now() - known.at < limits.rulesStay) return known.rules;
  const rules = ignoreRules(root, textOf, AbortSignal.timeout(limits.milliseconds));
  knownRules.set(key, { at: Date.now(), rules });
  rules.catch(() => knownRules.delete(key));
  return rules;
}

async function textOf(uri: string): Promise<string | undefined> {
  try {
    const bytes = await vscode.workspace.fs.readFile(vscode.Uri.parse(uri, true));
    return new TextDecoder().decode(bytes);
  } catch {
    // An ignore file that cannot be read ignores nothing.
    return undefined;
  }
}

function openFiles(roots: readonly Root[]): readonly ContextItem[] {
  const active = vscode.window.activeTextEditor?.document.uri;
  const tabs = vscode.window.tabGroups.all.flatMap(({ tabs: all }) =>
    all.flatMap(({ input }) => (input instanceof vscode.TabInputText ? input.uri : [])),
  );
  const uris = active === undefined ? tabs : [active, ...tabs];
  const items = uris.flatMap((uri) => {
    const root = roots.find((one) => uri.toString().startsWith(`${one.uri.toString()}/`));
    return root === undefined ? [] : item(root, relativePath(root.uri, uri), 'file');
  });
  return [...new Map(items.map((one) => [one.uri, one])).values()].slice(0, limits.open);
}

async function topFolders(roots: readonly Root[]): Promise<readonly ContextItem[]> {
  const all = await Promise.all(
    roots.map(async (root) => {
      const rules = await rulesOf(root.uri);
      const entries = await vscode.workspace.fs.readDirectory(root.uri);
      return entries
        .filter(([name, type]) => (type & vscode.FileType.Directory) !== 0 && name !== '.git')
        .filter(([name]) => !rules.ignoresFolder(name))
        .map(([name]) => item(root, name, 'folder'));
    }),
  );
  return all.flat().slice(0, limits.shown);
}
