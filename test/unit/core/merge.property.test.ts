import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesToLines, countLines, diffLines, linesToBytes } from '../../../src/core/lineDiff';
import { merge3 } from '../../../src/core/merge';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (content: Uint8Array): string => new TextDecoder().decode(content);
const line = fc.constantFrom('a\n', 'b\n', 'c\r\n', '\n', 'd\r', 'ü\n', 'last');
const content = fc.array(line, { maxLength: 12 }).map((lines) => bytes(lines.join('')));

describe('lines', () => {
  test('splitting and joining gives the same bytes back, whatever they are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (any) => {
        const lines = bytesToLines(any);
        if (lines === undefined) expect(any.includes(0)).toBe(true);
        else expect(linesToBytes(lines)).toEqual(any);
      }),
    );
  });

  test('hunks turn one side into the other', () => {
    fc.assert(
      fc.property(fc.array(line), fc.array(line), (base, other) => {
        const hunks = diffLines(base, other) ?? [];
        const result: string[] = [];
        let at = 0;
        for (const hunk of hunks) {
          result.push(...base.slice(at, hunk.start), ...hunk.lines);
          at = hunk.end;
        }
        expect([...result, ...base.slice(at)]).toEqual(other);
      }),
    );
  });

  test('counting says nothing of what is not text', () => {
    expect(countLines(bytes('a\nb\n'), bytes('a\nc\nd\n'))).toEqual({ added: 2, removed: 1 });
    expect(countLines(Uint8Array.of(0), bytes('a'))).toBeUndefined();
  });
});

describe('merge', () => {
  test('a side that did not change takes the other one, and both orders agree', () => {
    fc.assert(
      fc.property(content, content, content, (base, ours, theirs) => {
        expect(merge3(base, base, theirs)).toEqual({ ok: true, bytes: theirs });
        expect(merge3(base, ours, base)).toEqual({ ok: true, bytes: ours });
        expect(merge3(base, ours, ours)).toEqual({ ok: true, bytes: ours });
        const [one, two] = [merge3(base, ours, theirs), merge3(base, theirs, ours)];
        if (one.ok && two.ok) expect(one.bytes).toEqual(two.bytes);
        expect(one.ok).toBe(two.ok);
      }),
    );
  });

  test('changes of different lines are both kept, touching ones too; line ends stay', () => {
    const merged = merge3(
      bytes('a=1\r\nb=20\nc=3\r\n'),
      bytes('a=1\r\nb=20\nc=33\r\n'),
      bytes('a=1\r\nb=2\nc=3\r\n'),
    );
    expect(merged.ok && text(merged.bytes)).toBe('a=1\r\nb=2\nc=33\r\n');
  });

  test('the same line changed twice, and two insertions at one place, are left to the user', () => {
    expect(merge3(bytes('a\n'), bytes('b\n'), bytes('c\n'))).toEqual({
      ok: false,
      why: 'same lines',
    });
    expect(merge3(bytes('a\n'), bytes('x\na\n'), bytes('y\na\n'))).toEqual({
      ok: false,
      why: 'same lines',
    });
  });

  test('what is not text, too large or too different is refused with the reason', () => {
    expect(merge3(Uint8Array.of(0), bytes('a'), bytes('b'))).toEqual({
      ok: false,
      why: 'not text',
    });
    const bounds = { maxBytes: 10, maxEdits: 100, maxMilliseconds: 200 };
    expect(merge3(bytes('0123456789x'), bytes('a'), bytes('b'), bounds)).toEqual({
      ok: false,
      why: 'too large',
    });
    const many = (prefix: string): Uint8Array =>
      bytes(Array.from({ length: 300 }, (_, index) => `${prefix}${index}\n`).join(''));
    const few = { maxBytes: 1_000_000, maxEdits: 20, maxMilliseconds: 200 };
    expect(merge3(many('a'), many('b'), many('c'), few)).toEqual({
      ok: false,
      why: 'took too long',
    });
  });
});
