import { describe, expect, test } from 'vitest';
import { changedNothing, undoStacks, type JournalStep, type Move } from '../../../src/core/journal';
import { emptyDraft } from '../../../src/core/node';
import { memoryEngine, newMemory } from '../../kit/memoryEngine';

const at = (head: string | null, apart = {}) => ({ head, filesHead: head, apart });

function move(id: string, more: Partial<Move> = {}): Move {
  return {
    ...{ id, verb: 'checkout', at: 1, target: null, before: at('a'), after: at('a') },
    ...{ draftBefore: emptyDraft, draftAfter: emptyDraft, links: [], turnsReverted: 0 },
    results: [],
    ...more,
  };
}

const steps = (...moves: readonly Move[]): JournalStep[] =>
  moves.map((one) => ({ type: 'move', move: one }));

describe('what Undo takes back', () => {
  test.each<[string, Partial<Move>, boolean]>([
    ['nothing', {}, true],
    ['a head', { after: at('b') }, false],
    ['a file that stands apart', { after: at('a', { 'f0/x': 'a' }) }, false],
    ['a draft', { draftAfter: { text: 'x', attachments: [] } }, false],
    ['a file', { links: [{ type: 'folder', folder: 'f0/x', made: true, by: 'move' }] }, false],
  ])('a move that changed %s', (_, more, nothing) => {
    expect(changedNothing(move('m', more))).toBe(nothing);
    expect(undoStacks(steps(move('m', more))).undo).toHaveLength(nothing ? 0 : 1);
  });

  test('one that was cut off is no such move', () => {
    const { results: _, ...cut } = move('m');
    expect(changedNothing(cut)).toBe(false);
  });

  test('one that changed nothing leaves what can be done again', () => {
    const first = move('1', { after: at('b') });
    const undo = move('2', { verb: 'undo', before: at('b'), takesBack: '1' });
    expect(undoStacks(steps(first, undo, move('3'))).redo.map(({ id }) => id)).toEqual(['2']);
  });

  test('checking out where the session stands, then Undo: the move before it is taken back', async () => {
    const { sessions, retrace } = await memoryEngine(newMemory(), {});
    const session = await sessions.create();
    const one = await retrace.send(session, { text: 'one', attachments: [] });
    const two = await retrace.send(session, { text: 'two', attachments: [] });
    const go = (messageId = ''): Promise<unknown> =>
      retrace.move(session, { verb: 'checkout', messageId, scope: 'both' }, 'keep');
    await go(one.assistantMessageId);
    await go(one.assistantMessageId);
    await retrace.move(session, { verb: 'undo', scope: 'both' }, 'keep');
    expect(session.standing.head).toBe(two.assistantMessageId);
  });
});
