import { FsError, type BlobStore, type FileSystem, type Log, type Runtime } from './ports';
import { BlobUsage } from './store/blobUsage';
import { child, deleteIfThere, listFiles, listFolders, readIfThere } from './store/names';
import { mapBounded } from './store/parallel';
import { told } from './store/storageError';
import { Sweeps } from './store/sweeps';
import { RetraceError } from './errors';

const raw = 0;
const gzip = 1;
/** Below this, compressing cannot earn what it costs. */
const worthwhile = 256;
/** So many names found on disk are held in memory; beyond it each new blob is looked for when it is put. */
const foundLimit = 200_000;
const isHash = /^[0-9a-f]{64}$/u;

export interface BlobPorts {
  readonly files: FileSystem;
  readonly runtime: Pick<Runtime, 'sha256' | 'deflate' | 'inflate' | 'now' | 'newId'>;
  readonly log: Log;
}

/**
 * Bytes of files under `blobs/<aa>/<sha256>`, written once. The first byte says whether the rest is raw or gzip. Nothing
 * is believed without its hash: a blob that is cut, changed or unreadable is a missing one.
 */
export class Blobs implements BlobStore {
  /** Which process removes copies. */
  readonly sweeps: Sweeps;
  readonly usage: BlobUsage;
  /** Copies that are about to be referred to, while somebody {@link use}s them. */
  readonly #held = new Set<string>();
  readonly #removing = new Map<string, Promise<void>>();
  #users = 0;
  #sweeping = 0;
  #generation = 0;
  /** Hashes seen whole on disk by this process, oldest first. */
  readonly #known = new Set<string>();
  readonly #writing = new Map<string, Promise<void>>();
  /** Names found on disk when their folder was first needed, and written since, by folder: whole or torn. */
  readonly #found = new Map<string, Promise<Set<string>>>();
  #folders: Promise<readonly string[]> | undefined;
  #foundCount = 0;

  constructor(
    private readonly root: string,
    private readonly ports: BlobPorts,
    private readonly knownLimit = 20_000,
  ) {
    this.sweeps = new Sweeps(root, ports);
    this.usage = new BlobUsage(root, ports, async () =>
      (await this.sizes()).reduce((sum, { size }) => sum + size, 0),
    );
  }

  get generation(): number {
    return this.#generation;
  }

