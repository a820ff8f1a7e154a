import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readChanges, undoChanges } from '../../../src/core/review';
import { numRuns } from '../../kit/player';

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const bytes = (text: string): Uint8Array => encoder.encode(text);
/** Few different lines, so that equal ones stand beside each other. */
const text = fc
  .array(fc.constantFrom('a\n', 'b\n', 'c\r\n', '\n'), { maxLength: 14 })
  .chain((lines) => fc.constantFrom('', 'a', 'b').map((end) => lines.join('') + end));

function read(before: string, after: string, current: string, recorded = after) {
  const [b, a, r, c] = [before, after, recorded, current].map(bytes);
  return (b && a && r && c && readChanges({ before: b, after: a, recorded: r, current: c })) ?? [];
}

function undo(current: string, changes: ReturnType<typeof read>): string {
  const result = undoChanges(bytes(current), changes);
  return result === undefined ? current : decoder.decode(result);
}

describe('the changes of a reply, one by one', () => {
  test('undone in any order they give the file as it was before, and each is seen where it lies', () => {
    fc.assert(
      fc.property(text, text, fc.array(fc.nat(), { maxLength: 12 }), (before, after, order) => {
        let current = after;
        const all = read(before, after, current);
        expect(all.every(({ state }) => state === 'as written')).toBe(true);
        for (let left = all.length; left > 0; left--) {
          const open = read(before, after, current).filter(({ state }) => state !== 'undone');
          const change = open[(order[left] ?? 0) % open.length];
          expect(change?.state).toBe('as written');
          if (change !== undefined) current = undo(current, [change]);
        }
        expect(current).toBe(before);
        expect(undo(after, all)).toBe(before);
      }),
      { numRuns },
    );
  });

  test('undoing takes no line that a hand wrote, wherever it was written', () => {
    fc.assert(
      fc.property(text, text, fc.nat(), fc.nat(), fc.boolean(), (before, after, at, pick, adds) => {
        const lines = after.match(/[^\r\n]*\r?\n|[^\n]+$/gu) ?? [];
        const place = at % (lines.length + 1);
        const hand = [...lines];
        hand.splice(place, adds ? 0 : 1, 'mine\n');
        const current = hand.join('');
        const open = read(before, after, current).filter(({ state }) => state === 'as written');
        const change = open[pick % Math.max(open.length, 1)];
        if (change !== undefined) expect(undo(current, [change])).toContain('mine\n');
      }),
      { numRuns },
    );
  });

  test('one that was edited since says so, and its neighbours stay as they were written', () => {
    const before = '1\n2\n3\n4\n5\n';
    const after = '1\ntwo\n3\nfour\n5\n';
    const changes = read(before, after, 'new\n1\ntwo!\n3\nfour\n5\n');
    expect(changes).toMatchObject([
      { index: 0, state: 'edited', start: 2, end: 3, removed: ['2\n'] },
      { index: 1, state: 'as written', start: 4, end: 5, removed: ['4\n'] },
    ]);
    expect(undo('new\n1\ntwo!\n3\nfour\n5\n', changes.slice(1))).toBe('new\n1\ntwo!\n3\n4\n5\n');
  });

  test('one that a hand undid beside other edits counts as undone', () => {
    const changes = read('1\n2\n3\n4\n', '1\ntwo\n3\n4\n', '1\n2\n3\n4\nmine\n');
    expect(changes).toMatchObject([{ state: 'undone' }]);
  });

  test('removed lines have a place of their own, and what has no lines has no changes to tell', () => {
    expect(read('1\n2\n3\n', '1\n3\n', '1\n3\n')).toEqual([
      { index: 0, state: 'as written', start: 1, end: 1, removed: ['2\n'] },
    ]);
    const [a, b] = [bytes('a\0'), bytes('b')];
    const binary = { before: a, after: b, recorded: b, current: b };
    expect(readChanges(binary)).toBeUndefined();
  });
});
