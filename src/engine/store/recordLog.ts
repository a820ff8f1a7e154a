import { stands, type SessionRecord } from '../../core/session';
import { RetraceError } from '../errors';
import type { DamageReport, StoreContext } from './damage';
import { wrap, type Stamp } from './envelope';
import { recordName, segmentName, stampOfName } from './names';
import { mapBounded } from './parallel';
import { RecordFiles, type Bad, type RecordFolder } from './recordFiles';
import { parseRecord } from './schemas';
import {
  compareStamps,
  encodeSegment,
  stampKey,
  type SegmentLine,
  type StoredRecord,
} from './segments';
import { SeqRanges } from './seqRanges';

/** From this many records on, one append is one segment: a fork of 10,000 messages is one write. */
const batchSize = 8;
/** So many loose records are packed into a segment. */
const sealSize = 256;
/** After so many looks a file that does not open is taken for damaged for good. */
const looks = 4;

export interface Scan {
  /** In the session's order. */
  readonly records: readonly StoredRecord[];
  /** So many of them, the first ones, come before what said last where the session stands, as far as was known. */
  readonly late: number;
  readonly damage: readonly DamageReport[];
}

/** Which records there are: ranges of numbers, both ends included, by writer. */
export type Known = Readonly<Record<string, readonly (readonly [number, number])[]>>;

/**
 * The records of one session: write-once files, ordered by (number, writer). A number is one more than the highest seen,
 * so a record that follows from another always comes after it, whichever window wrote either.
 */
