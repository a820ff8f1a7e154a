import { absent, type ChangedBy, type FileState, type Link } from '../../core/changes';
import { keyBelow, keyPath, uriKey, type FileKey, type SessionFolder } from '../../core/fileKey';
import type { CommandCapture } from '../agentCommands';
import type { CopyKeeper } from '../ports';
import { mapBounded } from '../store/parallel';
import { CopyBudget, copyLimits, keptBytes, type Copies, type CopyLimits } from './copies';
import { changedIgnored, changedPaths, toLinks, type Changed } from './difference';
import type { LookKeeper, SavedLook } from './savedLook';
import type { GitObject, LookOptions, Tree, TreeEntry, TreeLook } from './tree';

export interface CapturePorts {
  readonly tree: Tree;
  readonly copies: Copies;
  readonly now: () => number;
  /** Patterns people hide in a folder. */
  readonly excludes: (folder: string) => readonly string[];
  /** Files of the folders with unsaved text. */
  readonly unsaved?: (folders: readonly SessionFolder[]) => readonly FileKey[];
  /** Other limits than the product's. */
  readonly limits?: CopyLimits;
  /** Two looks so far apart, in milliseconds, that show the same mean that nothing writes any more. */
  readonly settleMs?: number;
}

/** One folder as it was when the capture began or last recorded. */
interface Watched {
  readonly folder: string;
  readonly entries: Map<string, TreeEntry>;
  ignored: ReadonlyMap<string, TreeEntry>;
  readonly objects: Map<string, GitObject>;
  readonly states: Map<string, FileState>;
}

const together = 32;
const settleMs = 150;
/** A process that never stops writing is waited for only so long. */
const settleLooks = 12;
/** No more ignored paths are named one by one. */
const namedIgnored = 50;
const objectsAtOnce = 200;

/** Watches the folders of a session from before a command on. */
export class FolderCapture implements CommandCapture {
  readonly #watched: Watched[] = [];
  #told: Promise<void> = Promise.resolve();
  /** Another session's command ran at the same time. */
  shared = false;

  constructor(
    private readonly ports: CapturePorts,
    readonly sessionId: string,
    private readonly folders: readonly SessionFolder[],
    private readonly adopt: (links: readonly Link[]) => Promise<void>,
    private readonly copies: CopyKeeper,
    private readonly keeper: LookKeeper,
    private readonly onEnd: () => void,
  ) {}

  /** Looks at the folders and copies what is kept nowhere else. */
  begin(signal: AbortSignal, onProgress: (done: number, all: number) => void): Promise<void> {
    const begun = this.lookAtAll(signal, onProgress);
    // What is told meanwhile is looked at once there is something to compare it with.
    this.#told = begun.catch(() => undefined);
    return begun;
  }

  private async lookAtAll(
    signal: AbortSignal,
    onProgress: (done: number, all: number) => void,
  ): Promise<void> {
    for (const { uri } of [...this.folders].sort((a, b) => a.uri.length - b.uri.length)) {
      if (this.#watched.some((other) => this.pathIn(other, uri) !== undefined)) continue;
      const look = await this.look(uri, { signal });
      if (look === undefined) continue;
      this.#watched.push({
        folder: uri,
        entries: new Map(look.entries),
        ignored: look.ignored,
        objects: new Map(look.objects),
        states: new Map(),
      });
    }
    await this.copyAll(signal, onProgress);
    await this.keeper.save(this.#watched);
  }

  /**
   * Records what a command changed that ended with the process that ran it. What was written after `until`, in
   * milliseconds since the epoch, or by somebody else meanwhile, was done by hand.
   */
  async resume({ folders, told }: SavedLook, until: number): Promise<void> {
    for (const { folder, entries, ignored, objects, states } of folders) {
      if (!this.folders.some(({ uri }) => uri === folder)) continue;
      const watched: Watched = {
        ...{ folder, ignored, entries: new Map(entries) },
        ...{ objects: new Map(objects), states: new Map(states) },
      };
      this.#watched.push(watched);
      const others = new Set([...told].flatMap((uri) => this.pathIn(watched, uri, true) ?? []));
      const look = await this.look(folder, { since: watched });
      if (look === undefined) throw new Error(`${folder} cannot be looked at`);
      await this.recordFolder(watched, look, (path) => {
        const mtime = look.entries.get(path)?.mtime ?? 0;
        return mtime > until || others.has(path) ? 'hand' : 'command';
      });
    }
  }

