import { describe, expect, it } from 'vitest';
import type { OutlineView } from '../../../src/protocol/viewModel';
import { Range } from '../../../webview-ui/range';

const entries = Array.from({ length: 2_000 }, (_, index): OutlineView => ({
  role: 'outline',
  id: `m${index}`,
  of: 'user',
  size: 10,
}));

function range(): Range {
  const made = new Range();
  made.setEntries(entries);
  return made;
}

const drawn = (of: Range, pinned: readonly string[] = []): string[] =>
  of.slots(new Set(pinned)).flatMap((slot) => (slot.kind === 'message' ? slot.id : []));

describe('the messages that are drawn (C53)', () => {
  it('are the last ones at the end, a screen more than is seen', () => {
    const one = range();
    one.choose('end', 600);
    const ids = drawn(one);
    expect(ids.at(-1)).toBe('m1999');
    expect(ids.length).toBeGreaterThan(15);
    expect(ids.length).toBeLessThan(30);
    expect(one.covers('end', 600)).toBe(true);
  });

  it('are those around a message, and the rest is room of the right height', () => {
    const one = range();
    one.choose({ messageId: 'm1000', offset: 0 }, 600);
    expect(drawn(one)).toContain('m1000');
    const slots = one.slots(new Set());
    expect(slots.map(({ kind }) => kind === 'room')).toEqual([
      true,
      ...drawn(one).map(() => false),
      true,
    ]);
    const first = drawn(one)[0] ?? '';
    expect(slots[0]).toMatchObject({ height: one.topOf(first) - 14 });
    expect(one.covers({ messageId: 'm1500', offset: 0 }, 600)).toBe(false);
  });

  it('hold what is pinned wherever it is', () => {
    const one = range();
    one.choose('end', 600);
    expect(drawn(one, ['m3'])[0]).toBe('m3');
    const [before, pinned, between] = one.slots(new Set(['m3']));
    expect([before?.kind, pinned?.kind, between?.kind]).toEqual(['room', 'message', 'room']);
  });

  it('become more where they turn out to be lower than guessed', () => {
    const one = range();
    one.choose('end', 600);
    const before = drawn(one);
    for (const id of before) one.measured(id, 5);
    expect(one.covers('end', 600)).toBe(false);
    one.choose('end', 600, true);
    expect(drawn(one).length).toBeGreaterThan(before.length);
    expect(one.covers('end', 600)).toBe(true);
  });

  it('are none where there is none', () => {
    const one = new Range();
    one.setEntries([]);
    one.choose('end', 600);
    expect(one.slots(new Set())).toEqual([]);
    expect(one.covers('end', 600)).toBe(true);
  });
});