export class RecordLog {
  readonly #files: RecordFiles;
  readonly #seen = new Map<string, SeqRanges>();
  /** Names of loose records and of segments that need not be read again. */
  readonly #done = { records: new Set<string>(), segments: new Set<string>() };
  readonly #badLooks = new Map<string, number>();
  #highest = 0;
  /** The newest known record that says where the session stands. */
  #standing: Stamp | undefined;
  #listed = false;
  #loaded = false;
  #sealAt = sealSize;
  #sealing: Promise<void> | undefined;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly context: StoreContext,
    private readonly id: string,
    /** Returns second copies of records, asked for when some are damaged. */
    private readonly copies: () => Promise<readonly StoredRecord[]>,
  ) {
    this.#files = new RecordFiles(context, id);
  }

  /** Says that the session is new, so that nothing need be listed. */
  startEmpty(): void {
    this.#listed = true;
    this.#loaded = true;
  }

  /** Reads the whole session. */
  load(): Promise<Scan> {
    return this.#queue(async () => {
      this.#seen.clear();
      this.#standing = undefined;
      this.#done.records.clear();
      this.#done.segments.clear();
      this.#badLooks.clear();
      const scan = await this.#scan(true);
      this.#listed = true;
      this.#loaded = true;
      return scan;
    });
  }

  /** Reads what other writers have added since the last look. */
  refresh(): Promise<Scan> {
    return this.#queue(() => this.#scan(false));
  }

  /** Stores records in order and resolves when they are on disk. A failed append leaves nothing of itself, if it can. */
  async append(records: readonly SessionRecord[]): Promise<void> {
    const texts = records.map((record) => {
      const json = JSON.stringify(record);
      if (parseRecord(JSON.parse(json)) !== undefined) return json;
      throw new RetraceError('storage', 'Retrace made a record it could not read back.');
    });
    await this.#queue(() => this.#append(texts, records));
  }

  /** Returns which records there are. Costs nothing that grows once the session is loaded. */
  async known(): Promise<Known> {
    if (!this.#loaded) await this.load();
    await this.#tail;
    return Object.fromEntries([...this.#seen].map(([writer, ranges]) => [writer, ranges.list()]));
  }

  /** Packs the loose records into a segment when there are at least `least` of them. */
  seal(least = sealSize): Promise<void> {
    this.#sealing ??= this.#seal(Math.max(least, 2)).finally(() => (this.#sealing = undefined));
    return this.#sealing;
  }

  /** Opens what is not in `except`: lines to copy, and the segments that were read for it. */
  async lines(
    except: (stamp: Stamp) => boolean,
    segmentsDone: ReadonlySet<string>,
  ): Promise<{ readonly lines: readonly StoredRecord[]; readonly segments: readonly string[] }> {
    await this.#tail;
    const { names } = await this.#files.names('records');
    const segments = (await this.#files.names('segments')).names;
    const fresh = segments.filter((name) => !segmentsDone.has(name));
    // A record's name says which it is: those that are not wanted need not be read, however many there are.
    const wanted = names.filter((name) => {
      const stamp = stampOfName(name);
      return stamp === undefined || !except(stamp);
    });
    const loose = await this.#open('records', wanted);
    const opened = await this.#open('segments', fresh);
    const lines = new Map<string, StoredRecord>();
    for (const { file } of [...loose, ...opened]) {
      for (const each of file?.records ?? []) {
        if (!except(each.stamp)) lines.set(stampKey(each.stamp), each);
      }
    }
    // One that is damaged, or still being written, is read again the next time.
    const unsound = new Set(
      opened.filter(({ file }) => file?.bad.length !== 0).map((each) => each.name),
    );
    return {
      lines: [...lines.values()].sort((a, b) => compareStamps(a.stamp, b.stamp)),
      segments: segments.filter((name) => !unsound.has(name)),
    };
  }

  /** Resolves when every append so far has settled. */
  async settled(): Promise<void> {
    await this.#tail;
  }

  #queue<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(work);
    this.#tail = result.catch(() => undefined);
    return result;
  }

  async #append(texts: readonly string[], records: readonly SessionRecord[]): Promise<void> {
    await this.context.assertWritable();
    if (!this.#listed) await this.#list();
    const { writer } = this.context;
    const lines = texts.map((json): SegmentLine => {
      const stamp = { seq: ++this.#highest, writer };
      return { stamp, bytes: wrap(stamp, json) };
    });
    const [first] = lines;
    if (first === undefined) return;
    if (lines.length >= batchSize) {
      const name = segmentName(first.stamp.seq, this.#highest, writer);
      await this.#files.write('segments', name, encodeSegment(lines, writer));
      this.#done.segments.add(name);
    } else {
      await this.#writeLoose(lines);
    }
    for (const { stamp } of lines) this.#see(stamp);
    const standing = lines[records.findLastIndex(stands)];
    if (standing !== undefined) this.#stand(standing.stamp);
    if (this.#done.records.size >= this.#sealAt) this.#sealSoon();
  }

  async #writeLoose(lines: readonly SegmentLine[]): Promise<void> {
    const written: string[] = [];
    try {
      for (const { stamp, bytes } of lines) {
        const name = recordName(stamp.seq, stamp.writer);
        await this.#files.write('records', name, bytes);
        written.push(name);
      }
    } catch (error) {
      // Last first, so that what a crash leaves is always a beginning.
      for (const name of written.reverse()) await this.#files.drop('records', name);
      throw error;
    }
    for (const name of written) this.#done.records.add(name);
  }

  async #list(): Promise<void> {
    for (const folder of ['records', 'segments'] as const) {
      const { names, highest } = await this.#files.names(folder);
      this.#highest = Math.max(this.#highest, highest);
      // What is in them is not known; that they can be packed is.
      if (folder === 'records') for (const name of names) this.#done.records.add(name);
    }
    this.#listed = true;
  }

  async #scan(whole: boolean): Promise<Scan> {
    const found: StoredRecord[] = [];
    let bad: Bad[] = [];
    // Another window may be half way through writing what does not open: it is looked at twice.
    for (let round = 0; round < (whole ? 2 : 1) && (round === 0 || bad.length > 0); round++) {
      // Segments after records: what is packed away in between is then in a segment that is seen.
      bad = [
        ...(await this.#scanFolder('records', found)),
        ...(await this.#scanFolder('segments', found)),
      ];
    }
    const looked = new Set(bad.map((each) => each.name));
    for (const name of looked) this.#badLooks.set(name, (this.#badLooks.get(name) ?? 0) + 1);
    const told = whole ? bad : bad.filter((each) => this.#badLooks.get(each.name) === looks);
    if (told.length > 0) await this.#heal(found);
    const damage = await mapBounded(told, (each) =>
      this.#files.report(
        each,
        each.missing.length > 0 && each.missing.every((stamp) => this.#sees(stamp)),
      ),
    );
    found.sort((a, b) => compareStamps(a.stamp, b.stamp));
    const known = this.#standing;
    const late = known && found.filter(({ stamp }) => compareStamps(stamp, known) < 0).length;
    const standing = found.findLast(({ record }) => stands(record));
    if (standing !== undefined) this.#stand(standing.stamp);
    return { records: found, late: late ?? 0, damage };
  }

  async #scanFolder(folder: RecordFolder, found: StoredRecord[]): Promise<Bad[]> {
    const { names, highest } = await this.#files.names(folder);
    this.#highest = Math.max(this.#highest, highest);
    const done = this.#done[folder];
    const there = new Set(names);
    // Loose records are packed away by any window; a segment is never removed, nor its name given twice.
    if (folder === 'records') for (const name of done) if (!there.has(name)) done.delete(name);
    const fresh = names.filter(
      (name) => !done.has(name) && (this.#badLooks.get(name) ?? 0) < looks,
    );
    const bad: Bad[] = [];
    for (const { name, file } of await this.#open(folder, fresh)) {
      if (file === undefined) continue;
      for (const each of file.records) if (this.#see(each.stamp)) found.push(each);
      if (file.bad.length === 0) done.add(name);
      bad.push(...file.bad);
    }
    return bad;
  }

  #open(folder: RecordFolder, names: readonly string[]) {
    return mapBounded(names, async (name) => ({
      name,
      file: await this.#files.open(folder, name),
    }));
  }

  async #heal(found: StoredRecord[]): Promise<void> {
    try {
      for (const each of await this.copies()) if (this.#see(each.stamp)) found.push(each);
    } catch (error) {
      this.context.log.warn(`The second copies of session ${this.id} cannot be read`, error);
    }
  }

  #sealSoon(): void {
    this.seal().catch((error: unknown) => {
      // The loose records stay and are read as before.
      this.#sealAt = this.#done.records.size + sealSize;
      this.context.log.warn(`Records of session ${this.id} were not packed`, error);
    });
  }

  async #seal(least: number): Promise<void> {
    await this.context.assertWritable();
    if (!this.#listed) await this.#queue(() => this.#list());
    const names = [...this.#done.records].sort();
    if (names.length < least) return;
    const opened = await this.#open('records', names);
    const lines = opened.flatMap(({ file }) => file?.records ?? []);
    lines.sort((a, b) => compareStamps(a.stamp, b.stamp));
    const [first, last] = [lines[0], lines.at(-1)];
    if (first === undefined || last === undefined) return;
    const segment = this.#freeName(first.stamp.seq, last.stamp.seq);
    await this.#files.write('segments', segment, encodeSegment(lines, this.context.writer));
    const back = await this.#files.open('segments', segment);
    if (back?.bad.length !== 0 || back.records.length !== lines.length) {
      await this.#files.drop('segments', segment);
      throw new RetraceError('storage', 'A packed file did not read back as it was written.');
    }
    this.#done.segments.add(segment);
    // What did not open, or is gone, is not in the segment: it stays where it is.
    const packed = opened.filter(({ file }) => file?.records.length === 1);
    await mapBounded(packed, async ({ name }) => {
      await this.#files.delete('records', name);
      this.#done.records.delete(name);
    });
    this.#sealAt = sealSize + this.#done.records.size;
  }

  #freeName(from: number, to: number): string {
    for (let n = 0; ; n++) {
      const name = segmentName(from, to, `${this.context.writer}${n === 0 ? '' : `~${n}`}`);
      if (!this.#done.segments.has(name)) return name;
    }
  }

  #stand(stamp: Stamp): void {
    if (this.#standing === undefined || compareStamps(this.#standing, stamp) < 0)
      this.#standing = stamp;
  }

  /** Notes a record and says whether it is new. */
  #see(stamp: Stamp): boolean {
    if (this.#sees(stamp)) return false;
    const ranges = this.#seen.get(stamp.writer) ?? new SeqRanges();
    ranges.add(stamp.seq);
    this.#seen.set(stamp.writer, ranges);
    this.#highest = Math.max(this.#highest, stamp.seq);
    return true;
  }

  #sees(stamp: Stamp): boolean {
    return this.#seen.get(stamp.writer)?.has(stamp.seq) ?? false;
  }
}
