import * as vscode from 'vscode';
import { FsError } from '../../engine/ports';
import type { FsErrorCode } from '../../engine/ports';

const codes: Readonly<Record<string, FsErrorCode>> = {
  FileNotFound: 'not found',
  EntryNotFound: 'not found',
  FileExists: 'exists',
  EntryExists: 'exists',
  FileNotADirectory: 'not a directory',
  EntryNotADirectory: 'not a directory',
  FileIsADirectory: 'is a directory',
  EntryIsADirectory: 'is a directory',
  NoPermissions: 'no permission',
  EntryWriteLocked: 'no permission',
  EntryExceedsStorageQuota: 'no space',
  Unavailable: 'unavailable',
};

/** Returns what a failed `workspace.fs` call failed with, by its code. */
export function toFsError(error: unknown, uri: string): FsError {
  if (error instanceof FsError) return error;
  if (!(error instanceof vscode.FileSystemError)) {
    const text = error instanceof Error ? error.message : String(error);
    return new FsError('unknown', `${uri}: ${text}`, { cause: error });
  }
  return new FsError(
    codes[error.code] ?? codeOfUnknown(error.message),
    `${uri}: ${error.message}`,
    {
      cause: error,
    },
  );
}

/** Says whether a call failed because nothing is there: a file in the middle of the path has nothing below it. */
export function isNothing(error: unknown): boolean {
  return (
    error instanceof FsError && (error.code === 'not found' || error.code === 'not a directory')
  );
}

/** A full disk has no code of its own in VS Code, only the system's error name inside the text of an unknown one. */
function codeOfUnknown(message: string): FsErrorCode {
  if (/\b(?:ENOSPC|EDQUOT)\b/u.test(message)) return 'no space';
  if (/\b(?:EACCES|EPERM|EROFS)\b/u.test(message)) return 'no permission';
  return 'unknown';
}
