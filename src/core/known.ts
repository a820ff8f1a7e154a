import { sideOf, type FileState, type Link } from './changes';
import type { FileKey } from './fileKey';
import type { Nodes } from './graph';
import type { NodeId, Place } from './ids';
import { changesOf } from './node';

/**
 * Returns the last state recorded of a file on the way down to a place, else its first recorded state anywhere (what it
 * held wherever no recorded change lies above), else undefined for a file no node speaks of.
 */
export function knownState(
  nodes: Nodes,
  origins: ReadonlyMap<FileKey, FileState>,
  file: FileKey,
  place: Place,
): FileState | undefined {
  if (!origins.has(file)) return undefined;
  const seen = new Set<NodeId>();
  let node = place === null ? undefined : nodes.get(place);
  while (node !== undefined && !seen.has(node.id)) {
    seen.add(node.id);
    const state = lastSide(changesOf(node), file);
    if (state !== undefined) return state;
    node = node.filesFrom === null ? undefined : nodes.get(node.filesFrom);
  }
  return origins.get(file);
}

/** Returns the state the last of the links that speaks of a file leaves it in, or undefined. */
export function lastSide(links: readonly Link[], file: FileKey): FileState | undefined {
  for (let index = links.length - 1; index >= 0; index--) {
    const link = links[index];
    const state = link && sideOf(link, file, 'after');
    if (state !== undefined) return state;
  }
  return undefined;
}
