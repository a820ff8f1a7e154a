import type { Adapter } from 'lowdb';
import { FsError } from '../ports';
import { keepAside, type DamageReport, type StoreContext } from './damage';
import { unwrap, wrap, type Problem, type Stamp } from './envelope';
import { child, deleteIfThere, listFiles, readIfThere } from './names';
import { RetraceError } from '../errors';

interface Job {
  readonly ticket: number;
  /** The value as text, taken when it was given, or undefined to remove the file. */
  readonly json: string | undefined;
}

interface Waiter {
  readonly ticket: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

type Look<T> =
  | { readonly kind: 'value'; readonly value: T; readonly stamp: Stamp }
  | { readonly kind: 'missing' }
  | { readonly kind: 'bad'; readonly problem: Problem; readonly bytes: Uint8Array };

export interface JsonFilePlace<T> {
  readonly folder: string;
  /** The name ends in `.json`. */
  readonly name: string;
  /** Whose it is: the session's id, or `store`. */
  readonly owner: string;
  /** Returns a believed value, or undefined. */
  readonly parse: (value: unknown) => T | undefined;
  readonly onDamage?: (damage: DamageReport) => void;
}

const attempts = 5;

/**
 * Keeps one rewritten JSON document: the newest value wins and at most one write is in flight. A value goes to a spare
 * beside the document and takes its place by a rename, which may be a delete and a move: so a reader falls back on the
 * newest sound spare. Nothing is saved over something that could not be loaded.
 */
export class JsonFile<T> implements Adapter<T> {
  #revision = 0;
  /** What was last read or written here. */
  #last: Stamp | undefined;
  #loaded = false;
  #slot = 0;
  #tickets = 0;
  #next: Job | undefined;
  #failed: Job | undefined;
  #waiters: Waiter[] = [];
  #draining: Promise<void> | undefined;
  /** A failed write may have left a spare behind. */
  #unclean = false;

  constructor(
    private readonly context: StoreContext,
    private readonly place: JsonFilePlace<T>,
  ) {}

