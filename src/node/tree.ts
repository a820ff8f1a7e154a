import {
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  type Dirent,
  type Stats,
} from 'node:fs';
import { lstat, readFile, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { IgnoreRules } from '../core/ignoreRules';
import type {
  GitObject,
  LookOptions,
  Tree,
  TreeEntry,
  TreeLook,
  Unwatched,
} from '../engine/capture/tree';
import { readGitObjects, viewGit, type GitView } from './git';

/** A tree with more than this in it takes seconds to look at, before and after every command. */
const mostEntries = 200_000;
/** The window answers again after so many milliseconds of looking. */
const slice = 8;

/** Makes the {@link Tree} of this host's disk. */
export function createTree(): Tree {
  const views = new Map<string, GitView | undefined>();
  return {
    look: async (folder, options) => {
      if (!folder.startsWith('file:')) return 'not on this disk';
      const root = await realpath(fileURLToPath(folder));
      return tooWide(root) ? 'too wide' : new Looker(root, options, views).look();
    },
    entry: async (folder, path) => entryAt(join(fileURLToPath(folder), path)),
    async read(folder, path, most) {
      const file = join(fileURLToPath(folder), path);
      try {
        const stats = await lstat(file);
        if (!stats.isFile() || stats.size > most) return undefined;
        return new Uint8Array(await readFile(file));
      } catch {
        // Gone or not for us to read: either way there are no bytes.
        return undefined;
      }
    },
    async readObjects(objects, most) {
      const found = new Map<string, Uint8Array>();
      for (const repository of new Set(objects.map((object) => object.repository))) {
        const ids = objects.filter((one) => one.repository === repository).map(({ id }) => id);
        for (const [id, bytes] of await readGitObjects(repository, ids, most)) found.set(id, bytes);
      }
      return found;
    },
  };
}

/** Where a home folder or a whole disk is open, a command's changes are not looked for in all of it. */
function tooWide(root: string): boolean {
  const home = homedir();
  return (
    root === home ||
    home.startsWith(root.endsWith('/') ? root : `${root}/`) ||
    dirname(root) === root
  );
}

interface Place {
  readonly path: string;
  readonly repository: Repository;
}

/** One repository, or what is in none, with the rules that hold in it. */
interface Repository {
  /** The path of its top, with a slash, below the folder that is looked at. */
  readonly base: string;
  /** Where that is on disk. */
  readonly place: string;
  readonly prefix: string;
  readonly rules: IgnoreRules;
  readonly view: GitView | undefined;
  /** Folders that hold something tracked. */
  readonly folders: ReadonlySet<string>;
}

class Looker {
  readonly #entries = new Map<string, TreeEntry>();
  readonly #ignored = new Map<string, TreeEntry>();
  readonly #objects = new Map<string, GitObject>();
  #sliceStart = performance.now();

  constructor(
    private readonly root: string,
    private readonly options: LookOptions,
    /** What Git knew of each repository at the last first look. */
    private readonly views: Map<string, GitView | undefined>,
  ) {}

  async look(): Promise<TreeLook | Unwatched> {
    const places: Place[] = [{ path: '', repository: await this.repository('') }];
    for (let place = places.pop(); place !== undefined; place = places.pop()) {
      if (this.#entries.size > mostEntries) return 'too many files';
      await this.breathe();
      places.push(...(await this.folder(place)));
    }
    return { entries: this.#entries, ignored: this.#ignored, objects: this.#objects };
  }

  private async breathe(): Promise<void> {
    this.options.signal?.throwIfAborted();
    if (performance.now() - this.#sliceStart < slice) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.#sliceStart = performance.now();
  }

  private async folder({ path, repository: outer }: Place): Promise<Place[]> {
    const children = listFolder(join(this.root, path));
    const names = new Set(children.map(({ name }) => name));
    const nested = path !== '' && names.has('.git');
    const repository = nested ? await this.repository(`${path}/`) : outer;
    for (const name of ['.gitignore', ...(repository.view === undefined ? ['.ignore'] : [])]) {
      if (names.has(name)) this.addRules(repository, path, join(this.root, path, name));
    }
    const below: Place[] = [];
    for (const child of children) {
      if (child.name.toLowerCase() === '.git') continue;
      const childPath = path === '' ? child.name : `${path}/${child.name}`;
      const entry = entryAt(join(this.root, childPath));
      if (entry === undefined) continue;
      if (this.isIgnored(repository, childPath, entry.kind === 'folder')) {
        this.#ignored.set(childPath, entry);
        continue;
      }
      this.#entries.set(childPath, entry);
      if (entry.kind === 'folder') below.push({ path: childPath, repository });
      else this.addObject(repository, childPath, entry);
    }
    return below;
  }

  private isIgnored(repository: Repository, path: string, isFolder: boolean): boolean {
    const { since } = this.options;
    if (since?.entries.has(path) === true) return false;
    if (since?.ignored.has(path) === true) return true;
    const { base, view, folders, rules, prefix } = repository;
    const own = base === '' ? path : path.slice(base.length);
    if (isFolder ? folders.has(own) : view?.tracked.has(own) === true) return false;
    return isFolder ? rules.ignoresFolder(prefix + own) : rules.ignores(prefix + own);
  }

  private addObject({ base, place, view }: Repository, path: string, entry: TreeEntry): void {
    if (view === undefined || entry.kind !== 'file' || this.options.since !== undefined) return;
    const clean = view.clean.get(base === '' ? path : path.slice(base.length));
    if (clean === undefined || (clean.size !== undefined && clean.size !== entry.size)) return;
    this.#objects.set(path, { repository: place, id: clean.id });
  }

  private async repository(base: string): Promise<Repository> {
    const { since, excludes } = this.options;
    const rules = new IgnoreRules();
    const place = join(this.root, base);
    if (since === undefined || !this.views.has(place)) this.views.set(place, await viewGit(place));
    const view = this.views.get(place);
    rules.add('', excludes.join('\n'));
    const repository = {
      base,
      place,
      prefix: view?.prefix ?? '',
      rules,
      view,
      folders: foldersOf(view?.tracked ?? []),
    };
    for (const file of view?.excludeFiles ?? []) rules.add('', readText(file));
    // Ignore files above the folder hold in it too.
    for (let above = view?.prefix ?? ''; view !== undefined && above !== '';) {
      above = above.replace(/[^/]+\/$/u, '');
      rules.add(above.replace(/\/$/u, ''), readText(join(view.top, above, '.gitignore')));
    }
    return repository;
  }

  private addRules({ rules, base, prefix }: Repository, path: string, file: string): void {
    const own = path.length < base.length ? '' : path.slice(base.length);
    rules.add((prefix + own).replace(/\/$/u, ''), readText(file));
  }
}

function listFolder(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    // It went away, or is not for us to read: nothing in it is seen, before and after.
    return [];
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function entryAt(path: string): TreeEntry | undefined {
  try {
    const stats = lstatSync(path);
    const { size, mtimeMs: mtime, ctimeMs: ctime, ino: inode } = stats;
    const kind = kindOf(stats);
    return {
      kind,
      size,
      mtime,
      ctime,
      inode,
      ...(process.platform !== 'win32' && kind === 'file' && { mode: stats.mode & 0o777 }),
      ...(kind === 'symlink' && { target: readlinkSync(path) }),
    };
  } catch {
    return undefined;
  }
}

function kindOf(stats: Stats): TreeEntry['kind'] {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'folder';
  return stats.isSymbolicLink() ? 'symlink' : 'other';
}

function foldersOf(paths: Iterable<string>): Set<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const folder = path.slice(0, at);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return folders;
}
