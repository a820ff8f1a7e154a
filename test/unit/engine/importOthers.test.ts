import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ancestors } from '../../../src/core/graph';
import { changesOf, nodeText, type GraphNode } from '../../../src/core/node';
import { SessionState } from '../../../src/core/session';
import { planImport } from '../../../src/engine/import/importSession';
import { parseRecord } from '../../../src/engine/store/schemas';
import { foldTurn } from '../../../src/core/turnFiles';
import { memoryEngine, newMemory } from '../../kit/memoryEngine';

let made = 0;
const ports = {
  newId: () => `new${++made}`,
  now: () => 5,
  folders: [{ id: 'f0', uri: 'file:///w', name: 'w' }],
};

function stateOf(text: string): SessionState {
  const { info, records } = planImport(text, ports);
  const state = new SessionState(info);
  for (const record of records) {
    expect(parseRecord(JSON.parse(JSON.stringify(record)))).toEqual(record);
    state.apply(record);
  }
  return state;
}

/** What lies on the way to a node: `user text`, or a reply's texts and calls. */
function way({ nodes }: SessionState, id: string | null): string[] {
  return ancestors(nodes, id).map(shown);
}

function shown(node: GraphNode): string {
  if (node.role !== 'assistant') return `${node.role}: ${nodeText(node)}`;
  const parts = node.parts.map((part) =>
    part.type === 'tool'
      ? `${part.name} ${part.state}=${part.output}`
      : 'text' in part
        ? part.text
        : '',
  );
  return `reply: ${parts.join(' | ')}`;
}

const leaves = (state: SessionState): string[] =>
  [...state.nodes.keys()].filter((id) => (state.children.get(id) ?? []).length === 0);

const user = (uuid: string, parentUuid: string | null, content: unknown, more = {}) => ({
  ...{ type: 'user', uuid, parentUuid, isSidechain: false, timestamp: '2026-01-02T03:04:05.000Z' },
  ...{ message: { role: 'user', content }, ...more },
});
const says = (uuid: string, parentUuid: string, content: unknown[], more = {}) => ({
  ...{ type: 'assistant', uuid, parentUuid, isSidechain: false },
  ...{ timestamp: '2026-01-02T03:04:06.000Z' },
  ...{ message: { role: 'assistant', model: 'claude-x', content }, ...more },
});
const text = (said: string) => ({ type: 'text', text: said });
const use = (id: string, name: string, input: unknown) => ({ type: 'tool_use', id, name, input });
const result = (id: string, content: unknown, more = {}) => ({
  ...{ type: 'tool_result', tool_use_id: id, content, ...more },
});
const jsonl = (...lines: readonly unknown[]): string =>
  lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');

