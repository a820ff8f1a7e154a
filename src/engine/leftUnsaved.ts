import type { Link } from '../core/changes';
import type { FileKey } from '../core/fileKey';
import type { WorkspaceFiles } from './ports';

/** Returns the files that changes were made to in editors with unsaved text, and that are unsaved still. */
export async function leftUnsaved(
  files: Pick<WorkspaceFiles, 'read'>,
  links: readonly Link[],
): Promise<FileKey[]> {
  const inEditors = new Set(
    links.flatMap((link) => (link.type === 'change' && link.buffer ? [link.file] : [])),
  );
  const left: FileKey[] = [];
  for (const file of inEditors) if ((await files.read(file)).unsaved) left.push(file);
  return left;
}
