import * as vscode from 'vscode';
import { keyLabel, keyUri, uriKey } from '../../core/fileKey';
import type { FileKey, SessionFolder } from '../../core/fileKey';
import type { WorkspaceFinder } from '../../engine/agentFiles';
import { FsError, ToolError } from '../../engine/ports';
import type { FileSystem, SearchHit } from '../../engine/ports';
import { IgnoreRules } from '../../core/ignoreRules';
import { matcher, searchText } from './searchText';
import { vscodeFileSystem } from './vscodeFileSystem';

/** Beyond these an answer says that it is not all. */
const limits = {
  entries: 1_000,
  files: 20_000,
  ignoreFiles: 500,
  hits: 200,
  fileBytes: 1_000_000,
  milliseconds: 20_000,
  width: 16,
};

/** Returns the finder of a session; its folders are asked for at each call, since they can move. */
export function workspaceFinder(
  session: { readonly info: { readonly folders: readonly SessionFolder[] } },
  leaves: (uri: string) => Promise<boolean>,
): WorkspaceFinder {
  return new SessionFinder(vscodeFileSystem, () => session.info.folders, leaves);
}

/** Lists folders and searches files of a session. Opens nothing. */
class SessionFinder implements WorkspaceFinder {
  readonly #files: FileSystem;
  readonly #folders: () => readonly SessionFolder[];

  /** Says whether a path inside a folder leads out of it through a link. */
  readonly #leaves: (uri: string) => Promise<boolean>;

  constructor(
    files: FileSystem,
    folders: () => readonly SessionFolder[],
    leaves: (uri: string) => Promise<boolean>,
  ) {
    this.#files = files;
    this.#folders = folders;
    this.#leaves = leaves;
  }

