import type { FileState } from '../../core/changes';
import { countLines, diffBounds } from '../../core/lineDiff';
import { Emitter } from '../../engine/emitter';
import type { BlobReader } from '../../engine/ports';

/** Added and removed lines; empty where they cannot be counted. */
export interface Counts {
  readonly added?: number;
  readonly removed?: number;
}

interface Question {
  readonly key: string;
  readonly before: FileState;
  readonly after: FileState;
}

const nothing = new Uint8Array();
const uncountable: Counts = {};

/**
 * Counts lines between two recorded states behind the view's back: what is asked for is queued, and told when it is
 * known. Kept by the hashes of both sides, so that a count is made once for all sessions and branches.
 */
export class LineCounts {
  /** Fired when something became known. */
  readonly known = new Emitter<void>();
  readonly #counts = new Map<string, Counts>();
  readonly #asked = new Set<string>();
  readonly #stack: Question[] = [];
  #working = false;

  constructor(
    private readonly blobs: BlobReader,
    private readonly limit = 5_000,
  ) {}

  /** Returns the counts if they are known, else undefined, and finds them out. */
  get(before: FileState, after: FileState): Counts | undefined {
    if (!countable(before) || !countable(after)) return uncountable;
    const key = `${hashOf(before)}:${hashOf(after)}`;
    const found = this.#counts.get(key);
    if (found !== undefined) {
      this.#counts.delete(key);
      this.#counts.set(key, found);
      return found;
    }
    if (this.#asked.has(key)) return undefined;
    this.#asked.add(key);
    this.#stack.push({ key, before, after });
    if (!this.#working) void this.#work();
    return undefined;
  }

  async #work(): Promise<void> {
    this.#working = true;
    // The newest question first: what is at the end of the conversation is what is looked at.
    for (let next = this.#stack.pop(); next !== undefined; next = this.#stack.pop()) {
      const { key, before, after } = next;
      const counts = await this.#count(before, after);
      this.#asked.delete(key);
      this.#counts.set(key, counts);
      this.#forget();
      this.known.fire();
      // One comparison may take its whole bound; what else waits in this host goes first.
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    this.#working = false;
  }

  async #count(before: FileState, after: FileState): Promise<Counts> {
    const [left, right] = await Promise.all([this.#bytes(before), this.#bytes(after)]);
    if (left === undefined || right === undefined) return uncountable;
    return countLines(left, right) ?? uncountable;
  }

  /** Bytes that are gone or unreadable have no lines to count. */
  #bytes(state: FileState): Promise<Uint8Array | undefined> {
    if (state.kind !== 'file') return Promise.resolve(nothing);
    return this.blobs.get(state.hash).catch(() => undefined);
  }

  #forget(): void {
    if (this.#counts.size <= this.limit) return;
    for (const oldest of this.#counts.keys()) {
      this.#counts.delete(oldest);
      return;
    }
  }
}

function countable(state: FileState): boolean {
  return state.kind === 'absent' || (state.kind === 'file' && state.size <= diffBounds.maxBytes);
}

function hashOf(state: FileState): string {
  return state.kind === 'file' ? state.hash : '';
}
