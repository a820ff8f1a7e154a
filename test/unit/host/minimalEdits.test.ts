import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commonLineEnd, minimalEdits, withLineEnds } from '../../../src/host/files/minimalEdits';
import type { Replacement } from '../../../src/host/files/minimalEdits';

const piece = fc.constantFrom(
  'a',
  'b',
  'ab',
  ' ',
  '\n',
  '\r\n',
  '\r',
  '😀',
  '😁',
  'é',
  '\uD83D',
  '',
);
const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));

function apply(before: string, edits: readonly Replacement[]): string {
  let after = '';
  let at = 0;
  for (const edit of edits) {
    expect(edit.start).toBeGreaterThanOrEqual(at);
    after += before.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return after + before.slice(at);
}

function parts(whole: string, offset: number): boolean {
  if (offset === 0) return false;
  const pair = whole.slice(offset - 1, offset + 1);
  return pair === '\r\n' || (pair.codePointAt(0) ?? 0) > 0xffff;
}

describe('minimal edits', () => {
  it('give the new text when applied to the old one', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(apply(before, minimalEdits(before, after))).toBe(after);
      }),
      { numRuns: 2_000 },
    );
  });

  it('never part a surrogate pair or a CRLF', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        for (const edit of minimalEdits(before, after)) {
          expect(parts(before, edit.start)).toBe(false);
          expect(parts(before, edit.end)).toBe(false);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('are none for the same text', () => {
    expect(minimalEdits('a\r\nb', 'a\r\nb')).toEqual([]);
  });

  it('leave what lies between two changes alone', () => {
    expect(minimalEdits('one\ntwo\nthree\n', 'One\ntwo\nthree!\n')).toEqual([
      { start: 0, end: 1, text: 'O' },
      { start: 13, end: 13, text: '!' },
    ]);
  });

  it('replace a whole emoji, not half of it', () => {
    expect(minimalEdits('x😀y', 'x😁y')).toEqual([{ start: 1, end: 3, text: '😁' }]);
  });

  it('fall back to one replacement where comparing takes too long', () => {
    const before = Array.from({ length: 9_000 }, (_, index) => `a${index}\n`).join('');
    const after = Array.from({ length: 9_000 }, (_, index) => `b${index}\n`).join('');
    const edits = minimalEdits(before, after);
    expect(edits).toHaveLength(1);
    expect(apply(before, edits)).toBe(after);
  });
});

describe('line ends', () => {
  it('become all the same', () => {
    expect(withLineEnds('a\r\nb\nc\rd', '\n')).toBe('a\nb\nc\nd');
    expect(withLineEnds('a\r\nb\nc\rd', '\r\n')).toBe('a\r\nb\r\nc\r\nd');
  });

  it('are the commoner kind, as the editor counts', () => {
    expect(commonLineEnd('a\r\nb\nc\r\n', '\n')).toBe('\r\n');
    expect(commonLineEnd('a\r\nb\n', '\r\n')).toBe('\n');
    expect(commonLineEnd('none', '\r\n')).toBe('\r\n');
  });
});
