import { createHash } from 'node:crypto';
import type { FileState } from '../../src/core/changes';
import { parentKey, type FileKey } from '../../src/core/fileKey';
import {
  FsError,
  type BlobStore,
  type CurrentFile,
  type WorkspaceFiles,
} from '../../src/engine/ports';

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A workspace in memory: files on disk, unsaved texts over them, folders. `failing` files refuse to be written. */
export class MemoryWorkspace implements WorkspaceFiles {
  readonly disk = new Map<FileKey, Uint8Array>();
  readonly unsaved = new Map<FileKey, Uint8Array>();
  readonly folders = new Set<FileKey>();
  /** Files whose unsaved content nobody can read, as that of a notebook. */
  readonly unreadable = new Set<FileKey>();
  readonly failing = new Set<FileKey>();
  /** Every change made, to show that a move that changes nothing writes nothing. */
  readonly writes: FileKey[] = [];
  /** Called before each write; throwing stands for a host that dies. */
  beforeWrite: (() => void) | undefined;

  text(file: FileKey): string | undefined {
    const bytes = this.unsaved.get(file) ?? this.disk.get(file);
    return bytes && decoder.decode(bytes);
  }

  put(file: FileKey, text: string): void {
    for (let folder = parentKey(file); folder !== undefined; folder = parentKey(folder))
      this.folders.add(folder);
    this.disk.set(file, encoder.encode(text));
  }

  snapshot(): Record<FileKey, string> {
    const files = new Set([...this.disk.keys(), ...this.unsaved.keys()]);
    const folders = [...this.folders].map((folder): [string, string] => [`${folder}/`, 'folder']);
    return Object.fromEntries(
      [
        ...[...files].map((file): [string, string] => [file, this.text(file) ?? '']),
        ...folders,
      ].sort(),
    );
  }

  async read(file: FileKey): Promise<CurrentFile> {
    const disk = this.disk.get(file);
    const text = this.unsaved.get(file);
    const bytes = text ?? disk;
    if (text !== undefined && this.unreadable.has(file)) {
      const state: FileState = { kind: 'uncovered', reason: 'unsaved notebook' };
      return { state, unsaved: true, disk: stateOf(disk), ...(disk && { diskBytes: disk }) };
    }
    return {
      state: this.folders.has(file) ? { kind: 'folder' } : stateOf(bytes),
      ...(bytes && { bytes }),
      unsaved: text !== undefined,
      disk: this.folders.has(file) ? { kind: 'folder' } : stateOf(disk),
      ...(disk && { diskBytes: disk }),
    };
  }

  async write(file: FileKey, bytes: Uint8Array, options: { save: boolean }): Promise<CurrentFile> {
    this.change(file);
    for (let folder = parentKey(file); folder !== undefined; folder = parentKey(folder))
      this.folders.add(folder);
    if (this.unsaved.has(file) && !options.save) {
      this.unsaved.set(file, bytes);
    } else {
      this.unsaved.delete(file);
      this.disk.set(file, bytes);
    }
    return this.read(file);
  }

  async remove(file: FileKey): Promise<CurrentFile> {
    this.change(file);
    this.disk.delete(file);
    this.unsaved.delete(file);
    return this.read(file);
  }

  async makeLink(): Promise<CurrentFile> {
    throw new FsError('unavailable', 'there are no links in memory');
  }

  async rename(from: FileKey, to: FileKey): Promise<CurrentFile> {
    this.change(from);
    if (this.failing.has(to) || this.disk.has(to))
      throw new FsError('exists', 'there is a file of that name');
    for (const map of [this.disk, this.unsaved]) {
      const bytes = map.get(from);
      if (bytes === undefined) continue;
      map.delete(from);
      map.set(to, bytes);
    }
    for (let folder = parentKey(to); folder !== undefined; folder = parentKey(folder))
      this.folders.add(folder);
    return this.read(to);
  }

  async saveUnsaved(file: FileKey): Promise<CurrentFile> {
    this.change(file);
    const bytes = this.unsaved.get(file);
    if (bytes !== undefined) this.disk.set(file, bytes);
    this.unsaved.delete(file);
    this.unreadable.delete(file);
    return this.read(file);
  }

  async makeFolder(folder: FileKey): Promise<void> {
    this.change(folder);
    this.folders.add(folder);
  }

  async removeEmptyFolder(folder: FileKey): Promise<boolean> {
    const inside = [...this.disk.keys(), ...this.folders].some((name) =>
      name.startsWith(`${folder}/`),
    );
    if (inside || !this.folders.has(folder)) return false;
    this.change(folder);
    return this.folders.delete(folder);
  }

  async refusal(): Promise<string | undefined> {
    return undefined;
  }

  private change(file: FileKey): void {
    this.beforeWrite?.();
    if (this.failing.has(file)) throw new FsError('no permission', 'the file cannot be written');
    this.writes.push(file);
  }
}

function stateOf(bytes: Uint8Array | undefined): FileState {
  return bytes === undefined
    ? { kind: 'absent' }
    : { kind: 'file', hash: sha256(bytes), size: bytes.length };
}

/** Blobs in memory; `lost` ones read as missing. */
export class MemoryBlobs implements BlobStore {
  readonly kept = new Map<string, Uint8Array>();
  readonly lost = new Set<string>();
  readonly generation = 0;

  hold(): void {
    // Nothing is ever removed here.
  }

  use<T>(work: () => Promise<T>): Promise<T> {
    return work();
  }

  async put(bytes: Uint8Array): Promise<string> {
    const hash = sha256(bytes);
    this.kept.set(hash, bytes);
    return hash;
  }

  hash(bytes: Uint8Array): Promise<string> {
    return Promise.resolve(sha256(bytes));
  }

  async get(hash: string): Promise<Uint8Array | undefined> {
    return this.lost.has(hash) ? undefined : this.kept.get(hash);
  }
}
