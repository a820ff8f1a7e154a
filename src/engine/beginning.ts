import type { FileKey } from '../core/fileKey';
import type { FileState } from '../core/changes';
import { FsError, ToolError, type CopyKeeper, type CurrentFile } from './ports';

/** What a change of a file begins with. */
export interface Beginning {
  /** A file whose missing folders are made first. */
  readonly made?: FileKey;
  /** What is to be written. */
  readonly bytes?: Uint8Array;
  /** Where the name is a link, the link is meant and not what it leads to. */
  readonly itself?: boolean;
}

/** Returns a file as it is to be. */
export async function meantBy(
  copies: Pick<CopyKeeper, 'hash'>,
  bytes: Uint8Array,
): Promise<CurrentFile> {
  const state: FileState = { kind: 'file', hash: await copies.hash(bytes), size: bytes.length };
  return { state, bytes, unsaved: false, disk: state };
}

/** Returns what the agent is told of a change that failed. */
export function asToolError(failure: unknown): Error {
  if (failure instanceof FsError)
    return new ToolError(`The file could not be changed: ${failure.message}`);
  return failure instanceof Error ? failure : new Error('The file could not be changed.');
}
