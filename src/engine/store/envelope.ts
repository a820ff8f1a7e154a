import * as v from 'valibot';
import { crc32 } from './checksum';

/** The version of everything this code writes. It reads all versions before it as they are. */
export const formatVersion = 2;

/** Why stored bytes are not believed. */
export type Problem =
  | 'empty'
  | 'cut or overwritten'
  | 'wrong checksum'
  | 'not understood'
  | 'newer version'
  | 'unreadable';

/** Where a value stands: a record by number and writer, a document by revision and time. */
export interface Stamp {
  readonly seq: number;
  readonly writer: string;
}

export type Opened =
  | { readonly ok: true; readonly stamp: Stamp; readonly value: unknown }
  | { readonly ok: false; readonly problem: Problem };

const stampSchema = v.object({
  v: v.number(),
  seq: v.pipe(v.number(), v.integer(), v.minValue(0)),
  writer: v.string(),
  sum: v.string(),
});

const encoder = new TextEncoder();
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const mark = ',"value":';

/**
 * Returns JSON text wrapped as one line: `{"v":2,"seq":…,"writer":…,"sum":…,"value":<the text>}`. The sum is the CRC-32
 * of `<seq> <writer> ` and the text, so that neither can change alone.
 */
export function wrap(stamp: Stamp, json: string): Uint8Array {
  const sum = checksum(stamp, encoder.encode(json));
  const head = JSON.stringify({ v: formatVersion, seq: stamp.seq, writer: stamp.writer, sum });
  return encoder.encode(`${head.slice(0, -1)}${mark}${json}}`);
}

/** Opens what {@link wrap} made, believing nothing: cut, overwritten, zero-filled and newer ones are told apart. */
export function unwrap(bytes: Uint8Array): Opened {
  if (bytes.length === 0) return bad('empty');
  let text: string;
  try {
    text = strict.decode(bytes);
  } catch {
    return bad('cut or overwritten');
  }
  const at = text.indexOf(mark);
  if (at < 0) return bad('cut or overwritten');
  const head = v.safeParse(stampSchema, parseJson(`${text.slice(0, at)}}`));
  if (!head.success) return bad('cut or overwritten');
  if (head.output.v > formatVersion) return bad('newer version');
  if (head.output.v < 1) return bad('cut or overwritten');
  if (!text.endsWith('}')) return bad('cut or overwritten');
  // The head is ASCII (writers are checked), so the mark stands at the same place in the bytes.
  const body = bytes.subarray(at + mark.length, bytes.length - 1);
  const { seq, writer, sum } = head.output;
  if (checksum({ seq, writer }, body) !== sum) return bad('wrong checksum');
  const value = parseJson(text.slice(at + mark.length, -1));
  return value === undefined ? bad('not understood') : { ok: true, stamp: { seq, writer }, value };
}

function bad(problem: Problem): Opened {
  return { ok: false, problem };
}

function checksum(stamp: Stamp, body: Uint8Array): string {
  const sum = crc32(body, crc32(encoder.encode(`${stamp.seq} ${stamp.writer} `)));
  return sum.toString(16).padStart(8, '0');
}

/** Returns parsed JSON, or undefined for text that is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
