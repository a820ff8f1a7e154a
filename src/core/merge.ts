import {
  bytesToLines,
  diffBounds,
  diffLines,
  linesToBytes,
  type DiffBounds,
  type Hunk,
} from './lineDiff';

/** Why two changes could not be merged. */
export type MergeFailure = 'same lines' | 'not text' | 'too large' | 'took too long';

export type MergeResult =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly why: MergeFailure };

/**
 * Merges two changes of one file by lines (diff3: Khanna, Kunal and Pierce, "A Formal Investigation of Diff3", 2007, with
 * one difference: replaced runs that only touch do not conflict). Works on bytes, so line ends and encodings stay.
 * Bounded by size, edits and time; beyond the bounds it says so instead of merging.
 */
export function merge3(
  base: Uint8Array,
  ours: Uint8Array,
  theirs: Uint8Array,
  bounds: DiffBounds = diffBounds,
): MergeResult {
  if (Math.max(base.length, ours.length, theirs.length) > bounds.maxBytes)
    return { ok: false, why: 'too large' };
  const lines = [base, ours, theirs].map((bytes) => bytesToLines(bytes, bounds));
  const [baseLines, ourLines, theirLines] = lines;
  if (baseLines === undefined || ourLines === undefined || theirLines === undefined) {
    return { ok: false, why: 'not text' };
  }
  const half = { ...bounds, maxMilliseconds: bounds.maxMilliseconds / 2 };
  const ourHunks = diffLines(baseLines, ourLines, half);
  const theirHunks = ourHunks && diffLines(baseLines, theirLines, half);
  if (ourHunks === undefined || theirHunks === undefined)
    return { ok: false, why: 'took too long' };
  const hunks = interleave(ourHunks, theirHunks);
  if (hunks === undefined) return { ok: false, why: 'same lines' };
  return { ok: true, bytes: linesToBytes(applyHunks(baseLines, hunks)) };
}

/** Returns the hunks of both sides in order, equal ones once, or undefined where two of them meet. */
function interleave(ours: readonly Hunk[], theirs: readonly Hunk[]): Hunk[] | undefined {
  const merged: Hunk[] = [];
  let left = 0;
  let right = 0;
  for (;;) {
    const our = ours[left];
    const their = theirs[right];
    if (our === undefined || their === undefined) {
      return [...merged, ...ours.slice(left), ...theirs.slice(right)];
    }
    if (sameHunk(our, their)) {
      merged.push(our);
      left++;
      right++;
    } else if (meet(our, their)) {
      return undefined;
    } else if (our.start < their.start || (our.start === their.start && our.end < their.end)) {
      merged.push(our);
      left++;
    } else {
      merged.push(their);
      right++;
    }
  }
}

function sameHunk(a: Hunk, b: Hunk): boolean {
  return (
    a.start === b.start &&
    a.end === b.end &&
    a.lines.length === b.lines.length &&
    a.lines.every((line, index) => line === b.lines[index])
  );
}

/** Two replaced runs meet when they overlap; an insertion already meets what it touches, for its order is not known. */
function meet(a: Hunk, b: Hunk): boolean {
  if (a.start === a.end || b.start === b.end) return a.start <= b.end && b.start <= a.end;
  return a.start < b.end && b.start < a.end;
}

function applyHunks(base: readonly string[], hunks: readonly Hunk[]): string[] {
  const lines: string[] = [];
  let at = 0;
  for (const hunk of hunks) {
    lines.push(...base.slice(at, hunk.start), ...hunk.lines);
    at = hunk.end;
  }
  return [...lines, ...base.slice(at)];
}