describe('a transcript of Claude Code', () => {
  const whole = jsonl(
    { type: 'summary', summary: 'Rate limiter', leafUuid: 'a5' },
    { type: 'file-history-snapshot', messageId: 'u1', snapshot: {} },
    user('u1', null, 'add a limiter'),
    says('a1', 'u1', [{ type: 'thinking', thinking: 'hm', signature: 's' }]),
    says('a2', 'a1', [use('t1', 'Write', { file_path: '/w/src/limiter.ts', content: 'x' })]),
    says('a3', 'a2', [use('t2', 'Bash', { command: 'npm test' })]),
    // Two calls at once: each is answered under its own line.
    user('r1', 'a2', [result('t1', 'written')]),
    user('r2', 'a3', [result('t2', [text('2 failed')], { is_error: true })]),
    says('s1', 'a3', [text('of a sub-agent')], { isSidechain: true }),
    says('a4', 'r2', [text('done')]),
    { type: 'system', uuid: 'y1', parentUuid: 'a4', subtype: 'turn_duration' },
    user('u2', 'y1', 'and a test'),
    says('a5', 'u2', [text('tested')]),
    user('u3', 'a4', 'no, redis'),
    says('a6', 'u3', [text('redis it is')]),
  );

  test('every branch is there; blocks of a reply are one reply, and calls made at once are no branches', () => {
    const state = stateOf(whole);
    const reply = 'reply: hm | Write done=written | Bash failed=2 failed | done';
    expect(leaves(state).map((id) => way(state, id))).toEqual([
      ['user: add a limiter', reply, 'user: and a test', 'reply: tested'],
      ['user: add a limiter', reply, 'user: no, redis', 'reply: redis it is'],
    ]);
    expect(way(state, state.standing.head).at(-1)).toBe('reply: redis it is');
    expect(state.info.title).toBe('Rate limiter');
    const model = [...state.nodes.values()].find(({ role }) => role === 'assistant');
    expect(model).toMatchObject({
      model: 'claude-x',
      createdAt: Date.parse('2026-01-02T03:04:06Z'),
    });
  });

  test('its change lists are shown, and no move writes from them', async () => {
    const state = stateOf(whole);
    const lists = [...state.nodes.values()].flatMap((node) => foldTurn(changesOf(node)));
    expect(lists.map(({ file }) => file)).toEqual(['f0/src/limiter.ts']);
    const memory = newMemory();
    memory.workspace.put('f0/src/limiter.ts', 'mine\n');
    const { sessions, retrace } = await memoryEngine(memory, {});
    const session = await sessions.createFrom(planImport(whole, ports));
    for (const id of session.state.nodes.keys()) {
      await retrace.move(session, { verb: 'checkout', messageId: id, scope: 'both' }, 'restore');
      expect(memory.workspace.text('f0/src/limiter.ts')).toBe('mine\n');
    }
  });

  test('a branch within a reply is a reply of its own, with what came before it', () => {
    const state = stateOf(
      jsonl(
        user('u1', null, 'go'),
        says('a1', 'u1', [text('one')]),
        says('a2', 'a1', [text('two')]),
        user('u2', 'a1', 'stop, rather this'),
        says('a3', 'u2', [text('this')]),
      ),
    );
    expect(
      leaves(state)
        .map((id) => way(state, id))
        .sort(),
    ).toEqual(
      [
        ['user: go', 'reply: one', 'user: stop, rather this', 'reply: this'],
        ['user: go', 'reply: one | two'],
      ].sort(),
    );
    expect(way(state, state.standing.head).at(-1)).toBe('reply: this');
  });

  test('what was compacted goes on from what was said before; images come along, paths outside do not', () => {
    const image = {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: 'iVBO' },
    };
    const state = stateOf(
      jsonl(
        user('u1', null, [text('look'), image]),
        says('a1', 'u1', [use('t1', 'Edit', { file_path: '/etc/passwd' })]),
        user('r1', 'a1', [result('t1', 'ok')]),
        {
          type: 'system',
          subtype: 'compact_boundary',
          uuid: 'c',
          parentUuid: null,
          logicalParentUuid: 'r1',
        },
        user('u2', 'c', 'The story so far', { isCompactSummary: true }),
        user('u3', 'u2', 'go on'),
      ),
    );
    expect(way(state, state.standing.head)).toEqual([
      'user: look',
      'reply: Edit done=ok',
      'notice: The story so far',
      'user: go on',
    ]);
    const all = JSON.stringify([...state.nodes.values()].map(changesOf));
    expect(all).not.toContain('passwd');
    const first = state.nodes.get(state.children.get(null)?.[0] ?? '');
    expect(first).toMatchObject({ attachments: [{ mime: 'image/png', base64: 'iVBO' }] });
  });

  test('any tree comes back with its branches: as many leaves, each with the same texts on its way', () => {
    const trees = fc.array(fc.tuple(fc.nat(), fc.boolean()), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(trees, (shape) => {
        const parents: (number | null)[] = shape.map(([pick], index) =>
          index === 0 ? null : pick % index,
        );
        const lines = shape.map(([, asks], index) => {
          const parent = parents[index] ?? null;
          const up = parent === null ? null : `m${parent}`;
          return asks || up === null
            ? user(`m${index}`, up, `<${index}>`)
            : says(`m${index}`, up, [text(`<${index}>`)]);
        });
        const state = stateOf(jsonl(...lines));
        const wayTo = (at: number | null): string =>
          at === null ? '' : `${wayTo(parents[at] ?? null)}<${at}>`;
        const wanted = shape.flatMap((_, at) => (parents.includes(at) ? [] : [wayTo(at)]));
        const found = leaves(state).map((id) => ancestors(state.nodes, id).map(nodeText).join(''));
        expect(found.sort()).toEqual(wanted.sort());
        const last = ancestors(state.nodes, state.standing.head).map(nodeText).join('');
        expect(last).toContain(`<${shape.length - 1}>`);
      }),
    );
  });

  test.each([
    [jsonl(user('u1', null, 'a'), '{"type":"user", oops'), /Line 2 is not JSON/u],
    [jsonl(user('u1', null, 'a'), '[]'), /Line 2 is not JSON/u],
    [jsonl(user('u1', null, 'a'), user('u1', null, 'b')), /line 2/u],
    [jsonl(user('u1', 'u2', 'a'), user('u2', 'u1', 'b')), /line 1/u],
    [jsonl({ type: 'system', uuid: 'x', parentUuid: 'x' }, user('u', 'x', 'a')), /line 2/u],
    [jsonl({ type: 'summary', summary: 's' }), /no message/u],
  ])('is refused with the line: %#', (file, why) => {
    expect(() => planImport(file, ports)).toThrow(why);
  });
});

