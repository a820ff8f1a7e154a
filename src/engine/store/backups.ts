import { Low } from 'lowdb';
import type { SessionInfo, SessionRecord } from '../../core/session';
import { RetraceError } from '../errors';
import type { StoreContext } from './damage';
import { parseManifest, parseMirrored, type BackupManifest, type StoredDraft } from './documents';
import { unwrap, wrap, type Stamp } from './envelope';
import { JsonFile } from './jsonFile';
import { child, deleteIfThere, isSafeId, listFiles, readIfThere, segmentName } from './names';
import { mapBounded } from './parallel';
import type { RecordLog } from './recordLog';
import { encodeSegment, openSegment, stampKey, type StoredRecord } from './segments';
import { SeqRanges } from './seqRanges';

/** How many backups a session keeps, and for how long; the newest one always stays. */
const keptBackups = 10;
const keptFor = 30 * 24 * 60 * 60 * 1000;
/** So many records go into one file of second copies. */
const copySize = 2048;
/** So long after a backup its records are copied, in milliseconds. */
const copyAfter = 300;

/** What a list of backups shows. */
export interface BackupInfo {
  readonly name: string;
  readonly at: number;
  readonly why: string;
  readonly title: string;
  readonly records: number;
}

/** A backup as a session can be made of it. */
export interface ReadBackup {
  readonly info: SessionInfo;
  readonly records: readonly SessionRecord[];
  readonly draft: StoredDraft | undefined;
  readonly missing: number;
}

/** A backup, read. `missing` counts records that neither the session nor the second copies hold. */
export interface BackupContents extends BackupInfo {
  readonly stored: readonly StoredRecord[];
  readonly draft: StoredDraft | undefined;
  readonly missing: number;
}

/**
 * Rolling backups. Records are written once and never changed, so a backup is a small list of which there were, made
 * before the act it guards; behind it, each record is copied once to a second place, which a damaged session heals from.
 */
export class Backups {
  readonly #copying = new Map<string, Promise<void>>();
  /** Ends the pause before a session's copies. */
  readonly #hurry = new Map<string, () => void>();

  constructor(private readonly context: StoreContext) {}

  /** Writes a backup's list and returns its name. The copying goes on behind it. */
  async take(
    id: string,
    log: RecordLog,
    what: {
      readonly why: string;
      readonly title: string;
      readonly draft: StoredDraft | undefined;
    },
  ): Promise<string> {
    await this.context.assertWritable();
    const at = this.context.now();
    const manifest: BackupManifest = {
      at,
      why: what.why,
      title: what.title,
      records: await log.known(),
      ...(what.draft === undefined ? {} : { draft: what.draft }),
    };
    const name = backupName(at, what.why, this.context.newId());
    await this.context.files.write(
      this.#uri(id, name),
      wrap({ seq: 1, writer: this.context.writer }, JSON.stringify(manifest)),
    );
    this.#copySoon(id, log);
    return name;
  }

  /** Returns a session's backups, newest first. One that cannot be read is left out. */
  async list(id: string): Promise<BackupInfo[]> {
    const names = await this.#names(id);
    const infos = await mapBounded(names, async (name) => {
      const manifest = await this.#manifest(id, name);
      return manifest === undefined ? [] : [infoOf(name, manifest)];
    });
    return infos.flat();
  }

