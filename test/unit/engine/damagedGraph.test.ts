import { describe, expect, test } from 'vitest';
import { ancestors } from '../../../src/core/graph';
import type { NodeId } from '../../../src/core/ids';
import type { GraphNode, UserNode } from '../../../src/core/node';
import type { SessionRecord } from '../../../src/core/session';
import { wrap } from '../../../src/engine/store/envelope';
import { infoOf } from '../../kit/story';
import { memoryEngine, newMemory, write, type Memory } from '../../kit/memoryEngine';

function user(id: string, parentId: NodeId | null, text = id): UserNode {
  const place = { parentId, filesFrom: parentId, createdAt: 0, order: 0 };
  return { role: 'user', id, ...place, text, attachments: [] };
}

/** A record that moves the head to its node, as every stored message does. */
function said(node: GraphNode): SessionRecord {
  return { type: 'node', node, standing: { head: node.id, filesHead: node.id, apart: {} } };
}

const chain = (count: number): UserNode[] =>
  Array.from({ length: count }, (_, n) => user(`n${n}`, n === 0 ? null : `n${n - 1}`));

/** Stores records as they are, believed or not. */
function store(records: readonly unknown[]): Memory {
  const memory = newMemory();
  [{ type: 'info', info: infoOf('s') }, ...records].forEach((record, index) => {
    const seq = index + 1;
    const name = `memory:/store/sessions/s/records/${String(seq).padStart(10, '0')}-a.json`;
    memory.disk.damage(name, () => wrap({ seq, writer: 'a' }, JSON.stringify(record)));
  });
  return memory;
}

const scripts = { on: async (turn) => write(turn, 'f', '1\n') } satisfies Parameters<
  typeof memoryEngine
>[1];

async function open(memory: Memory, name = 'w') {
  const engine = await memoryEngine(memory, scripts, name);
  // Of the processor, because a busy machine takes longer.
  const began = process.cpuUsage();
  const session = await engine.sessions.open('s');
  const { user, system } = process.cpuUsage(began);
  return { ...engine, session, took: (user + system) / 1_000 };
}

const pathOf = ({ session }: Awaited<ReturnType<typeof open>>): string[] =>
  ancestors(session.state.nodes, session.standing.head).map(({ id }) => id);

const whole = chain(6).map(said);
const without = (id: string): SessionRecord[] =>
  whole.filter((record) => record.type !== 'node' || record.node.id !== id);

interface Damage {
  readonly records: readonly unknown[];
  /** Where the session stands then. */
  readonly path: readonly string[];
  readonly told: readonly string[];
  readonly nodes: number;
}

const loop = user('n2', 'n4');
const kinds: Readonly<Record<string, Damage>> = {
  'a head that names no node': {
    records: [...whole, { type: 'standing', standing: { head: 'x', filesHead: 'x', apart: {} } }],
    path: ['n0', 'n1', 'n2', 'n3', 'n4', 'n5'],
    told: ['head lost'],
    nodes: 6,
  },
  'a last message that is missing': {
    records: [
      ...without('n5'),
      { type: 'standing', standing: whole[5]?.type === 'node' ? whole[5].standing : null },
    ],
    path: ['n0', 'n1', 'n2', 'n3', 'n4'],
    told: ['head lost'],
    nodes: 5,
  },
  'a missing parent': {
    records: without('n3'),
    path: ['n0', 'n1', 'n2'],
    told: ['unreachable 2: n4,n5'],
    nodes: 5,
  },
  'a node without a role': {
    records: whole.map((record) =>
      record.type === 'node' && record.node.id === 'n3'
        ? { ...record, node: { ...record.node, role: undefined } }
        : record,
    ),
    path: ['n0', 'n1', 'n2'],
    told: ['damaged 1', 'unreachable 2: n4,n5'],
    nodes: 5,
  },
  'parents in a circle': {
    records: [...without('n2').slice(0, 2), said(loop), ...whole.slice(3)],
    path: ['n0', 'n1'],
    told: ['unreachable 4: n2,n3,n4'],
    nodes: 6,
  },
  'a node that is its own parent': {
    records: [...whole, said(user('me', 'me'))],
    path: ['n0', 'n1', 'n2', 'n3', 'n4', 'n5'],
    told: ['unreachable 1: me'],
    nodes: 7,
  },
  'a first message that is missing': {
    records: without('n0'),
    path: [],
    told: ['unreachable 5: n1,n2,n3'],
    nodes: 5,
  },
  'the same id twice': {
    records: [...whole, said(user('n2', 'n4', 'another text'))],
    path: ['n0', 'n1', 'n2'],
    told: ['twice 1'],
    nodes: 6,
  },
  'a listed child that is missing': {
    records: whole.map((record) =>
      record.type === 'node'
        ? { ...record, node: { ...record.node, children: ['n1', 'nowhere'] } }
        : record,
    ),
    path: ['n0', 'n1', 'n2', 'n3', 'n4', 'n5'],
    told: [],
    nodes: 6,
  },
  'a files head and a file that stand at no node': {
    records: [
      ...whole,
      { type: 'standing', standing: { head: 'n5', filesHead: 'x', apart: { 'f0/f': 'y' } } },
    ],
    path: ['n0', 'n1', 'n2', 'n3', 'n4', 'n5'],
    told: [],
    nodes: 6,
  },
};