  /** Returns the stored value or null. Damage is kept aside and reported; a file system that fails rejects. */
  async read(): Promise<T | null> {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const main = await this.#look(this.place.name);
      if (main.kind === 'value') return this.#take(main);
      if (main.kind === 'bad' && main.problem === 'newer version') {
        throw new RetraceError(
          'storage',
          '{0} was written by a newer Retrace. Update Retrace to change it.',
          [this.place.name],
        );
      }
      const names = await listFiles(this.context.files, this.place.folder);
      const spares = names.filter((name) => this.#isSpare(name));
      const looks = await Promise.all(spares.map((name) => this.#look(name)));
      const best = looks
        .filter((look) => look.kind === 'value')
        .sort((a, b) => b.stamp.seq - a.stamp.seq)[0];
      // Seen by name and gone by now: another window is just putting it in its place.
      const moved =
        main.kind === 'missing' &&
        (names.includes(this.place.name) || looks.some((look) => look.kind === 'missing'));
      if (moved && best === undefined) continue;
      if (main.kind === 'bad') await this.#report(main);
      if (best !== undefined) return this.#take(best);
      this.#loaded = true;
      return null;
    }
    throw new FsError('unavailable', `${this.place.name} keeps changing`);
  }

  /** Says that there is no such document yet, so that nothing need be looked for. */
  startEmpty(): void {
    this.#loaded = true;
  }

  /** Returns the value another window has stored since this one last read or wrote, or undefined. */
  async foreign(): Promise<T | undefined> {
    const look = await this.#look(this.place.name);
    const last = this.#last;
    if (look.kind !== 'value' || look.stamp.writer === this.context.writer) return undefined;
    if (look.stamp.writer === last?.writer && look.stamp.seq === last.seq) return undefined;
    return this.#take(look);
  }

  /** Resolves once this value, or a newer one, is on disk. */
  write(value: T): Promise<void> {
    return this.#enqueue(JSON.stringify(value));
  }

  /** Removes the document and its spares; a later write makes it anew. */
  remove(): Promise<void> {
    return this.#enqueue(undefined);
  }

  /** Waits for what is under way and tries once more what could not be stored. */
  flush(): Promise<void> {
    const failed = this.#failed;
    if (failed !== undefined && this.#next === undefined) return this.#enqueue(failed.json);
    return this.#draining ?? Promise.resolve();
  }

  #enqueue(json: string | undefined): Promise<void> {
    const ticket = ++this.#tickets;
    this.#next = { ticket, json };
    this.#failed = undefined;
    const done = new Promise<void>((resolve, reject) => {
      this.#waiters.push({ ticket, resolve, reject });
    });
    this.#draining ??= this.#drain();
    return done;
  }

  async #drain(): Promise<void> {
    while (this.#next !== undefined) {
      const job = this.#next;
      this.#next = undefined;
      try {
        await (job.json === undefined ? this.#remove() : this.#store(job.json));
        for (const waiter of this.#settled(job)) waiter.resolve();
      } catch (error) {
        // A newer value set meanwhile is still tried, and speaks for this one too.
        if (this.#waiting()) continue;
        this.#failed = job;
        for (const waiter of this.#settled(job)) waiter.reject(error);
      }
    }
    // Here, with no await since the last look at #next, so that no write falls between.
    this.#draining = undefined;
  }

  #waiting(): boolean {
    return this.#next !== undefined;
  }

  #settled(job: Job): Waiter[] {
    const settled = this.#waiters.filter((waiter) => waiter.ticket <= job.ticket);
    this.#waiters = this.#waiters.filter((waiter) => waiter.ticket > job.ticket);
    return settled;
  }

  async #store(json: string): Promise<void> {
    await this.context.assertWritable();
    if (!this.#loaded) await this.read();
    const { files, writer } = this.context;
    const spare = child(this.place.folder, this.#spareName(this.#slot));
    const other = child(this.place.folder, this.#spareName(1 - this.#slot));
    const stamp = { seq: this.#revision + 1, writer };
    this.#revision = stamp.seq;
    this.#last = stamp;
    try {
      await files.write(spare, wrap(stamp, json));
      await files.rename(spare, child(this.place.folder, this.place.name), true);
    } catch (error) {
      // The spare may now be the only copy of the value before: the next try leaves it alone.
      this.#slot = 1 - this.#slot;
      this.#unclean = true;
      throw error;
    }
    if (this.#unclean) {
      this.#unclean = false;
      await deleteIfThere(files, other).catch((error: unknown) => {
        this.context.log.warn('A spare file could not be removed', error);
      });
    }
  }

  async #remove(): Promise<void> {
    await this.context.assertWritable();
    const { files } = this.context;
    // Spares first: a crash must not bring back what was removed.
    const names = await listFiles(files, this.place.folder);
    for (const name of names.filter((each) => this.#isSpare(each))) {
      await deleteIfThere(files, child(this.place.folder, name));
    }
    if (names.includes(this.place.name)) {
      await deleteIfThere(files, child(this.place.folder, this.place.name));
    }
    this.#loaded = true;
  }

  async #look(name: string): Promise<Look<T>> {
    const bytes = await readIfThere(this.context.files, child(this.place.folder, name));
    if (bytes === undefined) return { kind: 'missing' };
    const opened = unwrap(bytes);
    if (!opened.ok) return { kind: 'bad', problem: opened.problem, bytes };
    const value = this.place.parse(opened.value);
    if (value === undefined) return { kind: 'bad', problem: 'not understood', bytes };
    return { kind: 'value', value, stamp: opened.stamp };
  }

  #take(look: { readonly value: T; readonly stamp: Stamp }): T {
    this.#loaded = true;
    this.#last = look.stamp;
    this.#revision = Math.max(this.#revision, look.stamp.seq);
    return look.value;
  }

  async #report(look: { readonly problem: Problem; readonly bytes: Uint8Array }): Promise<void> {
    const { name, owner } = this.place;
    const kept = await keepAside(this.context, owner, name, look.bytes);
    this.context.log.warn(
      `${name} of ${owner} is damaged (${look.problem}); a copy: ${kept ?? '-'}`,
    );
    this.place.onDamage?.({ file: name, problem: look.problem, ...(kept && { kept }) });
  }

  #spareName(slot: number): string {
    return `${this.#stem()}.${this.context.writer}.${slot}.spare`;
  }

  #isSpare(name: string): boolean {
    return name.startsWith(`${this.#stem()}.`) && name.endsWith('.spare');
  }

  #stem(): string {
    return this.place.name.slice(0, -'.json'.length);
  }
}