  async record(more: boolean): Promise<void> {
    await this.#told;
    for (const watched of this.#watched) {
      const look = await this.settledLook(watched, more);
      if (look !== undefined) await this.recordFolder(watched, look);
    }
  }

  async end(): Promise<void> {
    this.onEnd();
    await this.keeper.drop();
  }

  /** Somebody else wrote here: that is not the command's. */
  told(uri: string): void {
    const turn = async (): Promise<void> => {
      for (const watched of this.#watched) {
        const path = this.pathIn(watched, uri, true);
        if (path === undefined) continue;
        await this.takeAsIs(watched, path);
        await this.keeper.tell(uri);
      }
    };
    this.#told = this.#told.then(turn, turn);
  }

  private async takeAsIs(watched: Watched, path: string): Promise<void> {
    const segments = path.split('/');
    for (let depth = 1; depth < segments.length; depth++) {
      const parent = segments.slice(0, depth).join('/');
      if (watched.ignored.has(parent)) return;
      const entry = await this.ports.tree.entry(watched.folder, parent);
      if (entry !== undefined && !watched.entries.has(parent)) watched.entries.set(parent, entry);
    }
    const entry = await this.ports.tree.entry(watched.folder, path);
    watched.objects.delete(path);
    watched.states.delete(path);
    if (watched.ignored.has(path)) {
      const ignored = new Map(watched.ignored);
      if (entry === undefined) ignored.delete(path);
      else ignored.set(path, entry);
      watched.ignored = ignored;
    } else if (entry === undefined) {
      watched.entries.delete(path);
    } else {
      watched.entries.set(path, entry);
      watched.states.set(path, await this.keepAfter(watched.folder, path, entry, this.budget()));
    }
  }

  private async look(
    folder: string,
    options: Omit<LookOptions, 'excludes'>,
  ): Promise<TreeLook | undefined> {
    const { tree, excludes } = this.ports;
    const look = await tree.look(folder, { excludes: excludes(folder), ...options });
    return typeof look === 'string' ? undefined : look;
  }

  /** Looks until two looks are the same, where something may still write. */
  private async settledLook(watched: Watched, more: boolean): Promise<TreeLook | undefined> {
    let look = await this.look(watched.folder, { since: watched });
    for (let looks = 0; more && look !== undefined && looks < settleLooks; looks++) {
      await new Promise((resolve) => setTimeout(resolve, this.ports.settleMs ?? settleMs));
      const next = await this.look(watched.folder, { since: watched });
      const settled = next !== undefined && changedPaths(look.entries, next.entries).length === 0;
      look = next;
      if (settled) break;
    }
    return look;
  }

