import { sameContent } from '../core/changes';
import {
  folderKey,
  keyLabel,
  keyPath,
  keyUri,
  uriKey,
  type FileKey,
  type SessionFolder,
} from '../core/fileKey';
import { ancestors } from '../core/graph';
import type { BlobHash, NodeId } from '../core/ids';
import { seenIn } from '../core/seen';
import { reaches, type Mode } from '../core/mode';
import type { SessionState } from '../core/session';
import type { AgentCommands } from './agentCommands';
import type { ApprovalKind } from './approvals';
import type { FileTracker } from './fileTracker';
import { isGuarded } from './guardedPaths';
import { notebookProblem } from './notebookText';
import {
  ToolError,
  type AgentCommand,
  type AgentFile,
  type AgentWorkspace,
  type CommandResult,
  type CurrentFile,
  type FoundProblem,
  type SearchHit,
  type WorkspaceFiles,
} from './ports';

/** Finding things in a workspace; the host knows how. */
export interface WorkspaceFinder {
  list(
    path: FileKey | SessionFolder,
    signal: AbortSignal,
  ): Promise<{ entries: readonly string[]; truncated: boolean }>;
  search(
    query: { readonly pattern: string; readonly isRegExp: boolean; readonly within?: FileKey },
    signal: AbortSignal,
  ): Promise<{ readonly hits: readonly SearchHit[]; readonly truncated: boolean }>;
}

/** Finds what the editor reports for a file or for all; `open` has its language look at a file that is not open. */
export type FindProblems = (
  uri: string | undefined,
  open: boolean,
  signal: AbortSignal,
) => Promise<readonly FoundProblem[]>;

export interface AgentFilesPorts {
  readonly session: SessionState;
  readonly mode: Mode;
  readonly nodeId: NodeId;
  readonly files: WorkspaceFiles;
  readonly tracker: FileTracker;
  readonly finder: WorkspaceFinder;
  /** Says whether a path inside a folder leads out of it through a link. */
  readonly leaves: (uri: string) => Promise<boolean>;
  /** Returns the path below a folder that a URI really leads to, links followed, where that can be seen. */
  readonly realPath: (uri: string) => Promise<string | undefined>;
  readonly problems: FindProblems;
  readonly commands: AgentCommands;
  readonly signal: AbortSignal;
  /** Asks for leave; resolves to whether it was given. */
  readonly ask: (kind: ApprovalKind, detail: string, always?: boolean) => Promise<boolean>;
  /** What the agent saw of each file in this turn. */
  readonly seen: Map<FileKey, BlobHash>;
}

/** The workspace as one turn's tools see it: paths resolved, approvals asked, changes recorded, reads remembered. */
export class AgentFiles implements AgentWorkspace {
  constructor(private readonly ports: AgentFilesPorts) {}

