import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changesOf } from '../../../src/core/node';
import { RetraceError } from '../../../src/engine/errors';
import { exportJson, exportMarkdown } from '../../../src/engine/exportSession';
import { planImport } from '../../../src/engine/import/importSession';
import { damaged, damages, fuzzing, fuzzTimeout, mutated, mutations } from '../../kit/fuzz';
import { memoryEngine, newMemory, write } from '../../kit/memoryEngine';

const text = (said: string) => ({ type: 'text', text: said });
const claude = [
  { type: 'summary', summary: 'Title', leafUuid: 'a2' },
  ...[1, 2, 3].flatMap((n) => [
    {
      ...{ type: 'user', uuid: `u${n}`, parentUuid: n === 1 ? null : `a${n - 1}` },
      ...{ timestamp: '2026-01-02T03:04:05.000Z', cwd: '/w' },
      message: {
        role: 'user',
        content: n === 2 ? [{ type: 'tool_result', tool_use_id: 't1', content: 'x' }] : 'hi',
      },
    },
    {
      ...{ type: 'assistant', uuid: `a${n}`, parentUuid: `u${n}` },
      message: {
        ...{ role: 'assistant', model: 'm' },
        content: [
          text('ok'),
          { type: 'tool_use', id: `t${n}`, name: 'Write', input: { file_path: '/w/a' } },
        ],
      },
    },
  ]),
];
const qwen = {
  id: 'q',
  agent: {
    memory: {
      content: [1, 2].flatMap((n) => [
        [{ id: `u${n}`, role: 'user', content: 'hi', timestamp: '2026-01-02 03:04:05' }, []],
        [
          {
            id: `a${n}`,
            role: 'assistant',
            content: [text('ok')],
            timestamp: '2026-01-02 03:04:06',
          },
          [],
        ],
      ]),
    },
  },
};

/** A session as Retrace exports it: two branches, changes, a move. */
async function exported(): Promise<unknown> {
  const scripts = {
    one: (turn: Parameters<typeof write>[0]) => write(turn, 'a.txt', '1\n'),
    two: (turn: Parameters<typeof write>[0]) => write(turn, 'd/b.txt', '2\n'),
  };
  const { retrace, sessions } = await memoryEngine(newMemory(), scripts);
  const session = await sessions.create();
  const first = await retrace.send(session, { text: 'one', attachments: [] });
  await retrace.send(session, {
    text: 'two',
    attachments: [{ name: 'a', mime: 'text/plain', base64: 'AA==' }],
  });
  const at = { verb: 'rewind', messageId: first.userMessageId, scope: 'both' } as const;
  await retrace.move(session, at, 'keep');
  await retrace.send(session, { text: 'two', attachments: [{ uri: 'file:///etc/passwd' }] });
  return JSON.parse(exportJson(session)) as unknown;
}

test(
  'whatever file is imported, it is refused with a reason or becomes a session that is sound and reaches nothing',
  { timeout: fuzzTimeout },
  async () => {
    const own = await exported();
    const sources: readonly (readonly [unknown, (value: unknown) => string])[] = [
      [own, (value) => JSON.stringify(value)],
      [qwen, (value) => JSON.stringify(value)],
      [
        claude,
        (value) =>
          (Array.isArray(value) ? value : [value]).map((line) => JSON.stringify(line)).join('\n'),
      ],
    ];
    const folders = [{ id: 'f0', uri: 'file:///w', name: 'w' }];
    let ids = 0;
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...sources),
        mutations,
        fc.option(damages, { nil: [], freq: 4 }),
        async ([value, write], changes, cuts) => {
          const bytes = new TextEncoder().encode(write(mutated(value, changes)));
          const file = new TextDecoder().decode(damaged(bytes, cuts));
          const ports = { newId: () => `n${++ids}`, now: () => 5, folders };
          const begin = Date.now();
          try {
            const plan = planImport(file, ports);
            const { sessions, retrace, workspace } = await engine();
            const session = await sessions.createFrom(plan);
            for (const node of session.state.nodes.values()) {
              for (const link of changesOf(node)) {
                if (link.type !== 'change') throw new Error('a change that could be made');
                expect([link.before.kind, link.after.kind]).toEqual(['uncovered', 'uncovered']);
                expect(link.file).toMatch(/^f\d+\//u);
              }
              if (node.role === 'user')
                for (const attachment of node.attachments)
                  expect(attachment).toHaveProperty('base64');
            }
            expect((await sessions.readStored(session.id)).damage).toEqual([]);
            exportJson(session);
            exportMarkdown(session);
            for (const id of [...session.state.nodes.keys()].slice(0, 3))
              await retrace
                .move(session, { verb: 'checkout', messageId: id, scope: 'both' }, 'restore')
                .catch(coded);
            expect(workspace.writes).toEqual([]);
            taken += 1;
          } catch (error) {
            coded(error);
          }
          expect(Date.now() - begin).toBeLessThan(5_000);
          expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
        },
      ),
      fuzzing(300),
    );
    // A fuzzer whose files are all refused tries nothing but the door.
    expect(taken).toBeGreaterThan(10);
  },
);

async function engine() {
  const memory = newMemory();
  return { ...(await memoryEngine(memory, {})), workspace: memory.workspace };
}

function coded(error: unknown): void {
  if (!(error instanceof RetraceError)) throw error;
}
