import { keepAside, type DamageReport, type StoreContext } from './damage';
import type { Problem, Stamp } from './envelope';
import { child, deleteIfThere, highestSeq, listFiles, readIfThere, stampOfName } from './names';
import { openRecord, openSegment, type StoredRecord } from './segments';

export type RecordFolder = 'records' | 'segments';

/** A file, or a line of one, that was not believed. */
export interface Bad {
  readonly folder: RecordFolder;
  readonly name: string;
  readonly bytes?: Uint8Array;
  readonly problem: Problem;
  readonly line?: number;
  /** The records that are known to be in the damaged part. */
  readonly missing: readonly Stamp[];
}

export interface OpenedFile {
  readonly records: readonly StoredRecord[];
  readonly bad: readonly Bad[];
}

/** The two folders of one session's records: what is in them, opened file by file. */
export class RecordFiles {
  constructor(
    private readonly context: StoreContext,
    private readonly id: string,
  ) {}

  /** Returns the names that are records or segments, with the highest number any of them speaks of. */
  async names(
    folder: RecordFolder,
  ): Promise<{ readonly names: readonly string[]; readonly highest: number }> {
    const all = await listFiles(this.context.files, this.#folder(folder));
    const names = all.filter((name) => highestSeq(name) !== undefined);
    const highest = names.reduce((most, name) => Math.max(most, highestSeq(name) ?? 0), 0);
    return { names, highest };
  }

  /** Opens a file; undefined when it is gone. A file that cannot be read is a bad one, not an end to everything. */
  async open(folder: RecordFolder, name: string): Promise<OpenedFile | undefined> {
    const uri = child(this.#folder(folder), name);
    const stamp = folder === 'records' ? stampOfName(name) : undefined;
    const missing = stamp === undefined ? [] : [stamp];
    let bytes: Uint8Array | undefined;
    try {
      bytes = await readIfThere(this.context.files, uri);
    } catch (error) {
      this.context.log.warn(`${folder}/${name} of session ${this.id} cannot be read`, error);
      return { records: [], bad: [{ folder, name, problem: 'unreadable', missing }] };
    }
    if (bytes === undefined) return undefined;
    if (folder === 'records') {
      const opened = openRecord(bytes);
      if (typeof opened !== 'string') return { records: [opened], bad: [] };
      return { records: [], bad: [{ folder, name, bytes, problem: opened, missing }] };
    }
    const { records, damage, missing: lost } = openSegment(bytes);
    return {
      records,
      bad: damage.map((each) => ({ folder, name, bytes, ...each, missing: lost })),
    };
  }

  /** Writes a file that is never written again. What a failure leaves of it is taken away: nobody was told it is there. */
  async write(folder: RecordFolder, name: string, bytes: Uint8Array): Promise<void> {
    try {
      await this.context.files.write(child(this.#folder(folder), name), bytes);
    } catch (error) {
      await this.drop(folder, name);
      throw error;
    }
  }

  async delete(folder: RecordFolder, name: string): Promise<void> {
    await deleteIfThere(this.context.files, child(this.#folder(folder), name));
  }

  /** Deletes a rest nobody believes in; that it stays would be reported as damage and harm nothing else. */
  async drop(folder: RecordFolder, name: string): Promise<void> {
    try {
      await this.delete(folder, name);
    } catch (error) {
      this.context.log.warn(`A rest of a failed write stays: ${folder}/${name}`, error);
    }
  }

  /** Keeps a copy of what is damaged and says so. */
  async report(bad: Bad, recovered: boolean): Promise<DamageReport> {
    const file = `${bad.folder}/${bad.name}`;
    let kept: string | undefined;
    try {
      if (bad.bytes !== undefined)
        kept = await keepAside(this.context, this.id, bad.name, bad.bytes);
    } catch (error) {
      // The damaged file itself is never changed or removed.
      this.context.log.warn(`No copy could be made of ${file}`, error);
    }
    this.context.log.warn(`${file} of session ${this.id} is damaged (${bad.problem})`);
    return {
      file,
      problem: bad.problem,
      ...(bad.line === undefined ? {} : { line: bad.line }),
      ...(kept === undefined ? {} : { kept }),
      ...(recovered ? { recovered } : {}),
    };
  }

  #folder(folder: RecordFolder): string {
    const { paths } = this.context;
    return folder === 'records' ? paths.records(this.id) : paths.segments(this.id);
  }
}
