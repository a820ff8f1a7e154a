import * as v from 'valibot';
import type { FileSystem, Log } from '../ports';
import { unwrap, wrap } from './envelope';
import { child, readIfThere } from './names';

const schema = v.object({ bytes: v.pipe(v.number(), v.minValue(0)) });
/** So many bytes may come before the figure is written again. */
const saveEvery = 4_000_000;

/**
 * What the stored copies take on disk. Counting them asks about every single one, so the figure is kept beside them and
 * added to. It may be a little wrong, after a crash or where windows write at once: who acts on it counts first.
 */
export class BlobUsage {
  #stored: number | undefined;
  /** What this process added since the stored figure was read. */
  #own = 0;
  #reading: Promise<void> | undefined;
  #saving: Promise<void> = Promise.resolve();

  constructor(
    private readonly root: string,
    private readonly ports: { readonly files: FileSystem; readonly log: Log },
    private readonly count: () => Promise<number>,
  ) {}

  /** Returns bytes on disk, or undefined while that is being found out for the first time. */
  get bytes(): number | undefined {
    void this.#find();
    return this.#stored === undefined ? undefined : Math.max(0, this.#stored + this.#own);
  }

  /** Resolves when the figure is known; returns it. */
  async known(): Promise<number> {
    await this.#find();
    return this.bytes ?? 0;
  }

  /** Counts anew. */
  async counted(): Promise<number> {
    this.set(await this.count());
    return this.known();
  }

  /** Takes over what somebody counted. */
  set(bytes: number): void {
    this.#reading = Promise.resolve();
    this.#stored = bytes;
    this.#own = 0;
    this.#save(() => bytes);
  }

  add(bytes: number): void {
    this.#own += bytes;
    if (Math.abs(this.#own) >= saveEvery) this.#saveOwn();
  }

  /** Puts the figure on disk. */
  async flush(): Promise<void> {
    if (this.#own !== 0 && this.#stored !== undefined) this.#saveOwn();
    await this.#saving;
  }

  /** Never rejects. */
  #find(): Promise<void> {
    this.#reading ??= this.#readOrCount();
    return this.#reading;
  }

  async #readOrCount(): Promise<void> {
    try {
      const stored = await this.#read();
      this.#stored = stored ?? (await this.count()) - this.#own;
    } catch (error) {
      this.#reading = undefined;
      this.ports.log.warn('What the stored copies take could not be found out', error);
    }
  }

  /** Other windows add too: what they wrote is added to. */
  #saveOwn(): void {
    if (this.#stored === undefined) return;
    const own = this.#own;
    const stored = this.#stored;
    this.#own = 0;
    this.#stored = stored + own;
    this.#save((theirs) => (theirs ?? stored) + own);
  }

  #save(figure: (theirs: number | undefined) => number): void {
    this.#saving = this.#saving
      .then(async () => {
        const bytes = Math.max(0, figure(await this.#read()));
        await this.ports.files.write(
          this.#uri,
          wrap({ seq: 1, writer: 'usage' }, JSON.stringify({ bytes })),
        );
      })
      .catch((error: unknown) =>
        this.ports.log.warn('What the stored copies take could not be noted', error),
      );
  }

  async #read(): Promise<number | undefined> {
    const bytes = await readIfThere(this.ports.files, this.#uri);
    const opened = bytes === undefined ? undefined : unwrap(bytes);
    const parsed = v.safeParse(schema, opened?.ok === true ? opened.value : undefined);
    return parsed.success ? parsed.output.bytes : undefined;
  }

  get #uri(): string {
    return child(this.root, 'usage.json');
  }
}
