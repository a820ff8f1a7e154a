import { parentKey, type FileKey } from '../core/fileKey';
import type { WorkspaceFiles } from './ports';

/** Returns the folders a file needs and there are not, outermost first. */
export async function missingParents(files: WorkspaceFiles, file: FileKey): Promise<FileKey[]> {
  const missing: FileKey[] = [];
  for (let folder = parentKey(file); folder !== undefined; folder = parentKey(folder)) {
    if ((await files.read(folder)).state.kind !== 'absent') break;
    missing.unshift(folder);
  }
  return missing;
}
