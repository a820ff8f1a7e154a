import { hashesOf, linkFiles, type Link } from '../core/changes';
import type { FileKey } from '../core/fileKey';
import type { BlobHash } from '../core/ids';
import { changesOf } from '../core/node';
import type { SessionState } from '../core/session';
import type { BlobStore, CurrentFile, WorkspaceFiles } from './ports';

/** What became of the stored copies a session speaks of. */
export interface CheckedCopies {
  /** Copies that are missing or damaged. */
  readonly missing: number;
  /** Copies that were, and are there again. */
  readonly restored: number;
  /** Files that cannot be put back to something they held. */
  readonly files: readonly FileKey[];
}

/**
 * Opens every stored copy a session speaks of. With `from`, one that is not sound is made again where the workspace still
 * holds those very bytes; there is no other source that could be believed.
 */
export async function checkCopies(
  state: SessionState,
  blobs: BlobStore,
  from?: WorkspaceFiles,
): Promise<CheckedCopies> {
  const speaking = filesByHash(state);
  const missing = new Set<BlobHash>();
  for (const hash of speaking.keys()) if ((await blobs.get(hash)) === undefined) missing.add(hash);
  const before = missing.size;
  if (from !== undefined && before > 0) {
    const files = new Set([...speaking.values()].flatMap((each) => [...each]));
    for (const file of files) {
      for (const bytes of held(await from.read(file))) {
        const hash = await blobs.hash(bytes);
        if (!missing.has(hash)) continue;
        await blobs.put(bytes, hash);
        if ((await blobs.get(hash)) !== undefined) missing.delete(hash);
      }
    }
  }
  const files = new Set([...missing].flatMap((hash) => [...(speaking.get(hash) ?? [])]));
  return { missing: missing.size, restored: before - missing.size, files: [...files].sort() };
}

/** A file whose text is not saved holds two things. */
function held({ bytes, diskBytes }: CurrentFile): Uint8Array[] {
  return [bytes, diskBytes].filter((each) => each !== undefined);
}

function filesByHash(state: SessionState): Map<BlobHash, Set<FileKey>> {
  const links: Link[] = [...state.nodes.values()].flatMap((node) => [...changesOf(node)]);
  for (const step of state.steps) if (step.type === 'move') links.push(...step.move.links);
  const found = new Map<BlobHash, Set<FileKey>>();
  for (const link of links) {
    for (const hash of hashesOf(link)) {
      const files = found.get(hash) ?? new Set();
      for (const file of linkFiles(link)) files.add(file);
      found.set(hash, files);
    }
  }
  return found;
}
