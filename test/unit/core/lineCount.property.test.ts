import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesToLines, countLines, diffLines } from '../../../src/core/lineDiff';

const bytes = fc
  .array(fc.constantFrom('a', 'b', '\n', '\r\n', '\r', 'a\n', 'b\n'), { maxLength: 30 })
  .map((parts) => new TextEncoder().encode(parts.join('')));

test('what two contents have in common at both ends is left out without changing the count', () => {
  fc.assert(
    fc.property(bytes, bytes, bytes, bytes, (head, tail, one, other) => {
      const [before, after] = [one, other].map((middle) =>
        Uint8Array.from([...head, ...middle, ...tail]),
      );
      if (before === undefined || after === undefined) return;
      const counted = countLines(before, after);
      const hunks = diffLines(bytesToLines(before) ?? [], bytesToLines(after) ?? []);
      const sum = (
        of: (hunk: { start: number; end: number; lines: readonly string[] }) => number,
      ) => (hunks ?? []).reduce((all, hunk) => all + of(hunk), 0);
      const added = sum((hunk) => hunk.lines.length);
      const removed = sum((hunk) => hunk.end - hunk.start);
      expect((counted?.added ?? 0) - (counted?.removed ?? 0)).toBe(added - removed);
      expect(counted?.added).toBe(added);
    }),
    { numRuns: 2000 },
  );
});
