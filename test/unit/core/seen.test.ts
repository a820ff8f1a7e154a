import { expect, test } from 'vitest';
import { absent, type ChangedBy, type FileState, type Link } from '../../../src/core/changes';
import type { AssistantNode } from '../../../src/core/node';
import { keptSeen, seenIn } from '../../../src/core/seen';

const state = (letter: string): FileState => ({ kind: 'file', hash: letter.repeat(64), size: 1 });
const change = (file: string, after: FileState, by: ChangedBy = 'agent'): Link => ({
  ...{ type: 'change', file, before: absent },
  ...{ after, by },
});

function replyOf(seen: Readonly<Record<string, string>>, changes: readonly Link[]): AssistantNode {
  const kept = keptSeen(new Map(Object.entries(seen)), changes);
  return {
    ...{ role: 'assistant', id: 'r', parentId: 'u', filesFrom: null, createdAt: 0, order: 0 },
    ...{ model: 'm', parts: [], status: 'done', changes },
    ...(kept && { seen: kept }),
  };
}

test('what the agent wrote is not kept twice, and is known all the same', () => {
  const reply = replyOf({ 'f0/a': 'a'.repeat(64), 'f0/b': 'b'.repeat(64) }, [
    change('f0/a', state('a')),
  ]);
  expect(reply.seen).toEqual({ 'f0/b': 'b'.repeat(64) });
  expect(seenIn(reply, 'f0/a')).toBe('a'.repeat(64));
  expect(seenIn(reply, 'f0/b')).toBe('b'.repeat(64));
  expect(seenIn(reply, 'f0/c')).toBeUndefined();
});

test('what a hand or a command made of a file, or what a renamed one holds, was not seen', () => {
  for (const by of ['hand', 'command'] as const) {
    const reply = replyOf({}, [change('f0/a', state('a')), change('f0/a', state('b'), by)]);
    expect(seenIn(reply, 'f0/a')).toBeUndefined();
  }
  const renamed: Link = {
    type: 'rename',
    from: 'f0/a',
    to: 'f0/b',
    state: state('a'),
    by: 'agent',
  };
  expect(seenIn(replyOf({}, [renamed]), 'f0/b')).toBeUndefined();
  expect(seenIn(replyOf({}, [change('f0/a', state('a')), renamed]), 'f0/a')).toBeUndefined();
  expect(seenIn(replyOf({}, [change('f0/a', absent)]), 'f0/a')).toBeUndefined();
});