  async list(
    path: FileKey | SessionFolder,
    signal: AbortSignal,
  ): Promise<{ entries: readonly string[]; truncated: boolean }> {
    const uri = typeof path === 'string' ? this.#uriOf(path) : path.uri;
    signal.throwIfAborted();
    const entries = await told(this.#files.list(uri));
    const names = entries.map(([name, kind]) => (kind === 'folder' ? `${name}/` : name)).sort();
    return { entries: names.slice(0, limits.entries), truncated: names.length > limits.entries };
  }

  async search(
    query: { readonly pattern: string; readonly isRegExp: boolean; readonly within?: FileKey },
    signal: AbortSignal,
  ): Promise<{ readonly hits: readonly SearchHit[]; readonly truncated: boolean }> {
    const matches = matcher(query.pattern, query.isRegExp);
    const until = Date.now() + limits.milliseconds;
    const found = await this.#candidates(query.within, signal);
    let { truncated } = found;
    // Leave was given for a place that is looked through by name; nobody was asked about what links in it lead to.
    const within = query.within === undefined ? undefined : this.#uriOf(query.within);
    const outsideToo = within !== undefined && (await this.#leaves(within));
    const hits: SearchHit[] = [];
    for (let at = 0; at < found.uris.length; at += limits.width) {
      signal.throwIfAborted();
      if (hits.length >= limits.hits || Date.now() > until) {
        truncated = true;
        break;
      }
      const some = found.uris.slice(at, at + limits.width);
      const results = await Promise.all(
        some.map((uri) => this.#searchFile(uri, matches, outsideToo)),
      );
      hits.push(...results.flat());
    }
    return {
      hits: hits.slice(0, limits.hits),
      truncated: truncated || hits.length > limits.hits,
    };
  }

  async #searchFile(
    uri: string,
    matches: (line: string) => boolean,
    outsideToo: boolean,
  ): Promise<SearchHit[]> {
    const label = keyLabel(this.#folders(), uriKey(this.#folders(), uri));
    const text = await this.#textOf(uri);
    if (text === undefined) return [];
    const hits = searchText(text, matches, limits.hits + 1).map((hit) => ({ label, ...hit }));
    return hits.length > 0 && !outsideToo && (await this.#leaves(uri)) ? [] : hits;
  }

  /** Returns a file's text, unsaved text first; undefined for what is no text, too large, or just went away. */
  async #textOf(uri: string): Promise<string | undefined> {
    const dirty = vscode.workspace.textDocuments.find(
      (document) => document.isDirty && document.uri.toString() === uri,
    );
    if (dirty !== undefined) return dirty.getText();
    try {
      const stat = await this.#files.stat(uri);
      if (stat.kind !== 'file' || stat.size > limits.fileBytes) return undefined;
      const bytes = await this.#files.read(uri);
      const isUtf16 =
        (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
      if (!isUtf16 && bytes.subarray(0, 8_192).includes(0)) return undefined;
      return await vscode.workspace.decode(bytes, { uri: vscode.Uri.parse(uri, true) });
    } catch {
      // A search goes on past what cannot be read.
      return undefined;
    }
  }

  async #candidates(
    within: FileKey | undefined,
    signal: AbortSignal,
  ): Promise<{ readonly uris: readonly string[]; readonly truncated: boolean }> {
    if (within === undefined) {
      const all: { uris: readonly string[]; truncated: boolean }[] = [];
      for (const folder of this.#folders()) {
        all.push(await this.#filesIn(folder.uri, folder.uri, signal));
      }
      return {
        uris: all.flatMap((one) => one.uris),
        truncated: all.some((one) => one.truncated),
      };
    }
    const uri = this.#uriOf(within);
    if ((await told(this.#files.stat(uri))).kind !== 'folder') {
      return { uris: [uri], truncated: false };
    }
    const folder = this.#folders().find((one) => uri.startsWith(`${one.uri}/`));
    return this.#filesIn(folder?.uri ?? uri, uri, signal);
  }

  /** Returns the files below `start`, as the ignore files from `root` down leave them. */
  async #filesIn(
    root: string,
    start: string,
    signal: AbortSignal,
  ): Promise<{ readonly uris: readonly string[]; readonly truncated: boolean }> {
    const rootUri = vscode.Uri.parse(root, true);
    const startUri = vscode.Uri.parse(start, true);
    const rules = await ignoreRules(rootUri, (uri) => this.#textOf(uri), signal);
    const found = await findFiles(startUri, '**/*', excludes(startUri), limits.files + 1, signal);
    const kept = found
      .slice(0, limits.files)
      .filter((uri) => !rules.ignores(relativePath(rootUri, uri)));
    return {
      uris: kept.map((uri) => uri.toString()).sort(),
      truncated: found.length > limits.files,
    };
  }

  #uriOf(key: FileKey): string {
    const uri = keyUri(this.#folders(), key);
    if (uri === undefined) throw new ToolError('Its folder is not part of this session.');
    return uri;
  }
}

/** Reads what the ignore files of a folder and those below it say. */
export async function ignoreRules(
  root: vscode.Uri,
  textOf: (uri: string) => Promise<string | undefined>,
  signal: AbortSignal,
): Promise<IgnoreRules> {
  const rules = new IgnoreRules();
  const pattern = '**/{.gitignore,.ignore}';
  const found = await findFiles(root, pattern, excludes(root), limits.ignoreFiles, signal);
  // In one folder `.ignore` comes after `.gitignore`, so that it wins, as in ripgrep.
  found.sort((a, b) => Number(a.path.endsWith('/.ignore')) - Number(b.path.endsWith('/.ignore')));
  for (const uri of found) {
    const text = await textOf(uri.toString());
    const path = relativePath(root, uri);
    rules.add(path.slice(0, Math.max(0, path.lastIndexOf('/'))), text ?? '');
  }
  return rules;
}

/** `findFiles` below a folder, ended by a signal, which then throws. */
export async function findFiles(
  base: vscode.Uri,
  pattern: string,
  exclude: string | null,
  most: number,
  signal: AbortSignal,
): Promise<vscode.Uri[]> {
  signal.throwIfAborted();
  const cancel = new vscode.CancellationTokenSource();
  const stop = (): void => cancel.cancel();
  signal.addEventListener('abort', stop);
  try {
    const where = new vscode.RelativePattern(base, pattern);
    return await vscode.workspace.findFiles(where, exclude, most, cancel.token);
  } finally {
    signal.removeEventListener('abort', stop);
    cancel.dispose();
    signal.throwIfAborted();
  }
}

/** What people keep out of searches, as one glob; `findFiles` itself knows `files.exclude` only. */
export function excludes(scope: vscode.Uri): string | null {
  const globs = new Set(['**/.git']);
  for (const section of ['files', 'search']) {
    const setting: unknown = vscode.workspace.getConfiguration(section, scope).get('exclude');
    if (typeof setting !== 'object' || setting === null) continue;
    for (const [glob, on] of Object.entries(setting)) if (on === true) globs.add(glob);
  }
  return `{${[...globs].flatMap((glob) => [glob, `${glob}/**`]).join(',')}}`;
}

/** Returns the path of a URI below a folder. */
export function relativePath(root: vscode.Uri, uri: vscode.Uri): string {
  return uri.path.slice(root.path.length).replace(/^\//u, '');
}

async function told<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof FsError)) throw error;
    throw new ToolError(
      error.code === 'not found'
        ? 'There is no such folder or file.'
        : `It cannot be read: ${error.code}.`,
    );
  }
}
