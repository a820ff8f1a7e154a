import { expect, test } from 'vitest';
import { KeptChanges } from '../../../src/host/review/kept';

function memento(start?: unknown) {
  let value = start;
  return {
    keys: () => [],
    get: <T>(_: string, fallback?: T) => (value as T | undefined) ?? fallback,
    update: async (_: string, next: unknown) => void (value = next),
  };
}

test('what was kept is known after a reload, by reply and file, and adds up', async () => {
  const stored = memento();
  const kept = new KeptChanges(stored);
  await kept.keep('r', new Map([['f0/a', [1]]]));
  await kept.keep('r', new Map([['f0/a', [0, 1]]]));
  await kept.keep('r', new Map<string, 'all' | number[]>([['f0/b', 'all']]));
  await kept.keep('r', new Map([['f0/b', [2]]]));
  const again = new KeptChanges(stored);
  expect(again.of('r', 'f0/a')).toEqual([1, 0]);
  expect(again.of('r', 'f0/b')).toBe('all');
  expect(again.of('other', 'f0/a')).toEqual([]);
});

test('the oldest are forgotten, and what makes no sense counts as nothing kept', async () => {
  const kept = new KeptChanges(memento('damaged'));
  await kept.keep('old', new Map([['f0/a', 'all']]));
  const many = Array.from({ length: 1_000 }, (_, n): [string, 'all'] => [`f0/${n}`, 'all']);
  await kept.keep('new', new Map(many));
  expect(kept.of('old', 'f0/a')).toEqual([]);
  expect(kept.of('new', 'f0/999')).toBe('all');
});
