import { hashesOf, linkFiles, type Link } from '../core/changes';
import type { FileKey } from '../core/fileKey';
import type { BlobHash, NodeId, SessionId } from '../core/ids';
import { changesOf } from '../core/node';
import type { SessionFolder } from '../core/fileKey';
import type { StoredWhole } from './store/everything';

/** What is stored of one copy. */
export interface StoredCopy {
  readonly hash: BlobHash;
  /** Bytes on disk. */
  readonly size: number;
  readonly mtime: number;
}

/** A session and the copies its messages and moves need. */
export interface Needs {
  readonly id: SessionId;
  readonly title: string;
  readonly folders: readonly SessionFolder[];
  readonly deletedAt?: number;
  readonly whole: boolean;
  /** For each copy the files it is of. */
  readonly files: ReadonlyMap<BlobHash, ReadonlySet<FileKey>>;
  /** For each copy the messages whose changes speak of it. */
  readonly nodes: ReadonlyMap<BlobHash, ReadonlySet<NodeId>>;
  readonly parents: ReadonlyMap<NodeId, NodeId | null>;
}

/** What a session can no longer bring back once copies are gone. */
export interface Loss {
  readonly sessionId: SessionId;
  readonly title: string;
  readonly folders: readonly SessionFolder[];
  /** Set where the whole session goes: it was deleted. */
  readonly deleted: boolean;
  readonly files: readonly FileKey[];
  /** How many of its branches these files are on. */
  readonly branches: number;
}

/** What a clean-up would remove, and what that costs. */
export interface Cleaning {
  readonly copies: readonly StoredCopy[];
  readonly bytes: number;
  readonly losses: readonly Loss[];
}

/** So new a copy that nothing refers to stays, in milliseconds: somebody may be about to. */
const youngFor = 10 * 60 * 1000;

/** Returns what one stored session needs. */
export function needsOf({ info, records, live, looked, deletedAt, whole }: StoredWhole): Needs {
  const files = new Map<BlobHash, Set<FileKey>>();
  const nodes = new Map<BlobHash, Set<NodeId>>();
  const parents = new Map<NodeId, NodeId | null>();
  const take = (links: readonly Link[], node?: NodeId): void => {
    for (const link of links) {
      for (const hash of hashesOf(link)) {
        for (const file of linkFiles(link)) put(files, hash, file);
        if (node !== undefined) put(nodes, hash, node);
      }
    }
  };
  for (const record of records) {
    if (record.type === 'move') take(record.move.links);
    if (record.type !== 'node') continue;
    parents.set(record.node.id, record.node.parentId);
    take(changesOf(record.node), record.node.id);
  }
  for (const { node, intents } of live) {
    parents.set(node.id, node.parentId);
    take([...node.changes, ...intents], node.id);
  }
  take(looked);
  const { id, title, folders } = info;
  const deleted = deletedAt === undefined ? {} : { deletedAt };
  return { id, title, folders, ...deleted, whole, files, nodes, parents };
}

function put<K, V>(map: Map<K, Set<V>>, key: K, value: V): void {
  const set = map.get(key) ?? new Set<V>();
  map.set(key, set);
  set.add(value);
}

/** What is stored, and who needs it, at one moment. */
export class Survey {
  readonly #holders = new Map<BlobHash, number>();

  constructor(
    readonly copies: readonly StoredCopy[],
    readonly sessions: readonly Needs[],
    private readonly at: number,
  ) {
    for (const { files } of sessions)
      for (const hash of files.keys()) this.#holders.set(hash, (this.#holders.get(hash) ?? 0) + 1);
  }

  get bytes(): number {
    return sum(this.copies);
  }

  /** The sessions that could not be read whole: what they need is not known, so nothing can be removed beside them. */
  get damaged(): readonly Needs[] {
    return this.sessions.filter(({ whole }) => !whole);
  }

  isDeleted(id: SessionId): boolean {
    return this.sessions.some((each) => each.id === id && each.deletedAt !== undefined);
  }

  /** Returns what only this session needs, in bytes. */
  onlyFor({ files }: Needs): number {
    const own = this.copies.filter(({ hash }) => files.has(hash) && this.#holders.get(hash) === 1);
    return sum(own);
  }

  /** Works out what goes when nobody needs anything, or the named sessions' copies are given up. */
  clean(givenUp: ReadonlySet<SessionId>): Cleaning {
    const kept = this.sessions.filter(({ id }) => !givenUp.has(id));
    if (kept.some(({ whole }) => !whole)) return { copies: [], bytes: 0, losses: [] };
    const gone = this.sessions.filter(({ id }) => givenUp.has(id));
    const needed = new Set(kept.flatMap(({ files }) => [...files.keys()]));
    const copies = this.copies.filter(({ hash, mtime }) => {
      if (needed.has(hash)) return false;
      return gone.some(({ files }) => files.has(hash)) || this.at - mtime >= youngFor;
    });
    const hashes = new Set(copies.map(({ hash }) => hash));
    const losses = gone.map((session) => lossOf(session, hashes));
    return {
      copies,
      bytes: sum(copies),
      losses: losses.filter(({ files, deleted }) => files.length > 0 || deleted),
    };
  }
}

function lossOf(session: Needs, gone: ReadonlySet<BlobHash>): Loss {
  const files = new Set<FileKey>();
  const nodes = new Set<NodeId>();
  for (const hash of gone) {
    for (const file of session.files.get(hash) ?? []) files.add(file);
    for (const node of session.nodes.get(hash) ?? []) nodes.add(node);
  }
  const { id: sessionId, title, folders, deletedAt, parents } = session;
  return {
    ...{ sessionId, title, folders, deleted: deletedAt !== undefined },
    files: [...files].sort(),
    branches: branchesWith(parents, nodes),
  };
}

/** Returns how many leaves have one of the nodes among themselves and their ancestors. */
function branchesWith(
  parents: ReadonlyMap<NodeId, NodeId | null>,
  nodes: ReadonlySet<NodeId>,
): number {
  const inner = new Set(parents.values());
  const known = new Map<NodeId, boolean>();
  const touched = (leaf: NodeId): boolean => {
    const way: NodeId[] = [];
    let found = false;
    const seen = new Set<NodeId>();
    for (let at: NodeId | null = leaf; at !== null && !seen.has(at); at = parents.get(at) ?? null) {
      seen.add(at);
      way.push(at);
      found = known.get(at) ?? nodes.has(at);
      if (found || known.has(at)) break;
    }
    for (const node of way) known.set(node, found);
    return found;
  };
  return [...parents.keys()].filter((id) => !inner.has(id) && touched(id)).length;
}

function sum(copies: readonly StoredCopy[]): number {
  return copies.reduce((bytes, { size }) => bytes + size, 0);
}
