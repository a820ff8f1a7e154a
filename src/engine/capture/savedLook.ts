import * as v from 'valibot';
import type { FileState } from '../../core/changes';
import { fileStateSchema } from '../store/schemas';
import type { GitObject, TreeEntry } from './tree';

/** One folder as it was before a command: what there was, and where its bytes are kept. */
export interface SavedFolder {
  readonly folder: string;
  readonly entries: ReadonlyMap<string, TreeEntry>;
  readonly ignored: ReadonlyMap<string, TreeEntry>;
  readonly objects: ReadonlyMap<string, GitObject>;
  readonly states: ReadonlyMap<string, FileState>;
}

/** The folders of a session before a command. On disk while it runs, so that a crash does not hide what it did. */
export interface SavedLook {
  readonly folders: readonly SavedFolder[];
  /** The URIs of what somebody else wrote while the command ran. */
  readonly told: ReadonlySet<string>;
}

/** Where a look is kept while a command runs. */
export interface LookKeeper {
  /** Resolves when it is on disk: the command may begin then. */
  save(folders: readonly SavedFolder[]): Promise<void>;
  /** Notes that somebody else wrote a file. */
  tell(uri: string): Promise<void>;
  /** The command has ended, and what it did is recorded. */
  drop(): Promise<void>;
}

const kinds: readonly TreeEntry['kind'][] = ['file', 'folder', 'symlink', 'other'];
/** Between fields, of which a path is the last. */
const field = '|';
/** Between rows; the one character that is in no path. */
const end = '\0';

/**
 * Returns folders as they are stored. A tree has many entries and is stored before each command: all of one folder are one
 * text, which costs a tenth of as many objects.
 */
export function packFolders(folders: readonly SavedFolder[]): unknown {
  return folders.map(({ folder, entries, ignored, objects, states }) => {
    const repositories = [...new Set([...objects.values()].map(({ repository }) => repository))];
    const numbers = new Map(repositories.map((repository, index) => [repository, index]));
    const rows = (of: ReadonlyMap<string, TreeEntry>): string[] =>
      [...of].map(([path, { kind, size, mtime, ctime, inode, mode }]) => {
        const object = objects.get(path);
        const kept = object && `${numbers.get(object.repository)}:${object.id}`;
        return `${kinds.indexOf(kind)}|${size}|${mtime}|${ctime}|${inode}|${mode ?? ''}|${kept ?? ''}|${path}`;
      });
    return {
      ...{
        folder,
        repositories,
        entries: rows(entries).join(end),
        ignored: rows(ignored).join(end),
      },
      targets: [...entries, ...ignored].flatMap(([path, { target }]) =>
        target === undefined ? [] : [[path, target]],
      ),
      states: [...states],
    };
  });
}

const schema = v.array(
  v.object({
    folder: v.string(),
    repositories: v.array(v.string()),
    entries: v.string(),
    ignored: v.string(),
    targets: v.array(v.tuple([v.string(), v.string()])),
    states: v.array(v.tuple([v.string(), fileStateSchema])),
  }),
);

/** Returns stored folders, or undefined for anything else. */
export function parseFolders(value: unknown): readonly SavedFolder[] | undefined {
  const parsed = v.safeParse(schema, value);
  if (!parsed.success) return undefined;
  const folders: SavedFolder[] = [];
  for (const { folder, repositories, entries, ignored, targets, states } of parsed.output) {
    const reading = {
      repositories,
      targets: new Map(targets),
      objects: new Map<string, GitObject>(),
    };
    const [all, hidden] = [readRows(entries, reading), readRows(ignored, reading)];
    if (all === undefined || hidden === undefined) return undefined;
    const { objects } = reading;
    folders.push({ folder, entries: all, ignored: hidden, objects, states: new Map(states) });
  }
  return folders;
}

interface Reading {
  readonly repositories: readonly string[];
  readonly targets: ReadonlyMap<string, string>;
  readonly objects: Map<string, GitObject>;
}

/** Reads rows, and the objects named in them; undefined where one is not understood. */
function readRows(text: string, into: Reading): Map<string, TreeEntry> | undefined {
  const entries = new Map<string, TreeEntry>();
  for (const row of text === '' ? [] : text.split(end)) {
    const [
      kindNumber = '',
      size = '',
      mtime = '',
      ctime = '',
      inode = '',
      mode = '',
      kept = '',
      ...rest
    ] = row.split(field);
    const path = rest.join(field);
    const kind = kinds[Number(kindNumber)];
    const numbers = [size, mtime, ctime, inode, mode].map(Number);
    if (kind === undefined || path === '' || numbers.some(Number.isNaN)) return undefined;
    const target = into.targets.get(path);
    entries.set(path, {
      ...{ kind, size: Number(size), mtime: Number(mtime), ctime: Number(ctime) },
      inode: Number(inode),
      ...(mode !== '' && { mode: Number(mode) }),
      ...(target !== undefined && { target }),
    });
    const [index = '', id = ''] = kept.split(':');
    const repository = kept === '' ? undefined : into.repositories[Number(index)];
    if (repository !== undefined) into.objects.set(path, { repository, id });
  }
  return entries;
}
