import { Phrase, RetraceError, errorText } from '../errors';
import { FsError, type FsErrorCode, type Log } from '../ports';

const advice: Record<FsErrorCode, string> = {
  'no space': 'The disk is full. Free some space and try again.',
  'no permission': 'There is no permission to write there. Check the folder and try again.',
  unavailable: 'The storage does not answer. Check the connection and try again.',
  'not found': 'It is no longer there. Reload the window and try again.',
  exists: 'Something else has taken its name. Reload the window and try again.',
  'not a directory': 'A file is in the way of a folder. Move it aside and try again.',
  'is a directory': 'A folder is in the way of a file. Move it aside and try again.',
  unknown: 'Try again; if it goes on, reload the window.',
};

/** Returns what went wrong while `doing` something as a storage error that says what to do. What was stored stays. */
export function storageError(doing: string, error: unknown): RetraceError {
  if (error instanceof RetraceError) return error;
  const what = error instanceof FsError ? new Phrase(advice[error.code]) : errorText(error);
  return new RetraceError(
    'storage',
    'Retrace could not {0}. {1} Nothing stored so far is lost.',
    [new Phrase(doing), what],
    { cause: error },
  );
}

/** Runs work and turns what it throws into a storage error. */
export async function told<T>(doing: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw storageError(doing, error);
  }
}

/** Says whether a call failed because nothing has that name. */
export function isMissing(error: unknown): boolean {
  return error instanceof FsError && error.code === 'not found';
}

/** Runs work on something a session does without when it fails. */
export async function quietly<T>(
  log: Log,
  what: string,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    log.warn(`A ${what} could not be read or tidied`, error);
    return undefined;
  }
}
