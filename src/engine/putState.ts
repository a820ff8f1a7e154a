import type { FileState } from '../core/changes';
import type { ContentWrite } from '../core/resolve';
import type { CurrentFile, WorkspaceFiles } from './ports';

/** Gives a name another file or link, or neither; undefined where such a state cannot be written. */
export async function putState(
  files: WorkspaceFiles,
  before: FileState,
  { file, to, bytes, save }: Pick<ContentWrite, 'file' | 'to' | 'bytes' | 'save'>,
): Promise<CurrentFile | undefined> {
  if (to.kind === 'absent') return files.remove(file);
  // What is written over a link goes to where the link leads.
  const replaces = before.kind === 'symlink' || (to.kind === 'symlink' && before.kind !== 'absent');
  if (to.kind === 'symlink') {
    if (replaces) await files.remove(file);
    return files.makeLink(file, to.target);
  }
  if (to.kind !== 'file' || bytes === undefined) return undefined;
  if (replaces) await files.remove(file);
  return files.write(file, bytes, { save, ...(to.mode !== undefined && { mode: to.mode }) });
}
