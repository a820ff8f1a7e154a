import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ancestors, lastViewedLeaf, siblings } from '../../../src/core/graph';
import type { GraphNode } from '../../../src/core/node';
import { SessionState, type SessionRecord } from '../../../src/core/session';
import { infoOf } from '../../kit/story';

function user(id: string, parentId: string | null, order: number): GraphNode {
  return {
    role: 'user',
    id,
    parentId,
    filesFrom: null,
    createdAt: 0,
    order,
    text: id,
    attachments: [],
  };
}

/** Sixty messages with three branches and two regenerated answers. */
const nodes: GraphNode[] = Array.from({ length: 50 }, (_, index) =>
  user(`n${index}`, index === 0 ? null : `n${index - 1}`, 0),
);
for (const [index, parent] of [5, 5, 20, 20, 20, 33, 33, 40, 48, 49].entries()) {
  nodes.push(user(`b${index}`, `n${parent}`, index + 1));
}

describe('the session graph', () => {
  test('C39 parent links alone give the shape, whatever the order and the times of the records', () => {
    const told = new SessionState(infoOf('s'));
    for (const node of nodes) told.apply({ type: 'node', node });
    fc.assert(
      fc.property(
        fc.shuffledSubarray(nodes, { minLength: nodes.length }),
        fc.integer(),
        (shuffled, time) => {
          const state = new SessionState(infoOf('s'));
          const records: SessionRecord[] = shuffled.map((node) => ({
            type: 'node',
            node: { ...node, createdAt: time },
          }));
          for (const record of records) state.apply(record);
          expect(state.children.get(null)).toEqual(['n0']);
          expect(state.nodes.size).toBe(60);
          for (const id of state.nodes.keys())
            expect(state.children.get(id)).toEqual(told.children.get(id));
          expect(ancestors(state.nodes, 'b9').map((node) => node.id)).toEqual(
            ancestors(told.nodes, 'b9').map((node) => node.id),
          );
        },
      ),
      { numRuns: 100 },
    );
  });

  test('switching comes back to the leaf last seen on that branch', () => {
    const state = new SessionState(infoOf('s'));
    for (const node of nodes) state.apply({ type: 'node', node });
    expect(siblings(state.nodes, state.children, 'n21')).toEqual(['n21', 'b2', 'b3', 'b4']);
    expect(lastViewedLeaf(state.children, state.viewed, 'n21')).toBe('b6');
    state.apply({ type: 'standing', standing: { head: 'b5', filesHead: null, apart: {} } });
    state.apply({ type: 'standing', standing: { head: 'b3', filesHead: null, apart: {} } });
    expect(lastViewedLeaf(state.children, state.viewed, 'n21')).toBe('b5');
  });

  test('labels and archived branches: each is what was said of it last, and moves nothing', () => {
    const mark = fc.record(
      {
        messageId: fc.constantFrom('n1', 'n2'),
        label: fc.constantFrom('', 'x', 'y'),
        archived: fc.boolean(),
      },
      { requiredKeys: ['messageId'] },
    );
    fc.assert(
      fc.property(fc.array(mark), (marks) => {
        const state = new SessionState(infoOf('s'));
        for (const node of nodes) state.apply({ type: 'node', node });
        const before = [state.standing, state.steps.length, state.counts];
        for (const one of marks) state.apply({ type: 'mark', mark: one });
        for (const id of ['n1', 'n2']) {
          const own = marks.filter(({ messageId }) => messageId === id);
          const label = own.findLast((one) => one.label !== undefined)?.label;
          expect(state.labels.get(id) ?? '').toBe(label ?? '');
          const archived = own.findLast((one) => one.archived !== undefined)?.archived;
          expect(state.archived.has(id)).toBe(archived ?? false);
        }
        expect([state.standing, state.steps.length, state.counts]).toEqual(before);
      }),
    );
  });

  test('parents in a circle and missing parents end the walk', () => {
    const state = new SessionState(infoOf('s'));
    state.apply({ type: 'node', node: user('x', 'y', 0) });
    state.apply({ type: 'node', node: user('y', 'x', 0) });
    state.apply({ type: 'node', node: user('z', 'gone', 0) });
    expect(ancestors(state.nodes, 'x').map((node) => node.id)).toEqual(['y', 'x']);
    expect(ancestors(state.nodes, 'z').map((node) => node.id)).toEqual(['z']);
  });
});
