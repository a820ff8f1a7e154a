import { URI } from 'vscode-uri';
import {
  FsError,
  type FileSystem,
  type FsErrorCode,
  type FsKind,
  type FsStat,
} from '../../src/engine/ports.ts';

export type FsCall = 'stat' | 'read' | 'write' | 'rename' | 'delete' | 'list' | 'makeFolder';

/** What happens at a call instead of, or in front of, what it does. */
export interface Fault {
  readonly code?: FsErrorCode;
  /** For a write: half the bytes are there when it fails. For an overwriting rename: the target is deleted, not more. */
  readonly torn?: boolean;
  /** Waits in front of the call. */
  readonly delay?: Promise<unknown>;
}

interface Entry {
  readonly bytes: Uint8Array;
  readonly mtime: number;
}

/**
 * Files in memory, with faults on request. `fault` is asked at every step with its number, counted from 1; an overwriting
 * rename has two steps, because it is a delete followed by a move.
 */
export class MemoryFileSystem implements FileSystem {
  readonly files: Map<string, Entry>;
  readonly folders: Set<string>;
  readonly calls: { readonly call: FsCall; readonly uri: string }[] = [];
  steps = 0;
  fault: (step: number, call: FsCall, uri: string) => Fault | undefined = () => undefined;

  /** Shares its files with another one: a second process, or the next start after a crash. */
  constructor(disk?: MemoryFileSystem) {
    this.files = disk?.files ?? new Map<string, Entry>();
    this.folders = disk?.folders ?? new Set(['']);
  }

  /** Returns how many calls there were, all or of one kind. */
  count(call?: FsCall): number {
    return call === undefined
      ? this.calls.length
      : this.calls.filter((each) => each.call === call).length;
  }

  async stat(uri: string): Promise<FsStat> {
    await this.#step('stat', uri);
    const path = pathOf(uri);
    const entry = this.files.get(path);
    if (entry !== undefined) return statOf('file', entry.bytes.length, entry.mtime);
    if (this.folders.has(path)) return statOf('folder', 0, 0);
    throw missing(uri);
  }

  async read(uri: string): Promise<Uint8Array> {
    await this.#step('read', uri);
    const entry = this.files.get(pathOf(uri));
    if (entry !== undefined) return entry.bytes.slice();
    if (this.folders.has(pathOf(uri))) throw new FsError('is a directory', uri);
    throw missing(uri);
  }

  async write(uri: string, bytes: Uint8Array): Promise<void> {
    // Taken now, as a host that copies the bytes over a wire does not.
    const copy = bytes.slice();
    await this.#step('write', uri, () => this.#put(uri, copy.slice(0, copy.length >> 1)));
    this.#put(uri, copy);
  }

  async rename(from: string, to: string, overwrite: boolean): Promise<void> {
    await this.#step('rename', from);
    const [source, target] = [pathOf(from), pathOf(to)];
    const entry = this.files.get(source);
    if (entry === undefined) throw missing(from);
    if (this.files.has(target)) {
      if (!overwrite) throw new FsError('exists', to);
      this.files.delete(target);
      await this.#step('rename', to);
    }
    // Another one may have moved it meanwhile.
    if (!this.files.has(source)) throw missing(from);
    this.files.delete(source);
    this.#makeParents(target);
    this.files.set(target, entry);
  }

  async delete(uri: string, recursive: boolean): Promise<void> {
    await this.#step('delete', uri);
    const path = pathOf(uri);
    if (this.files.delete(path)) return;
    if (!this.folders.has(path)) throw missing(uri);
    const inside = [...this.files.keys(), ...this.folders].filter((each) =>
      each.startsWith(`${path}/`),
    );
    if (inside.length > 0 && !recursive) throw new FsError('unknown', `${uri} is not empty`);
    for (const each of [path, ...inside]) {
      this.files.delete(each);
      this.folders.delete(each);
    }
  }

  async list(uri: string): Promise<readonly (readonly [string, FsKind])[]> {
    await this.#step('list', uri);
    const path = pathOf(uri);
    if (!this.folders.has(path)) {
      throw this.files.has(path) ? new FsError('not a directory', uri) : missing(uri);
    }
    const found: [string, FsKind][] = [];
    for (const [keys, kind] of [
      [this.files.keys(), 'file'],
      [this.folders, 'folder'],
    ] as const) {
      for (const key of keys) {
        if (key !== path && key.slice(0, key.lastIndexOf('/')) === path)
          found.push([key.slice(key.lastIndexOf('/') + 1), kind]);
      }
    }
    return found;
  }

  async makeFolder(uri: string): Promise<void> {
    await this.#step('makeFolder', uri);
    this.#makeParents(`${pathOf(uri)}/x`);
  }

  /** Returns the URIs of all files, in order. */
  uris(): string[] {
    return [...this.files.keys()].sort().map((path) => `memory:${path}`);
  }

  /** Returns a file's bytes without a call. */
  bytes(uri: string): Uint8Array {
    return this.files.get(pathOf(uri))?.bytes ?? new Uint8Array();
  }

  /** Changes bytes behind everybody's back. */
  damage(uri: string, change: (bytes: Uint8Array) => Uint8Array): void {
    this.#put(uri, change(this.files.get(pathOf(uri))?.bytes ?? new Uint8Array()));
  }

  #put(uri: string, bytes: Uint8Array): void {
    const path = pathOf(uri);
    if (this.folders.has(path)) throw new FsError('is a directory', uri);
    this.#makeParents(path);
    this.files.set(path, { bytes, mtime: Date.now() });
  }

  #makeParents(path: string): void {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const folder = path.slice(0, at);
      if (this.files.has(folder)) throw new FsError('not a directory', folder);
      this.folders.add(folder);
    }
  }

  async #step(call: FsCall, uri: string, torn?: () => void): Promise<void> {
    this.calls.push({ call, uri });
    const fault = this.fault(++this.steps, call, uri);
    await (fault?.delay ?? Promise.resolve());
    if (fault?.torn === true) torn?.();
    if (fault?.code !== undefined) throw new FsError(fault.code, `${call} ${uri}: made to fail`);
  }
}

function pathOf(uri: string): string {
  return URI.parse(uri, true).path.replace(/\/$/u, '');
}

function statOf(kind: FsKind, size: number, mtime: number): FsStat {
  return { kind, link: false, size, mtime, readonly: false };
}

function missing(uri: string): FsError {
  return new FsError('not found', `${uri} is not there`);
}
