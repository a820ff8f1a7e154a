import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ancestors, inOrder } from '../../../src/core/graph';
import type { NodeId } from '../../../src/core/ids';
import { nodeText, type GraphNode } from '../../../src/core/node';
import { SessionState, type SessionRecord } from '../../../src/core/session';
import { exportJson } from '../../../src/engine/exportSession';
import { planImport } from '../../../src/engine/import/importSession';
import { memoryEngine, newMemory } from '../../kit/memoryEngine';
import { infoOf } from '../../kit/story';

const day = 24 * 60 * 60 * 1_000;

/** Messages and replies in turn, `n0` to `n49`, with three edit branches and two regenerated answers: 60 in all. */
function branched(createdAt: (index: number) => number): GraphNode[] {
  const nodes: GraphNode[] = [];
  const add = (id: NodeId, parentId: NodeId | null, order: number): NodeId => {
    const common = { id, parentId, filesFrom: parentId, createdAt: createdAt(nodes.length), order };
    const parent = nodes.find((node) => node.id === parentId);
    nodes.push(
      parent?.role === 'user'
        ? { ...common, role: 'assistant', model: 'm', parts: [], status: 'done', changes: [] }
        : { ...common, role: 'user', text: id, attachments: [] },
    );
    return id;
  };
  for (let n = 0; n < 50; n++) add(`n${n}`, n === 0 ? null : `n${n - 1}`, 0);
  const branch = (name: string, at: NodeId, order: number, length: number): void => {
    let parent = at;
    for (let n = 0; n < length; n++) parent = add(`${name}${n}`, parent, n === 0 ? order : 0);
  };
  branch('edit-a', 'n9', 1, 2);
  branch('edit-b', 'n9', 2, 2);
  branch('edit-c', 'n29', 1, 4);
  branch('again-a', 'n40', 1, 1);
  branch('again-b', 'n48', 1, 1);
  return nodes;
}

const childrenOf = (state: SessionState): unknown =>
  Object.fromEntries([...state.children].map(([parent, ids]) => [parent ?? '', [...ids]]).sort());
/** What each message says, parents first and siblings in their order, with how deep it lies. */
const textsOf = ({ nodes, children }: SessionState): string[] =>
  inOrder(nodes, children).map(
    (node) => `${ancestors(nodes, node.id).length} ${node.role} ${nodeText(node)}`,
  );
const viewOf = ({ nodes, standing }: SessionState): NodeId[] =>
  ancestors(nodes, standing.head).map((node) => node.id);

test.each([
  ['all at the same moment', () => 7],
  [
    'with the clock set back a day half way',
    (index: number) => (index < 30 ? 2 * day : day) + index,
  ],
])(
  'C39 stored in any order, %s: reloaded and forked it has one root and the same shape',
  async (_, createdAt) => {
    const nodes = branched(createdAt);
    expect(nodes).toHaveLength(60);
    const children: Record<string, NodeId[]> = {};
    for (const { id, parentId } of nodes) (children[parentId ?? ''] ??= []).push(id);
    const head = 'edit-c3';
    let count = 0;
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(nodes, { minLength: 60 }), async (shuffled) => {
        const memory = newMemory();
        const id = `s${count++}`;
        const engine = await memoryEngine(memory, {});
        const records: SessionRecord[] = shuffled.map((node) => ({ type: 'node', node }));
        const standing = { head, filesHead: head, apart: {} };
        await engine.store.create(infoOf(id), [...records, { type: 'standing', standing }]);

        const again = await memoryEngine(memory, {}, 'x');
        const { state } = await again.sessions.open(id);
        expect(state.counts.shown).toBe(60);
        expect(childrenOf(state)).toEqual(Object.fromEntries(Object.entries(children).sort()));
        const view = viewOf(state);
        expect(view).toHaveLength(34);
        expect(view.slice(29)).toEqual(['n29', 'edit-c0', 'edit-c1', 'edit-c2', 'edit-c3']);

        const fork = await again.retrace.fork(await again.sessions.open(id), {});
        const reloaded = await (await memoryEngine(memory, {}, 'y')).sessions.open(fork.id);
        expect(viewOf(reloaded.state)).toEqual(view);
        expect(reloaded.state.children.get(null)).toEqual(['n0']);
      }),
      { numRuns: 15 },
    );
  },
);

test('C39 imported in any order it has the same shape, and is listed parents first', async () => {
  const nodes = branched(() => 7);
  const memory = newMemory();
  const { store, sessions } = await memoryEngine(memory, {});
  const standing = { head: 'edit-c3', filesHead: 'edit-c3', apart: {} };
  const records: SessionRecord[] = nodes.map((node) => ({ type: 'node', node }));
  await store.create(infoOf('s'), [...records, { type: 'standing', standing }]);
  const { state } = await sessions.open('s');
  const texts = textsOf(state);
  expect(texts).toHaveLength(60);
  const file = JSON.parse(exportJson(await sessions.open('s'))) as { nodes: unknown[] };
  let count = 0;
  const ports = { newId: () => `i${count++}`, now: () => 9, folders: [] };
  fc.assert(
    fc.property(fc.shuffledSubarray(file.nodes, { minLength: 60 }), (shuffled) => {
      const plan = planImport(JSON.stringify({ ...file, nodes: shuffled }), ports);
      const imported = new SessionState(plan.info);
      for (const record of plan.records) imported.apply(record);
      expect(textsOf(imported)).toEqual(texts);
      expect(viewOf(imported)).toHaveLength(34);
    }),
    { numRuns: 15 },
  );
});
