import * as v from 'valibot';
import type { SessionRecord } from '../../core/session';
import { unwrap, wrap, type Problem, type Stamp } from './envelope';
import { parseRecord } from './schemas';

/** One believed record with its place in the session. */
export interface StoredRecord {
  readonly stamp: Stamp;
  readonly record: SessionRecord;
  /** The line as it is stored; a copy made of it keeps what nobody here understands. */
  readonly bytes: Uint8Array;
}

/** Orders records as the session has them: by number, then by writer. */
export function compareStamps(a: Stamp, b: Stamp): number {
  return a.seq - b.seq || (a.writer < b.writer ? -1 : a.writer > b.writer ? 1 : 0);
}

/** Opens one line: a loose record's file, or a line of a segment. */
export function openRecord(bytes: Uint8Array): StoredRecord | Problem {
  const opened = unwrap(bytes);
  if (!opened.ok) return opened.problem;
  const record = parseRecord(opened.value);
  return record === undefined ? 'not understood' : { stamp: opened.stamp, record, bytes };
}

const newline = 10;

/** A record as it is stored, without a line end. */
export type SegmentLine = Pick<StoredRecord, 'stamp' | 'bytes'>;

/** Returns a segment: a first line that names the records that follow, then lines as the loose files held them. */
export function encodeSegment(lines: readonly SegmentLine[], writer: string): Uint8Array {
  const names = lines.map(({ stamp }) => [stamp.seq, stamp.writer]);
  const head = wrap({ seq: 0, writer }, JSON.stringify({ records: names }));
  const parts = [head, ...lines.map((line) => line.bytes)];
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length + 1, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
    bytes[at++] = newline;
  }
  return bytes;
}

export interface OpenedSegment {
  readonly records: readonly StoredRecord[];
  readonly damage: readonly { readonly line: number; readonly problem: Problem }[];
  /** Records the first line names that no sound line holds. */
  readonly missing: readonly Stamp[];
}

const headSchema = v.object({ records: v.array(v.tuple([v.number(), v.string()])) });

/** Opens a segment line by line: a bad line costs itself, a missing end is said. */
export function openSegment(bytes: Uint8Array): OpenedSegment {
  const records: StoredRecord[] = [];
  const damage: { line: number; problem: Problem }[] = [];
  if (bytes.length === 0) damage.push({ line: 1, problem: 'empty' });
  let named: readonly (readonly [number, string])[] = [];
  let line = 0;
  for (let at = 0; at < bytes.length;) {
    const found = bytes.indexOf(newline, at);
    const end = found < 0 ? bytes.length : found;
    const piece = bytes.subarray(at, end);
    at = end + 1;
    line++;
    if (line > 1) {
      const opened = openRecord(piece);
      if (typeof opened === 'string') damage.push({ line, problem: opened });
      else records.push(opened);
      continue;
    }
    const head = unwrap(piece);
    const parsed = v.safeParse(headSchema, head.ok ? head.value : undefined);
    if (parsed.success) named = parsed.output.records;
    else damage.push({ line, problem: head.ok ? 'not understood' : head.problem });
  }
  const there = new Set(records.map(({ stamp }) => stampKey(stamp)));
  const missing = named
    .map(([seq, writer]) => ({ seq, writer }))
    .filter((stamp) => !there.has(stampKey(stamp)));
  if (missing.length > 0 && damage.length === 0) {
    damage.push({ line: line + 1, problem: 'cut or overwritten' });
  }
  return { records, damage, missing };
}

/** Returns what tells a record from every other one of its session. */
export function stampKey(stamp: Stamp): string {
  return `${stamp.seq}-${stamp.writer}`;
}
