import { diffArrays } from 'diff';

/** Bounds under which lines are compared; beyond them the answer is "not known", never a wrong one. */
export interface DiffBounds {
  /** Bytes of the larger side. */
  readonly maxBytes: number;
  /** Inserted plus removed lines. */
  readonly maxEdits: number;
  readonly maxMilliseconds: number;
}

export const diffBounds: DiffBounds = {
  maxBytes: 1_000_000,
  maxEdits: 20_000,
  maxMilliseconds: 200,
};

/** A run of `base` lines, from `start` to before `end`, that the other side replaces by `lines`. */
export interface Hunk {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/**
 * Splits bytes into lines, each with its line end (LF, CRLF or a lone CR), one character per byte: no encoding is assumed
 * and joining gives the same bytes back. Returns undefined for what is not text (a NUL byte) or too large.
 */
export function bytesToLines(
  bytes: Uint8Array,
  bounds: DiffBounds = diffBounds,
): string[] | undefined {
  if (bytes.length > bounds.maxBytes || bytes.includes(0)) return undefined;
  return byteString(bytes).match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/gu) ?? [];
}

/** Returns the bytes of lines made by {@link bytesToLines}. */
export function linesToBytes(lines: readonly string[]): Uint8Array {
  const text = lines.join('');
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
  return bytes;
}

/** Returns the hunks that turn `base` into `other`, in order, or undefined when the bounds were reached. */
export function diffLines(
  base: readonly string[],
  other: readonly string[],
  bounds: DiffBounds = diffBounds,
): Hunk[] | undefined {
  let head = 0;
  while (head < base.length && head < other.length && base[head] === other[head]) head++;
  let tail = 0;
  const most = Math.min(base.length, other.length) - head;
  while (tail < most && base[base.length - 1 - tail] === other[other.length - 1 - tail]) tail++;
  const baseMiddle = base.slice(head, base.length - tail);
  const otherMiddle = other.slice(head, other.length - tail);
  if (baseMiddle.length === 0 || otherMiddle.length === 0) {
    return baseMiddle.length + otherMiddle.length === 0
      ? []
      : [{ start: head, end: head + baseMiddle.length, lines: otherMiddle }];
  }
  const changes = diffArrays(baseMiddle, otherMiddle, {
    maxEditLength: bounds.maxEdits,
    timeout: bounds.maxMilliseconds,
  });
  return changes === undefined ? undefined : toHunks(changes, head);
}

function toHunks(
  changes: readonly {
    readonly added: boolean;
    readonly removed: boolean;
    readonly value: readonly string[];
  }[],
  from: number,
): Hunk[] {
  const hunks: Hunk[] = [];
  let at = from;
  let open: { start: number; end: number; lines: string[] } | undefined;
  for (const change of changes) {
    if (!change.added && !change.removed) {
      if (open !== undefined) hunks.push(open);
      open = undefined;
      at += change.value.length;
      continue;
    }
    open ??= { start: at, end: at, lines: [] };
    if (change.added) {
      open.lines.push(...change.value);
    } else {
      at += change.value.length;
      open.end = at;
    }
  }
  if (open !== undefined) hunks.push(open);
  return hunks;
}

/** Counts added and removed lines between two contents; undefined for what has no lines or took too long. */
export function countLines(
  before: Uint8Array,
  after: Uint8Array,
  bounds: DiffBounds = diffBounds,
): { readonly added: number; readonly removed: number } | undefined {
  if ([before, after].some((bytes) => bytes.length > bounds.maxBytes || bytes.includes(0)))
    return undefined;
  const [head, tail] = commonLines(before, after);
  const base = bytesToLines(before.subarray(head, before.length - tail), bounds);
  const other = bytesToLines(after.subarray(head, after.length - tail), bounds);
  const hunks = base && other && diffLines(base, other, bounds);
  if (hunks === undefined) return undefined;
  return {
    added: hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0),
    removed: hunks.reduce((sum, hunk) => sum + hunk.end - hunk.start, 0),
  };
}

const lineFeed = 10;

/** Returns how many bytes of whole lines two contents have in common at their beginning and at their end. */
function commonLines(a: Uint8Array, b: Uint8Array): [head: number, tail: number] {
  const most = Math.min(a.length, b.length);
  let head = 0;
  while (head < most && a[head] === b[head]) head++;
  while (head > 0 && a[head - 1] !== lineFeed) head--;
  let tail = 0;
  while (tail < most - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  // The line the tail begins in is not whole: the tail is what follows its end.
  const end = a.indexOf(lineFeed, a.length - tail);
  return [head, end === -1 ? 0 : a.length - 1 - end];
}

function byteString(bytes: Uint8Array): string {
  const chunk = 0x8000;
  let text = '';
  for (let at = 0; at < bytes.length; at += chunk) {
    text += String.fromCharCode(...bytes.subarray(at, at + chunk));
  }
  return text;
}
