import { hashOf, linkFiles, type Link } from './changes';
import type { FileKey } from './fileKey';
import type { BlobHash } from './ids';
import type { AssistantNode } from './node';

/** Returns what a reply has to keep of the files it saw: what it wrote itself stands in its changes already. */
export function keptSeen(
  seen: ReadonlyMap<FileKey, BlobHash>,
  changes: readonly Link[],
): Readonly<Record<FileKey, BlobHash>> | undefined {
  const written = lastWritten(changes);
  const rest = [...seen].filter(([file, hash]) => written.get(file) !== hash);
  return rest.length === 0 ? undefined : Object.fromEntries(rest);
}

/** Returns the content of a file as a reply last saw it, or undefined when it did not. */
export function seenIn(node: AssistantNode, file: FileKey): BlobHash | undefined {
  return node.seen?.[file] ?? lastWritten(node.changes).get(file);
}

/** What the agent itself was the last to make of each file. */
function lastWritten(changes: readonly Link[]): Map<FileKey, BlobHash> {
  const written = new Map<FileKey, BlobHash>();
  for (const link of changes) {
    for (const file of linkFiles(link)) written.delete(file);
    // A file can be renamed unseen: what it holds is only known where it was written.
    if (link.type !== 'change' || link.by !== 'agent') continue;
    const hash = hashOf(link.after);
    if (hash !== undefined) written.set(link.file, hash);
  }
  return written;
}
