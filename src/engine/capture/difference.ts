import {
  absent,
  sameState,
  type ChangedBy,
  type ChangeLink,
  type FileState,
  type Link,
} from '../../core/changes';
import type { FileKey } from '../../core/fileKey';
import { sameEntry, type TreeEntry } from './tree';

type Entries = ReadonlyMap<string, TreeEntry>;

/** Returns the paths at which something was written, made or removed between two looks. */
export function changedPaths(before: Entries, after: Entries): string[] {
  const changed: string[] = [];
  for (const [path, entry] of after) {
    const was = before.get(path);
    if (was === undefined || !sameEntry(was, entry)) changed.push(path);
  }
  for (const path of before.keys()) if (!after.has(path)) changed.push(path);
  return changed;
}

/** Returns the ignored files and folders that changed: of a folder, only what stands directly in it is seen. */
export function changedIgnored(before: Entries, after: Entries): string[] {
  const touched = (a: TreeEntry, b: TreeEntry): boolean =>
    a.kind !== b.kind || a.mtime !== b.mtime || a.inode !== b.inode || a.size !== b.size;
  return [...new Set([...before.keys(), ...after.keys()])].filter((path) => {
    const [was, is] = [before.get(path), after.get(path)];
    return was === undefined || is === undefined || touched(was, is);
  });
}

/** What one path held before and after. */
export interface Changed {
  readonly path: string;
  readonly before: FileState;
  readonly after: FileState;
  readonly by: ChangedBy;
}

/**
 * Puts changes into the order in which they can be made one by one: files go, then their folders, deepest first; then
 * folders come, and files into them.
 */
export function toLinks(
  changes: readonly Changed[],
  keyOf: (path: string) => FileKey,
  shared: boolean,
): Link[] {
  const change = ({ path, by }: Changed, before: FileState, after: FileState): ChangeLink => ({
    type: 'change',
    file: keyOf(path),
    before,
    after,
    by,
    ...(shared && { shared: true }),
  });
  const folder = ({ path, by }: Changed, made: boolean): Link => ({
    type: 'folder',
    folder: keyOf(path),
    made,
    by,
  });
  const byPath = [...changes].sort((a, b) => (a.path < b.path ? -1 : 1));
  const isFolder = (state: FileState): boolean => state.kind === 'folder';
  const removedFiles = byPath.filter(
    ({ before, after }) =>
      !isFolder(before) && before.kind !== 'absent' && (after.kind === 'absent' || isFolder(after)),
  );
  const removedFolders = byPath.filter(({ before, after }) => isFolder(before) && !isFolder(after));
  const madeFolders = byPath.filter(({ before, after }) => !isFolder(before) && isFolder(after));
  const written = byPath.filter(
    ({ before, after }) =>
      !isFolder(after) &&
      after.kind !== 'absent' &&
      (isFolder(before) || !sameState(before, after)),
  );
  return [
    ...removedFiles.map((changed) => change(changed, changed.before, absent)),
    ...removedFolders.reverse().map((changed) => folder(changed, false)),
    ...madeFolders.map((changed) => folder(changed, true)),
    ...written.map((changed) =>
      change(changed, isFolder(changed.before) ? absent : changed.before, changed.after),
    ),
  ];
}