  /** Reads a backup out of the session's records and, where they are damaged, out of the second copies. */
  async read(id: string, name: string, log: RecordLog): Promise<BackupContents> {
    const manifest = (await this.#names(id)).includes(name)
      ? await this.#manifest(id, name)
      : undefined;
    if (manifest === undefined) {
      throw new RetraceError('not_found', 'There is no such backup, or it cannot be read.');
    }
    const wanted = rangesOf(manifest.records);
    const { records } = await log.load();
    const stored = records.filter(({ stamp }) => holds(wanted, stamp));
    const info = infoOf(name, manifest);
    if (stored.length < info.records) {
      const there = new Set(stored.map(({ stamp }) => stampKey(stamp)));
      for (const copy of await this.copies(id)) {
        if (!holds(wanted, copy.stamp) || there.has(stampKey(copy.stamp))) continue;
        there.add(stampKey(copy.stamp));
        stored.push(copy);
      }
    }
    const missing = info.records - stored.length;
    return { ...info, stored, draft: manifest.draft, missing };
  }

  /** Returns every second copy of a session's records that is sound. */
  async copies(id: string): Promise<StoredRecord[]> {
    const folder = this.context.paths.mirror(id);
    const names = (await listFiles(this.context.files, folder)).filter((each) =>
      each.endsWith('.jsonl'),
    );
    const opened = await mapBounded(names, async (name) => {
      const bytes = await readIfThere(this.context.files, child(folder, name));
      return bytes === undefined ? [] : openSegment(bytes).records;
    });
    return opened.flat();
  }

  /** Resolves when the second copies of a session that are under way are made. */
  async settled(id: string): Promise<void> {
    this.#hurry.get(id)?.();
    await this.#copying.get(id);
  }

  #copySoon(id: string, log: RecordLog): void {
    // Those that wait will copy what this one would.
    if (this.#hurry.has(id)) return;
    const before = this.#copying.get(id) ?? Promise.resolve();
    const copying = Promise.all([before, this.#pause(id)])
      .then(() => this.#copy(id, log))
      .then(() => this.#prune(id))
      .catch((error: unknown) => {
        // The next backup tries again: what has no copy yet is found then.
        this.context.log.warn(`Second copies of session ${id} were not made`, error);
      })
      .finally(() => {
        if (this.#copying.get(id) === copying) this.#copying.delete(id);
      });
    this.#copying.set(id, copying);
  }

  /** What the backup was made before comes first, unless somebody waits for the copies. */
  #pause(id: string): Promise<void> {
    return new Promise((resolve) => {
      const go = (): void => {
        clearTimeout(timer);
        this.#hurry.delete(id);
        resolve();
      };
      const timer = setTimeout(go, copyAfter);
      this.#hurry.set(id, go);
    });
  }

  async #copy(id: string, log: RecordLog): Promise<void> {
    const folder = this.context.paths.mirror(id);
    const parse = parseMirrored;
    type Mirrored = NonNullable<ReturnType<typeof parse>>;
    const document = new Low<Mirrored | null>(
      new JsonFile<Mirrored | null>(this.context, {
        folder,
        name: 'copied.json',
        owner: id,
        parse,
      }),
      null,
    );
    await document.read();
    const have = rangesOf(document.data?.records ?? {});
    const done = new Set(document.data?.segments);
    const { lines, segments } = await log.lines((stamp) => holds(have, stamp), done);
    if (lines.length === 0 && segments.every((name) => done.has(name))) return;
    for (let at = 0; at < lines.length; at += copySize) {
      const some = lines.slice(at, at + copySize);
      const [first, last] = [some[0], some.at(-1)];
      if (first === undefined || last === undefined) break;
      const unique = `${this.context.writer}-${this.context.newId()}`;
      const name = segmentName(first.stamp.seq, last.stamp.seq, unique).replace(/json$/u, 'jsonl');
      await this.context.files.write(child(folder, name), encodeSegment(some, this.context.writer));
      for (const { stamp } of some) {
        const ranges = have.get(stamp.writer) ?? new SeqRanges();
        ranges.add(stamp.seq);
        have.set(stamp.writer, ranges);
      }
    }
    document.data = {
      records: Object.fromEntries([...have].map(([writer, ranges]) => [writer, ranges.list()])),
      segments: [...segments],
    };
    await document.write();
  }

  async #prune(id: string): Promise<void> {
    const names = await this.#names(id);
    const oldest = backupName(this.context.now() - keptFor, '', '');
    const old = names.filter((name, index) => index >= keptBackups || (index > 0 && name < oldest));
    for (const name of old) await deleteIfThere(this.context.files, this.#uri(id, name));
  }

  /** Returns the names of a session's backups, newest first: they begin with their time. */
  async #names(id: string): Promise<string[]> {
    const names = await listFiles(this.context.files, this.context.paths.backups(id));
    return names
      .filter((name) => name.endsWith('.json') && isSafeId(name.slice(0, -5)))
      .map((name) => name.slice(0, -5))
      .reverse();
  }

  async #manifest(id: string, name: string): Promise<BackupManifest | undefined> {
    const bytes = await readIfThere(this.context.files, this.#uri(id, name));
    const opened = bytes === undefined ? undefined : unwrap(bytes);
    return opened?.ok === true ? parseManifest(opened.value) : undefined;
  }

  #uri(id: string, name: string): string {
    return child(this.context.paths.backups(id), `${name}.json`);
  }
}

/** Returns a name that sorts by time, says why, and is like no other. */
function backupName(at: number, why: string, id: string): string {
  const time = new Date(at).toISOString().replace(/[-:.]/gu, '');
  const reason = why
    .toLowerCase()
    .replace(/[^a-z0-9]+/gu, '-')
    .slice(0, 24);
  return `${time}-${reason}-${id.replace(/[^A-Za-z0-9_-]/gu, '').slice(0, 24)}`;
}

function infoOf(name: string, manifest: BackupManifest): BackupInfo {
  const ranges = Object.values(manifest.records).flat();
  const records = ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0);
  return { name, at: manifest.at, why: manifest.why, title: manifest.title, records };
}

function rangesOf(records: BackupManifest['records']): Map<string, SeqRanges> {
  return new Map(Object.entries(records).map(([writer, ranges]) => [writer, SeqRanges.of(ranges)]));
}

function holds(ranges: ReadonlyMap<string, SeqRanges>, stamp: Stamp): boolean {
  return ranges.get(stamp.writer)?.has(stamp.seq) ?? false;
}
