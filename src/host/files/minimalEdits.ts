import { diffLines } from '../../core/lineDiff';

/** Replaces the characters from offset `start` to before `end` of the old text. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export type LineEnd = '\n' | '\r\n';

/** Fewer than the merge allows: an editor waits for this, and one larger replacement is right as well. */
const bounds = { maxBytes: Infinity, maxEdits: 4_000, maxMilliseconds: 100 };

/**
 * Returns the replacements, in order and apart from each other, that turn one text into another and touch as little as
 * they can, so that cursors, selections and folds between them stay. None begins or ends inside a surrogate pair or CRLF.
 */
export function minimalEdits(before: string, after: string): readonly Replacement[] {
  if (before === after) return [];
  const oldLines = splitLines(before);
  const hunks = diffLines(oldLines, splitLines(after), bounds);
  if (hunks === undefined) return trimmed(before, 0, before.length, after);
  const offsets = [0];
  for (const line of oldLines) offsets.push((offsets.at(-1) ?? 0) + line.length);
  return hunks.flatMap((hunk) => {
    const start = offsets[hunk.start] ?? before.length;
    const end = offsets[hunk.end] ?? before.length;
    return trimmed(before, start, end, hunk.lines.join(''));
  });
}

/** Returns the text with every line end (LF, CRLF or a lone CR, as the editor reads them) made the same. */
export function withLineEnds(text: string, lineEnd: LineEnd): string {
  return text.replace(/\r\n|\r|\n/gu, lineEnd);
}

/** Returns the line end the editor picks for a text: the commoner one, or the given one where there is none. */
export function commonLineEnd(text: string, otherwise: LineEnd): LineEnd {
  let withReturn = 0;
  let total = 0;
  for (const [lineEnd] of text.matchAll(/\r\n|\r|\n/gu)) {
    total += 1;
    if (lineEnd !== '\n') withReturn += 1;
  }
  if (total === 0) return otherwise;
  return withReturn > total / 2 ? '\r\n' : '\n';
}

function splitLines(text: string): readonly string[] {
  return text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/gu) ?? [];
}

/** Cuts what both sides begin and end with from one replacement. */
function trimmed(before: string, start: number, end: number, text: string): Replacement[] {
  const most = Math.min(end - start, text.length);
  let head = 0;
  while (head < most && before.charCodeAt(start + head) === text.charCodeAt(head)) head++;
  while (head > 0 && (splits(before, start + head) || splits(text, head))) head--;
  let tail = 0;
  while (
    tail < most - head &&
    before.charCodeAt(end - 1 - tail) === text.charCodeAt(text.length - 1 - tail)
  ) {
    tail++;
  }
  while (tail > 0 && (splits(before, end - tail) || splits(text, text.length - tail))) tail--;
  const replacement = {
    start: start + head,
    end: end - tail,
    text: text.slice(head, text.length - tail),
  };
  return replacement.start === replacement.end && replacement.text === '' ? [] : [replacement];
}

/** Says whether a cut at this offset would part a surrogate pair or a CRLF. */
function splits(text: string, offset: number): boolean {
  const left = text.charCodeAt(offset - 1);
  const right = text.charCodeAt(offset);
  if (left === 0x0d) return right === 0x0a;
  return left >= 0xd800 && left <= 0xdbff && right >= 0xdc00 && right <= 0xdfff;
}
