import { hashOf, type ChangeLink, type FileState, type Link } from '../core/changes';
import type { BlobHash } from '../core/ids';
import type { CopyKeeper, CurrentFile } from './ports';

/** Bytes a turn did not keep, because the storage was full and the user chose to go on. */
export class Unkept {
  readonly #hashes = new Set<BlobHash>();

  /** Keeps what a file holds, unsaved and on disk; false where some of it was not kept. */
  async keep(copies: CopyKeeper, current: CurrentFile): Promise<boolean> {
    const { bytes, diskBytes, unsaved, state, disk } = current;
    const kept = await this.#keep(copies, bytes, state);
    return unsaved ? (await this.#keep(copies, diskBytes, disk)) && kept : kept;
  }

  async #keep(
    copies: CopyKeeper,
    bytes: Uint8Array | undefined,
    state: FileState,
  ): Promise<boolean> {
    const hash = hashOf(state);
    if (bytes === undefined || (await copies.keep(bytes, hash)) !== undefined) return true;
    if (hash !== undefined) this.#hashes.add(hash);
    return false;
  }

  /** Returns a state as it can be recorded: without bytes it is not covered. */
  covered(state: FileState): FileState {
    return state.kind === 'file' && this.#hashes.has(state.hash)
      ? { kind: 'uncovered', reason: 'storage full', size: state.size }
      : state;
  }

  /** Returns a link as it can be recorded. */
  without(link: ChangeLink): ChangeLink;
  without(link: Link): Link;
  without(link: Link): Link {
    if (this.#hashes.size === 0 || link.type === 'folder') return link;
    if (link.type === 'rename') return { ...link, state: this.covered(link.state) };
    const { before, after, buffer } = link;
    return {
      ...link,
      before: this.covered(before),
      after: this.covered(after),
      ...(buffer && {
        buffer: {
          diskBefore: this.covered(buffer.diskBefore),
          diskAfter: this.covered(buffer.diskAfter),
        },
      }),
    };
  }
}