describe('a session of QwenPaw', () => {
  const rows = [
    { id: '1', role: 'user', content: 'add a file', timestamp: '2026-01-02 03:04:05.678' },
    {
      ...{ id: '2', role: 'assistant', timestamp: '2026-01-02 03:04:06.000' },
      content: [
        { type: 'thinking', thinking: 'hm' },
        { type: 'tool_use', id: 't', name: 'write_file', input: { file_path: '/w/a.txt' } },
      ],
    },
    { id: '3', role: 'system', content: [{ type: 'tool_result', id: 't', output: [text('ok')] }] },
    { id: '4', role: 'assistant', content: [text('done')] },
    { id: '5', role: 'user', content: [text('thanks')] },
  ];
  const wanted = ['user: add a file', 'reply: hm | write_file done=ok | done', 'user: thanks'];

  test('is read from pairs in agent.memory.content', () => {
    const content = rows.map((row) => [row, []]);
    const state = stateOf(JSON.stringify({ agent: { memory: { content } } }, null, 2));
    expect(way(state, state.standing.head)).toEqual(wanted);
    expect(state.info.title).toBe('add a file');
    const files = [...state.nodes.values()].flatMap((node) => foldTurn(changesOf(node)));
    expect(files.map(({ file }) => file)).toEqual(['f0/a.txt']);
  });

  test('is read from agent.state.context, with calls whose input is a text', () => {
    const context = rows.map((row) =>
      row.id === '2'
        ? {
            ...row,
            content: [
              { type: 'thinking', thinking: 'hm' },
              { type: 'tool_call', id: 't', name: 'write_file', input: '{"file_path":"/w/a.txt"}' },
            ],
          }
        : row,
    );
    const state = stateOf(
      JSON.stringify({ agent: { state: { context }, memory: { content: [] } } }),
    );
    expect(way(state, state.standing.head)).toEqual(wanted);
  });

  test('is refused with the line of what is no message', () => {
    const content = [
      [rows[0], []],
      [{ id: 'odd', role: 5 }, []],
    ];
    const file = JSON.stringify({ agent: { memory: { content } } }, null, 2);
    const line = file.split('\n').findIndex((one) => one.includes('"odd"')) + 1;
    expect(() => planImport(file, ports)).toThrow(new RegExp(`line ${line} `, 'u'));
    const empty = JSON.stringify({ agent: { memory: { content: [] } } });
    expect(() => planImport(empty, ports)).toThrow(/no message/u);
  });
});

describe('a hostile file', () => {
  test('is one long row, or one message answered over and over: both are read', () => {
    const count = 20_000;
    const row = Array.from({ length: count }, (_, at) => says(`m${at + 1}`, `m${at}`, [text('x')]));
    expect(stateOf(jsonl(user('m0', null, 'a'), ...row)).nodes.size).toBe(2);
    const fan = Array.from({ length: count }, (_, at) => says(`m${at + 1}`, 'm0', [text('x')]));
    expect(planImport(jsonl(user('m0', null, 'a'), ...fan), ports).records).toHaveLength(count + 3);
  });

  test('that multiplies itself by branching within a reply is refused', () => {
    const count = 4_000;
    const lines = Array.from({ length: count }, (_, at) => [
      says(`m${at + 1}`, `m${at}`, [text('x')]),
      user(`u${at}`, `m${at + 1}`, 'x'),
    ]).flat();
    expect(() => planImport(jsonl(user('m0', null, 'a'), ...lines), ports)).toThrow(/too large/u);
  });

  test('with inputs that go deep, keys of prototypes and scripts is data and nothing else', async () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const script = '<img src=x onerror=alert(1)><script>alert(1)</script>';
    const line = JSON.stringify(
      says('a1', 'u1', [use('t1', '__proto__', { file_path: 'DEEP' }), text(script)]),
    ).replace('"DEEP"', deep);
    const proto =
      '{"type":"user","uuid":"__proto__","parentUuid":null,"__proto__":{"role":"x"},"message":{"role":"user","content":"a","__proto__":{"polluted":1}}}';
    const file = jsonl(proto, line.replace('"u1"', '"__proto__"'));
    const state = stateOf(file);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    expect(way(state, state.standing.head)).toEqual([
      'user: a',
      `reply: __proto__ interrupted= | ${script}`,
    ]);
    const { sessions } = await memoryEngine(newMemory(), {});
    const session = await sessions.createFrom(planImport(file, ports));
    expect((await sessions.readStored(session.id)).damage).toEqual([]);
  });

  test('whatever it says, it is refused or becomes records that are sound', () => {
    const values = fc.json({ maxDepth: 4 });
    fc.assert(
      fc.property(fc.array(values, { maxLength: 6 }), (lines) => {
        try {
          stateOf(lines.join('\n'));
        } catch (error) {
          expect(error).toMatchObject({ code: 'invalid' });
        }
      }),
      { numRuns: 300 },
    );
  });
});