  hold(hash: string): void {
    if (this.#users > 0 || this.#sweeping > 0) this.#held.add(hash);
  }

  async use<T>(work: () => Promise<T>, onWait?: () => void): Promise<T> {
    this.#users += 1;
    try {
      if (await told('look for changes of other windows', () => this.sweeps.quiet(onWait)))
        this.#forget();
      return await work();
    } finally {
      this.#users -= 1;
      this.#letGo();
    }
  }

  /** Runs work that removes copies. What others hold meanwhile stays held until it has ended. */
  async sweep<T>(work: () => Promise<T>): Promise<T> {
    this.#sweeping += 1;
    try {
      return await work();
    } finally {
      this.#sweeping -= 1;
      this.#forget();
      this.#letGo();
    }
  }

  /** Stores bytes and returns their hash once they are on disk. Equal bytes are written once. */
  async put(bytes: Uint8Array, given?: string): Promise<string> {
    const hash = given ?? (await this.hash(bytes));
    this.hold(hash);
    if (this.#known.has(hash)) return hash;
    let writing = this.#writing.get(hash);
    if (writing === undefined) {
      writing = this.#write(hash, bytes).finally(() => this.#writing.delete(hash));
      this.#writing.set(hash, writing);
    }
    await told('keep a copy of a file', () => writing);
    return hash;
  }

  hash(bytes: Uint8Array): Promise<string> {
    return this.ports.runtime.sha256(bytes);
  }

  /** Says whether a blob is there; {@link get} alone says that it is sound. */
  async has(hash: string): Promise<boolean> {
    if (this.#known.has(hash)) return true;
    if (!isHash.test(hash)) return false;
    try {
      return (await this.ports.files.stat(this.#uri(hash))).kind === 'file';
    } catch (error) {
      if (error instanceof FsError) return false;
      throw error;
    }
  }

  /** Returns bytes whose hash is right, or undefined. */
  async get(hash: string): Promise<Uint8Array | undefined> {
    if (!isHash.test(hash)) return undefined;
    try {
      const stored = await readIfThere(this.ports.files, this.#uri(hash));
      const bytes = stored === undefined ? undefined : await this.#open(hash, stored);
      if (bytes === undefined) this.#known.delete(hash);
      else this.#remember(hash);
      return bytes;
    } catch (error) {
      this.ports.log.warn(`Blob ${hash.slice(0, 12)} cannot be read`, error);
      return undefined;
    }
  }

  /** Returns the hashes of all stored blobs. */
  async list(): Promise<string[]> {
    return told('list the stored copies', async () => {
      const folders = await listFolders(this.ports.files, child(this.root, 'blobs'));
      const names = await mapBounded(folders, (folder) =>
        listFiles(this.ports.files, child(this.root, 'blobs', folder)),
      );
      return names.flat().filter((name) => isHash.test(name));
    });
  }

  /** Returns what each blob takes on disk. */
  async sizes(): Promise<
    { readonly hash: string; readonly size: number; readonly mtime: number }[]
  > {
    const hashes = await this.list();
    const sizes = await told('measure the stored copies', () =>
      mapBounded(hashes, async (hash) => {
        try {
          const { size, mtime } = await this.ports.files.stat(this.#uri(hash));
          return [{ hash, size, mtime }];
        } catch (error) {
          if (error instanceof FsError && error.code === 'not found') return [];
          throw error;
        }
      }),
    );
    return sizes.flat();
  }

  /** Removes a blob and says so; one that is about to be referred to stays. */
  async remove(hash: string): Promise<boolean> {
    if (!isHash.test(hash)) throw new RetraceError('invalid', 'That is not the name of a copy.');
    if (this.#held.has(hash) || this.#writing.has(hash) || this.#removing.has(hash)) return false;
    this.#known.delete(hash);
    const removing = deleteIfThere(this.ports.files, this.#uri(hash)).finally(() =>
      this.#removing.delete(hash),
    );
    this.#removing.set(hash, removing);
    await told('remove a stored copy', () => removing);
    return true;
  }

  /** What was seen on disk may be gone. */
  #forget(): void {
    this.#generation += 1;
    this.#known.clear();
    this.#found.clear();
    this.#folders = undefined;
    this.#foundCount = 0;
  }

  #letGo(): void {
    if (this.#users === 0 && this.#sweeping === 0) this.#held.clear();
  }

  async #write(hash: string, bytes: Uint8Array): Promise<void> {
    const uri = this.#uri(hash);
    await this.#removing.get(hash)?.catch(() => undefined);
    const [mayBeThere, encoded] = await Promise.all([this.#mayBeThere(hash), this.#encode(bytes)]);
    // A sound one is never written over, for a crash could tear it; being there is not enough, for a crash may have.
    const stored = mayBeThere ? await readIfThere(this.ports.files, uri) : undefined;
    if (stored === undefined || (await this.#open(hash, stored)) === undefined) {
      // Noted before it is written: what a failure leaves of it is looked at the next time.
      (await this.#namesBeside(hash)).add(hash);
      this.#foundCount++;
      await this.ports.files.write(uri, encoded);
      this.usage.add(encoded.length - (stored?.length ?? 0));
    }
    this.#remember(hash);
  }

  /** Says whether there may be a blob of this name. Lists each folder once, so that a fresh one costs just its write. */
  async #mayBeThere(hash: string): Promise<boolean> {
    if (this.#foundCount > foundLimit) return true;
    return (await this.#namesBeside(hash)).has(hash);
  }

  async #namesBeside(hash: string): Promise<Set<string>> {
    const folder = hash.slice(0, 2);
    const found = this.#found.get(folder) ?? this.#find(folder);
    this.#found.set(folder, found);
    try {
      return await found;
    } catch (error) {
      this.#found.delete(folder);
      this.#folders = undefined;
      throw error;
    }
  }

  async #find(folder: string): Promise<Set<string>> {
    const blobs = child(this.root, 'blobs');
    this.#folders ??= listFolders(this.ports.files, blobs);
    if (!(await this.#folders).includes(folder)) return new Set();
    const names = await listFiles(this.ports.files, child(blobs, folder));
    this.#foundCount += names.length;
    return new Set(names);
  }

  async #encode(bytes: Uint8Array): Promise<Uint8Array> {
    const packed = bytes.length < worthwhile ? undefined : await this.ports.runtime.deflate(bytes);
    const helps = packed !== undefined && packed.length < bytes.length * 0.9;
    const body = helps ? packed : bytes;
    const stored = new Uint8Array(body.length + 1);
    stored[0] = helps ? gzip : raw;
    stored.set(body, 1);
    return stored;
  }

  async #open(hash: string, stored: Uint8Array): Promise<Uint8Array | undefined> {
    const body = stored.subarray(1);
    let bytes: Uint8Array;
    try {
      if (stored[0] === raw) bytes = body;
      else if (stored[0] === gzip) bytes = await this.ports.runtime.inflate(body);
      else return undefined;
    } catch (error) {
      this.ports.log.warn(`Blob ${hash.slice(0, 12)} is damaged`, error);
      return undefined;
    }
    if ((await this.ports.runtime.sha256(bytes)) === hash) return bytes;
    this.ports.log.warn(
      `Blob ${hash.slice(0, 12)} is damaged: its bytes are not those of its name`,
    );
    return undefined;
  }

  #remember(hash: string): void {
    this.#known.delete(hash);
    this.#known.add(hash);
    if (this.#known.size <= this.knownLimit) return;
    for (const oldest of this.#known) {
      this.#known.delete(oldest);
      break;
    }
  }

  #uri(hash: string): string {
    return child(this.root, 'blobs', hash.slice(0, 2), hash);
  }
}
