import { sameContent, type ChangeLink, type FileState } from '../core/changes';
import type { BlobStore, CurrentFile, WorkspaceFiles } from './ports';
import { putState } from './putState';

/** Says whether a file holds a beginning of what was to be written, and not all of it: the write was cut off. */
export async function isTorn(
  blobs: Pick<BlobStore, 'get'>,
  now: CurrentFile,
  { before, after }: Pick<ChangeLink, 'before' | 'after'>,
): Promise<boolean> {
  if (after.kind !== 'file' || now.unsaved || now.bytes === undefined) return false;
  if (now.bytes.length >= after.size || sameContent(now.state, before)) return false;
  const whole = await blobs.get(after.hash);
  return whole !== undefined && now.bytes.every((byte, index) => byte === whole[index]);
}

/**
 * Returns what a write that failed half way was to replace, where the file still holds what that write left of it:
 * anything else is somebody's work since.
 */
export async function replacedIn(
  blobs: Pick<BlobStore, 'get'>,
  now: CurrentFile,
  torn: ChangeLink | undefined,
): Promise<FileState | undefined> {
  if (torn === undefined || now.unsaved || sameContent(now.state, torn.before)) return undefined;
  const left = sameContent(now.state, torn.after) || (await isTorn(blobs, now, torn));
  return left ? torn.before : undefined;
}

/**
 * Puts back what a file held before a write that was cut off, and says whether the file holds that again. A file that
 * holds anything else than a beginning of what was to be written is somebody's work and is left.
 */
export async function putBackTorn(
  files: WorkspaceFiles,
  blobs: Pick<BlobStore, 'get'>,
  link: Pick<ChangeLink, 'file' | 'before' | 'after'>,
): Promise<boolean> {
  const { file, before } = link;
  if (before.kind !== 'file' && before.kind !== 'absent') return false;
  try {
    const now = await files.read(file);
    if (!(await isTorn(blobs, now, link))) return false;
    const bytes = before.kind === 'file' ? await blobs.get(before.hash) : undefined;
    if (before.kind === 'file' && bytes === undefined) return false;
    if ((await files.refusal(file)) !== undefined) return false;
    const back = { file, to: before, save: true, ...(bytes && { bytes }) };
    const after = await putState(files, now.state, back);
    return after !== undefined && sameContent(after.state, before);
  } catch {
    return false;
  }
}
