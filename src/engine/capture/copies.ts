import type { FileState } from '../../core/changes';
import type { BlobStore, CopyKeeper } from '../ports';
import { sameEntry, type Tree, type TreeEntry } from './tree';

/** How much is copied before one command at most. What is left over is copied before the next ones. */
export interface CopyLimits {
  readonly files: number;
  readonly bytes: number;
  readonly fileBytes: number;
  readonly milliseconds: number;
}

export const copyLimits: CopyLimits = {
  files: 20_000,
  bytes: 200_000_000,
  fileBytes: 5_000_000,
  milliseconds: 30_000,
};

/** Larger files are not kept after a command either; reading them would hold up the window. */
export const keptBytes = 64_000_000;

/** Counts down what may still be copied. */
export class CopyBudget {
  #files = 0;
  #bytes = 0;
  readonly #until: number;

  constructor(
    readonly limits: CopyLimits,
    private readonly now: () => number,
  ) {
    this.#until = now() + limits.milliseconds;
  }

  /** Says whether there is room for a file, and takes it. */
  take(size: number): boolean {
    const { files, bytes } = this.limits;
    if (this.#files >= files || this.#bytes + size > bytes || this.now() > this.#until)
      return false;
    this.#files += 1;
    this.#bytes += size;
    return true;
  }
}

/** Copies of files, each made once: a file that looks as it did then holds what it held then. */
export class Copies {
  readonly #known = new Map<string, { readonly entry: TreeEntry; readonly state: FileState }>();
  #generation: number | undefined;

  constructor(
    private readonly tree: Tree,
    private readonly blobs: Pick<BlobStore, 'generation' | 'hold'>,
  ) {}

  /** Returns what a file holds where that was copied, or where it needs no copy. */
  known(folder: string, path: string, entry: TreeEntry): FileState | undefined {
    if (entry.kind === 'symlink') return { kind: 'symlink', target: entry.target ?? '' };
    if (entry.kind === 'folder') return { kind: 'folder' };
    if (entry.kind === 'other') return { kind: 'uncovered', reason: 'special' };
    // Copies were removed since: which of them is not known.
    if (this.#generation !== this.blobs.generation) this.#known.clear();
    this.#generation = this.blobs.generation;
    const known = this.#known.get(keyOf(folder, path));
    if (known === undefined || !sameEntry(known.entry, entry)) return undefined;
    if (known.state.kind === 'file') this.blobs.hold(known.state.hash);
    return known.state;
  }

  /** Copies a file, or says why not. Throws where the copy cannot be stored. */
  async keep(
    folder: string,
    path: string,
    entry: TreeEntry,
    budget: CopyBudget,
    copies: CopyKeeper,
  ): Promise<FileState> {
    const known = this.known(folder, path, entry);
    if (known !== undefined) return known;
    const { size } = entry;
    const most = budget.limits.fileBytes;
    if (size > most) return { kind: 'uncovered', reason: 'too large', size };
    if (!budget.take(size)) return { kind: 'uncovered', reason: 'not copied yet', size };
    const bytes = await this.tree.read(folder, path, most);
    if (bytes === undefined) return { kind: 'uncovered', reason: 'unreadable', size };
    const kept = await copies.keep(bytes);
    if (kept === undefined) return { kind: 'uncovered', reason: 'storage full', size };
    return this.remember(folder, path, entry, kept.hash, bytes.length);
  }

  private async remember(
    folder: string,
    path: string,
    entry: TreeEntry,
    hash: string,
    size: number,
  ): Promise<FileState> {
    const state: FileState = {
      kind: 'file',
      hash,
      size,
      ...(entry.mode !== undefined && { mode: entry.mode }),
    };
    // Written while it was read, it is not known what the entry stood for.
    const now = await this.tree.entry(folder, path);
    if (now !== undefined && sameEntry(now, entry))
      this.#known.set(keyOf(folder, path), { entry, state });
    return state;
  }
}

function keyOf(folder: string, path: string): string {
  return `${folder}\n${path}`;
}
