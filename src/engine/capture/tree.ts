/** One thing in a folder, as a look sees it without reading it: equal signs mean that nothing was written. */
export interface TreeEntry {
  readonly kind: 'file' | 'folder' | 'symlink' | 'other';
  readonly size: number;
  /** Milliseconds since the epoch, as fine as the system tells. */
  readonly mtime: number;
  readonly ctime: number;
  readonly inode: number;
  /** Permission bits, where the system has them. */
  readonly mode?: number;
  /** Where a symbolic link points. */
  readonly target?: string;
}

/** Names bytes in the object store of a Git repository. */
export interface GitObject {
  readonly repository: string;
  readonly id: string;
}

/** Everything below a folder at one moment; paths are relative, `/`-separated, and never under a `.git`. */
export interface TreeLook {
  readonly entries: ReadonlyMap<string, TreeEntry>;
  /** Ignored files, and ignored folders by the topmost: nothing below them is looked at. */
  readonly ignored: ReadonlyMap<string, TreeEntry>;
  /** Files whose very bytes Git keeps already. */
  readonly objects: ReadonlyMap<string, GitObject>;
}

export interface LookOptions {
  /** The look before: what was seen then is never ignored now, what was ignored still is. */
  readonly since?: TreeLook;
  /** Glob patterns of what people hide. */
  readonly excludes: readonly string[];
  readonly signal?: AbortSignal;
}

/** Why a folder is not looked at. */
export type Unwatched = 'too wide' | 'too many files' | 'not on this disk';

/** Looks at folders of this host's disk. Writes nothing anywhere, least of all under a `.git`. */
export interface Tree {
  look(folder: string, options: LookOptions): Promise<TreeLook | Unwatched>;
  /** Looks at one thing; undefined where nothing is. */
  entry(folder: string, path: string): Promise<TreeEntry | undefined>;
  /** Reads a file that is no larger than `most`; undefined where it is gone or cannot be read. */
  read(folder: string, path: string, most: number): Promise<Uint8Array | undefined>;
  /** Reads objects; those that are gone or larger than `most` are missing in the answer. */
  readObjects(
    objects: readonly GitObject[],
    most: number,
  ): Promise<ReadonlyMap<string, Uint8Array>>;
}

/** Says whether nothing was written between two looks at one thing. */
export function sameEntry(a: TreeEntry, b: TreeEntry): boolean {
  if (a.kind !== b.kind || a.mode !== b.mode) return false;
  // A folder's times tell of what is in it, which is seen by itself.
  if (a.kind === 'folder') return true;
  return (
    a.size === b.size &&
    a.mtime === b.mtime &&
    a.ctime === b.ctime &&
    a.inode === b.inode &&
    a.target === b.target
  );
}