  async resolve(path: string): Promise<AgentFile> {
    const { folders } = this.ports.session.info;
    // Half a character can be no name, and cannot be written into a URI.
    if (/\0|\p{Cs}/u.test(path) || path.trim() === '') throw new ToolError('A path is needed.');
    const slashed = path.replaceAll('\\', '/');
    if (/^[a-z][a-z0-9+.-]+:\/\//iu.test(slashed)) return this.named(keyOf(folders, slashed));
    const absolute = this.absolute(slashed);
    if (absolute !== undefined) return this.named(absolute);
    const named = folders.find((folder) => slashed.startsWith(`${folder.name}/`));
    const inNamed =
      named && folders.length > 1
        ? folderKey(named, slashed.slice(named.name.length + 1))
        : undefined;
    if (inNamed !== undefined) return this.named(inNamed);
    const keys = folders.flatMap((folder) => folderKey(folder, slashed) ?? []);
    if (keys.length === 0) {
      throw new ToolError(
        folders.length === 0
          ? 'No folder is open.'
          : `The path ${path} leaves the workspace or names its top folder.`,
      );
    }
    if (keys.length === 1 && keys[0] !== undefined) return this.named(keys[0]);
    return this.among(keys);
  }

  private absolute(path: string): FileKey | undefined {
    if (!path.startsWith('/') && !/^[a-z]:\//iu.test(path)) return undefined;
    const { folders } = this.ports.session.info;
    const first = folders[0]?.uri;
    const authority = /^([a-z][a-z0-9+.-]*:\/\/[^/]*)/iu.exec(first ?? '')?.[1] ?? 'file://';
    const encoded = path.split('/').map(encodeURIComponent).join('/');
    return keyOf(folders, `${authority}/${encoded.replace(/^\/+/u, '')}`);
  }

  private async among(keys: readonly FileKey[]): Promise<AgentFile> {
    const there: FileKey[] = [];
    for (const key of keys)
      if ((await this.ports.files.read(key)).state.kind !== 'absent') there.push(key);
    const [only] = there;
    if (there.length === 1 && only !== undefined) return this.named(only);
    const candidates = (there.length === 0 ? keys : there)
      .map((key) => this.named(key).label)
      .join(', ');
    throw new ToolError(`The path fits more than one workspace folder. Use one of: ${candidates}`);
  }

  private named(file: FileKey): AgentFile {
    return { file, label: keyLabel(this.ports.session.info.folders, file) };
  }

  async read(
    file: AgentFile,
    options?: { readonly unseen?: boolean },
  ): Promise<Uint8Array | undefined> {
    await this.allowReading(file, 'read');
    const now = await this.ports.files.read(file.file);
    switch (now.state.kind) {
      case 'absent':
        return undefined;
      case 'folder':
        throw new ToolError(`${file.label} is a folder.`);
      case 'uncovered':
        throw new ToolError(`${file.label} cannot be read: ${now.state.reason}.`);
      case 'symlink':
      case 'file':
        if (options?.unseen !== true) this.note(file.file, now);
        return now.bytes;
    }
  }

  async list(
    path: string,
  ): Promise<{ readonly entries: readonly string[]; readonly truncated: boolean }> {
    const { folders } = this.ports.session.info;
    const bare = path.replaceAll('\\', '/').replace(/^(?:\.?\/)+|\/+$/gu, '');
    if (bare === '' || bare === '.') {
      const [only] = folders;
      if (folders.length === 1 && only !== undefined)
        return this.ports.finder.list(only, this.ports.signal);
      return { entries: folders.map((folder) => `${folder.name}/`), truncated: false };
    }
    const folder =
      folders.length > 1 ? folders.find((candidate) => candidate.name === bare) : undefined;
    if (folder !== undefined) return this.ports.finder.list(folder, this.ports.signal);
    const found = await this.resolve(path);
    await this.allowReading(found, 'list');
    return this.ports.finder.list(found.file, this.ports.signal);
  }

  async search(query: {
    readonly pattern: string;
    readonly isRegExp: boolean;
    readonly path?: string;
  }): Promise<{ readonly hits: readonly SearchHit[]; readonly truncated: boolean }> {
    const within = query.path === undefined ? undefined : await this.resolve(query.path);
    if (within !== undefined) await this.allowReading(within, 'search');
    return this.ports.finder.search(
      { pattern: query.pattern, isRegExp: query.isRegExp, ...(within && { within: within.file }) },
      this.ports.signal,
    );
  }

  async write(file: AgentFile, bytes: Uint8Array): Promise<{ readonly created: boolean }> {
    this.within('edit');
    const problem = notebookProblem(file.label, bytes);
    if (problem !== undefined)
      throw new ToolError(`${file.label} would be no notebook any more: ${problem}.`);
    await this.allow('write', file);
    const result = await this.ports.tracker.write(file.file, bytes, (now) => this.gate(file, now));
    this.note(file.file, result.after);
    return { created: result.created };
  }

  async delete(file: AgentFile): Promise<void> {
    this.within('edit');
    await this.allow('delete', file);
    await this.ports.tracker.remove(file.file, (now) => {
      if (now.state.kind === 'absent') throw new ToolError(`There is no file ${file.label}.`);
      if (now.state.kind === 'folder')
        throw new ToolError(`${file.label} is a folder. Delete the files in it.`);
      if (now.state.kind === 'uncovered')
        throw new ToolError(`${file.label} cannot be kept: ${now.state.reason}.`);
    });
    this.ports.seen.delete(file.file);
  }

  async rename(from: AgentFile, to: AgentFile): Promise<void> {
    this.within('edit');
    await this.allow('write', from);
    await this.allow('write', to);
    await this.ports.tracker.rename(from.file, to.file, (now) => {
      if (now.state.kind === 'absent') throw new ToolError(`There is no file ${from.label}.`);
      if (now.state.kind !== 'file') throw new ToolError(`${from.label} is not a plain file.`);
    });
    const known = this.lastSeen(from.file);
    this.ports.seen.delete(from.file);
    if (known !== undefined) this.ports.seen.set(to.file, known);
  }

  async problems(file: AgentFile | undefined, which: 'errors' | 'all'): Promise<readonly string[]> {
    const { folders } = this.ports.session.info;
    if (file !== undefined && which === 'all') await this.allowReading(file, 'read');
    const uri = file === undefined ? undefined : (keyUri(folders, file.file) ?? file.file);
    const found = await this.ports.problems(uri, which === 'all', this.ports.signal);
    return found
      .flatMap((problem) => {
        const key = uriKey(folders, problem.uri);
        const inside = file !== undefined || keyPath(key) !== undefined;
        const counts = which === 'all' ? problem.severity !== 'note' : problem.severity === 'error';
        if (!inside || !counts) return [];
        const { line, severity, message } = problem;
        return [
          `${keyLabel(folders, key)}:${line} ${severity}: ${message.replaceAll(/\s+/gu, ' ').slice(0, 400)}`,
        ];
      })
      .sort((a, b) => Number(b.includes(' error: ')) - Number(a.includes(' error: ')));
  }

  async run(command: AgentCommand): Promise<CommandResult> {
    this.within('agent');
    return this.ports.commands.run(command, (path) => this.resolve(path));
  }

  private within(needed: Mode): void {
    if (!reaches(this.ports.mode, needed))
      throw new ToolError(`The mode "${this.ports.mode}" does not allow this.`, true);
  }

  /** An existing file is changed only when the agent saw exactly what it holds, on this branch. */
  private gate(file: AgentFile, now: CurrentFile): void {
    if (now.state.kind === 'absent') return;
    if (now.state.kind !== 'file') throw new ToolError(`${file.label} is not a plain file.`);
    const seen = this.lastSeen(file.file);
    if (seen === undefined)
      throw new ToolError(`Read ${file.label} first: it has not been read on this branch.`);
    if (!sameContent(now.state, { kind: 'file', hash: seen, size: 0 })) {
      throw new ToolError(`Read ${file.label} again: it changed since it was last read.`);
    }
  }

  private lastSeen(file: FileKey): BlobHash | undefined {
    const own = this.ports.seen.get(file);
    if (own !== undefined) return own;
    const before = ancestors(this.ports.session.nodes, this.ports.nodeId);
    for (let index = before.length - 1; index >= 0; index--) {
      const node = before[index];
      const hash =
        node?.role === 'assistant' && node.id !== this.ports.nodeId
          ? seenIn(node, file)
          : undefined;
      if (hash !== undefined) return hash;
    }
    return undefined;
  }

  private note(file: FileKey, now: CurrentFile): void {
    if (now.state.kind === 'file') this.ports.seen.set(file, now.state.hash);
  }

  private async allow(kind: 'write' | 'delete', file: AgentFile): Promise<void> {
    if (await this.allowOutside(file, kind)) return;
    const always =
      isGuarded(keyPath(file.file)?.path ?? file.file) || (await this.isLinkToGuarded(file));
    if (!(await this.ports.ask(kind, file.label, always))) {
      throw new ToolError(`The user did not allow to ${kind} ${file.label}.`, true);
    }
  }

  private async isLinkToGuarded({ file }: AgentFile): Promise<boolean> {
    const uri = keyUri(this.ports.session.info.folders, file);
    const real = uri === undefined ? undefined : await this.ports.realPath(uri);
    return real !== undefined && isGuarded(real);
  }

  /** What lies in a folder by its name and outside of it by a link is asked about like all that lies outside. */
  private async allowReading(file: AgentFile, what: string): Promise<void> {
    if (await this.allowOutside(file, what)) return;
    const uri = keyUri(this.ports.session.info.folders, file.file);
    if (uri !== undefined && (await this.ports.leaves(uri))) await this.askOutside(file, what);
  }

  /** Says whether the file lies outside every folder, after leave was given for it. */
  private async allowOutside(file: AgentFile, what: string): Promise<boolean> {
    return keyPath(file.file) === undefined && (await this.askOutside(file, what));
  }

  private async askOutside(file: AgentFile, what: string): Promise<true> {
    if (await this.ports.ask('outside', `${what} ${file.label}`)) return true;
    throw new ToolError(
      `The user did not allow to ${what} ${file.label}, which is outside the workspace.`,
      true,
    );
  }
}

function keyOf(folders: readonly SessionFolder[], uri: string): FileKey {
  try {
    if (!uri.includes('%00')) return uriKey(folders, uri);
  } catch {
    // It is no URI: said like one that names nothing.
  }
  throw new ToolError(`${uri} names no file.`);
}
