import { expect, test } from 'vitest';
import { ancestors } from '../../../src/core/graph';
import { SessionState } from '../../../src/core/session';
import { graphFaults } from '../../../src/core/soundness';
import { planRepair, planRestore } from '../../../src/engine/repairSession';
import { memoryEngine, newMemory, write } from '../../kit/memoryEngine';
import { infoOf } from '../../kit/story';

const draft = (text: string) => ({ text, attachments: [] });

test('a backup made before a rewind opens as a session of its own, as the other one was', async () => {
  const memory = newMemory();
  const engine = await memoryEngine(memory, { one: (turn) => write(turn, 'f', '1\n') });
  const { retrace, sessions } = engine;
  const session = await sessions.create();
  const { userMessageId } = await retrace.send(session, draft('one'));
  const before = session.standing;
  const request = { verb: 'rewind', messageId: userMessageId, scope: 'both' } as const;
  await retrace.move(session, request, 'keep');
  const [backup] = await sessions.backups(session);
  expect(backup).toMatchObject({ why: 'rewind', messages: 2 });
  const { info, records, missing } = await sessions.readBackup(session, backup?.name ?? '');
  expect(missing).toBe(0);
  const made = await sessions.createFrom(planRestore(info, records, { id: 'b', title: 'B' }));
  expect(made.standing).toEqual(before);
  expect(session.standing.head).toBeNull();
  const again = await memoryEngine(memory, {}, 'x');
  expect((await again.sessions.open('b')).standing).toEqual(before);
});

test('a repaired copy reaches every message, whatever was missing or went in a circle', () => {
  const state = new SessionState(infoOf('s'));
  const links: Readonly<Record<string, string | null>> = {
    ...{ a: null, b: 'a', lost: 'gone', under: 'lost', x: 'z', y: 'x', z: 'y', tail: 'z' },
  };
  for (const [id, parentId] of Object.entries(links)) {
    const place = { parentId, filesFrom: null, createdAt: 0, order: 0 };
    state.apply({ type: 'node', node: { role: 'user', id, ...place, text: id, attachments: [] } });
  }
  const copy = new SessionState(infoOf('c'));
  const plan = planRepair(state, { id: 'c', title: 'C', notice: 'missing' });
  for (const record of plan.records) copy.apply(record);
  expect(graphFaults(copy.nodes)).toEqual({ unreachable: [], missing: [], circles: [] });
  expect(ancestors(copy.nodes, 'under').map(({ id }) => id)).toEqual(['gone', 'lost', 'under']);
  expect(ancestors(copy.nodes, 'tail').map(({ id }) => id)).toEqual(['x', 'y', 'z', 'tail']);
  for (const id of state.nodes.keys()) expect(copy.nodes.has(id)).toBe(true);
});