describe.each(Object.entries(kinds))('a session with %s', (_, damage) => {
  test('opens on the nearest whole message and says what could not be reached', async () => {
    const opened = await open(store(damage.records));
    expect(pathOf(opened)).toEqual(damage.path);
    expect(opened.told).toEqual(damage.told);
    expect(opened.session.state.nodes.size).toBe(damage.nodes);
    const { filesHead } = opened.session.standing;
    expect(filesHead === null || opened.session.state.nodes.has(filesHead)).toBe(true);
  });

  test('is not written to by being opened, and goes on from there', async () => {
    const memory = store(damage.records);
    const before = memory.disk.uris().filter((uri) => uri.includes('/records/'));
    const opened = await open(memory);
    expect(memory.disk.uris().filter((uri) => uri.includes('/records/'))).toEqual(before);
    const result = await opened.retrace.send(opened.session, { text: 'on', attachments: [] });
    expect(result.status).toBe('done');
    const on = [...damage.path, result.userMessageId, result.assistantMessageId];
    expect(pathOf(opened)).toEqual(on);
    await opened.sessions.flush();
    expect(pathOf(await open(memory, 'x'))).toEqual(on);
  });
});

test('what cannot be reached is never moved to, and stays', async () => {
  const opened = await open(store(without('n3')));
  const { retrace, session } = opened;
  for (const messageId of ['n4', 'n5']) {
    await expect(
      retrace.move(session, { verb: 'rewind', messageId, scope: 'both' }, 'keep'),
    ).rejects.toMatchObject({ code: 'not_found' });
  }
  expect(session.state.nodes.has('n5')).toBe(true);
});

test.each(['circle', 'missing'])('10,000 messages with a %s open within 2 s', async (kind) => {
  const nodes = chain(10_000);
  nodes[5_000] = user('n5000', kind === 'circle' ? 'n9999' : 'gone');
  const opened = await open(store(nodes.map(said)));
  expect(opened.took).toBeLessThan(2_000);
  expect(opened.session.standing.head).toBe('n4999');
});

test('a session that cannot be loaded is left alone, and opens when it can', async () => {
  const memory = store(whole);
  const { disk } = memory;
  disk.fault = (_, call, uri) =>
    call === 'list' && uri.includes('/s/') ? { code: 'unavailable' } : undefined;
  const engine = await memoryEngine(memory, scripts);
  const before = disk.uris();
  await expect(engine.sessions.open('s')).rejects.toMatchObject({ code: 'storage' });
  await engine.sessions.flush();
  expect(disk.uris()).toEqual(before);
  disk.fault = () => undefined;
  expect((await engine.sessions.open('s')).standing.head).toBe('n5');
});

test('a cut-off reply whose message is missing does not keep the session from opening', async () => {
  const memory = store(whole);
  const first = await open(memory);
  const node = {
    ...user('r', 'gone'),
    role: 'assistant',
    model: 'm',
    parts: [],
    changes: [],
  } as const;
  const standing = { head: 'r', filesHead: 'r', apart: {} };
  await first.store.saveLive('s', { node: { ...node, status: 'running' }, standing, intents: [] });
  const again = await open(memory, 'x');
  expect(again.told).toEqual(['reply alone']);
  expect(pathOf(again)).toHaveLength(6);
});
