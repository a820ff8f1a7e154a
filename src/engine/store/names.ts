import { URI, Utils } from 'vscode-uri';
import { RetraceError } from '../errors';
import { isMissing } from './storageError';
import type { FileSystem } from '../ports';
import type { Stamp } from './envelope';

const safe = /^[A-Za-z0-9_-]{1,128}$/u;

/** Returns an id that may become part of a file name; anything else names nothing that was ever stored. */
export function safeId(id: string): string {
  if (safe.test(id)) return id;
  throw new RetraceError('not_found', 'There is no session or message with that id.');
}

/** Says whether a name can be an id that was handed out here. */
export function isSafeId(id: string): boolean {
  return safe.test(id);
}

/** Returns an id as it may stand in file names. */
export function writerName(id: string): string {
  return id.replace(/[^A-Za-z0-9_-]/gu, '').slice(0, 32) || 'w';
}

/** Returns the URI of something below a folder. The segments are names, never paths. */
export function child(folder: string, ...names: readonly string[]): string {
  return Utils.joinPath(URI.parse(folder, true), ...names).toString();
}

/** Where the parts of the store lie under its root. */
export class StorePaths {
  constructor(readonly root: string) {}

  readonly meta = 'meta.json';

  get sessions(): string {
    return child(this.root, 'sessions');
  }

  get deleted(): string {
    return child(this.root, 'deleted');
  }

  get damaged(): string {
    return child(this.root, 'damaged');
  }

  session(id: string): string {
    return child(this.root, 'sessions', safeId(id));
  }

  records(id: string): string {
    return child(this.root, 'sessions', safeId(id), 'records');
  }

  segments(id: string): string {
    return child(this.root, 'sessions', safeId(id), 'segments');
  }

  intents(id: string, nodeId: string): string {
    return child(this.root, 'sessions', safeId(id), `ahead-${safeId(nodeId)}`);
  }

  look(id: string, nodeId: string): string {
    return child(this.root, 'sessions', safeId(id), `look-${safeId(nodeId)}`);
  }

  tombstone(id: string): string {
    return child(this.root, 'deleted', `${safeId(id)}.json`);
  }

  backups(id: string): string {
    return child(this.root, 'backups', safeId(id));
  }

  mirror(id: string): string {
    return child(this.root, 'backups', safeId(id), 'mirror');
  }
}

/** Returns the name of a loose record: numbers sort as text. */
export function recordName(seq: number, writer: string): string {
  return `${pad(seq)}-${writer}.json`;
}

/** Returns the stamp a loose record's name speaks of, or undefined for a foreign name. */
export function stampOfName(name: string): Stamp | undefined {
  const [, seq, writer] = /^(\d{10,15})-([A-Za-z0-9_-]+)\.json$/u.exec(name) ?? [];
  return seq === undefined || writer === undefined ? undefined : { seq: Number(seq), writer };
}

/** Returns the name of a segment. */
export function segmentName(from: number, to: number, writer: string): string {
  return `${pad(from)}-${pad(to)}-${writer}.json`;
}

/** Returns the highest number a record or segment name speaks of, or undefined for a foreign name. */
export function highestSeq(name: string): number | undefined {
  const [, from, to] = /^(\d{10,15})-(?:(\d{10,15})-)?[A-Za-z0-9_~-]+\.json$/u.exec(name) ?? [];
  return from === undefined ? undefined : Number(to ?? from);
}

function pad(seq: number): string {
  return String(seq).padStart(10, '0');
}

/** Returns the names of the files in a folder in order; a folder that is not there holds none. */
export async function listFiles(files: FileSystem, folder: string): Promise<string[]> {
  const entries = await listEntries(files, folder);
  return entries.filter(([, kind]) => kind === 'file').map(([name]) => name);
}

/** Returns the names of the folders in a folder in order; a folder that is not there holds none. */
export async function listFolders(files: FileSystem, folder: string): Promise<string[]> {
  const entries = await listEntries(files, folder);
  return entries.filter(([, kind]) => kind === 'folder').map(([name]) => name);
}

async function listEntries(files: FileSystem, folder: string) {
  try {
    const entries = await files.list(folder);
    return [...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Returns a file's bytes, or undefined when there is no such file. */
export async function readIfThere(files: FileSystem, uri: string): Promise<Uint8Array | undefined> {
  try {
    return await files.read(uri);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Deletes a file or folder if it is there. */
export async function deleteIfThere(
  files: FileSystem,
  uri: string,
  recursive = false,
): Promise<void> {
  try {
    await files.delete(uri, recursive);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