  private async copyAll(
    signal: AbortSignal,
    onProgress: (done: number, all: number) => void,
  ): Promise<void> {
    const budget = new CopyBudget(this.ports.limits ?? copyLimits, this.ports.now);
    const files = this.#watched.flatMap((watched) =>
      [...watched.entries]
        .filter(([path, { kind }]) => kind !== 'folder' && !watched.objects.has(path))
        .map(([path, entry]) => ({ watched, path, entry })),
    );
    let done = 0;
    await mapBounded(
      files,
      async ({ watched, path, entry }) => {
        if (signal.aborted) return;
        const state = await this.ports.copies.keep(
          watched.folder,
          path,
          entry,
          budget,
          this.copies,
        );
        watched.states.set(path, state);
        onProgress(++done, files.length);
      },
      together,
    );
  }

  private budget(): CopyBudget {
    const limits = { ...copyLimits, ...this.ports.limits, milliseconds: Infinity };
    return new CopyBudget({ ...limits, fileBytes: keptBytes }, this.ports.now);
  }

  private keepAfter(
    folder: string,
    path: string,
    entry: TreeEntry,
    budget: CopyBudget,
  ): Promise<FileState> {
    return this.ports.copies.keep(folder, path, entry, budget, this.copies);
  }

  private async recordFolder(
    watched: Watched,
    look: TreeLook,
    byWhom: (path: string) => ChangedBy = () => 'command',
  ): Promise<void> {
    const paths = changedPaths(watched.entries, look.entries);
    const befores = await this.befores(watched, paths);
    const budget = this.budget();
    const changes = await mapBounded(
      paths,
      async (path): Promise<Changed> => {
        const entry = look.entries.get(path);
        const after =
          entry === undefined ? absent : await this.keepAfter(watched.folder, path, entry, budget);
        return { path, before: befores.get(path) ?? absent, after, by: byWhom(path) };
      },
      together,
    );
    const keyOf = (path: string): string => keyBelow(this.folders, watched.folder, path);
    const links = toLinks([...changes, ...this.ignoredChanges(watched, look)], keyOf, this.shared);
    for (const { path, after } of changes) {
      const entry = look.entries.get(path);
      watched.objects.delete(path);
      watched.states.set(path, after);
      if (entry === undefined) watched.entries.delete(path);
      else watched.entries.set(path, entry);
    }
    watched.ignored = look.ignored;
    if (links.length > 0) await this.adopt(links);
  }

  private async befores(
    watched: Watched,
    paths: readonly string[],
  ): Promise<ReadonlyMap<string, FileState>> {
    const states = new Map<string, FileState>();
    const inGit: { path: string; entry: TreeEntry; object: GitObject }[] = [];
    for (const path of paths) {
      const entry = watched.entries.get(path);
      const object = watched.objects.get(path);
      if (entry === undefined) continue;
      if (object !== undefined) inGit.push({ path, entry, object });
      else if (entry.kind === 'folder') states.set(path, { kind: 'folder' });
      else
        states.set(
          path,
          watched.states.get(path) ?? { kind: 'uncovered', reason: 'not copied yet' },
        );
    }
    for (let at = 0; at < inGit.length; at += objectsAtOnce) {
      const some = inGit.slice(at, at + objectsAtOnce);
      const objects = some.map(({ object }) => object);
      const found = await this.ports.tree.readObjects(objects, keptBytes);
      await mapBounded(some, async ({ path, entry, object }) => {
        states.set(path, await this.fromGit(entry, found.get(object.id)));
      });
    }
    return states;
  }

  private async fromGit(
    { size, mode }: TreeEntry,
    bytes: Uint8Array | undefined,
  ): Promise<FileState> {
    if (size > keptBytes) return { kind: 'uncovered', reason: 'too large', size };
    // What is not as long as the file was is not what it held.
    if (bytes?.length !== size) return { kind: 'uncovered', reason: 'unreadable', size };
    const kept = await this.copies.keep(bytes);
    if (kept === undefined) return { kind: 'uncovered', reason: 'storage full', size };
    return { kind: 'file', hash: kept.hash, size, ...(mode !== undefined && { mode }) };
  }

  private ignoredChanges(watched: Watched, look: TreeLook): Changed[] {
    const lost: FileState = { kind: 'uncovered', reason: 'ignored by a command' };
    const stateIn = (entries: ReadonlyMap<string, TreeEntry>, path: string): FileState =>
      entries.has(path) ? lost : absent;
    return changedIgnored(watched.ignored, look.ignored)
      .slice(0, namedIgnored)
      .map((path) => ({
        path,
        before: stateIn(watched.ignored, path),
        after: stateIn(look.ignored, path),
        by: 'command',
      }));
  }

  /** Returns the path of a URI below a folder; `ignoredToo` also where nothing there is looked at. */
  private pathIn(watched: Watched, uri: string, ignoredToo = false): string | undefined {
    const name = { id: 'f0', uri: watched.folder, name: '' };
    const path = keyPath(uriKey([name], uri))?.path;
    return path !== undefined && (ignoredToo || watched.entries.has(path)) ? path : undefined;
  }
}
