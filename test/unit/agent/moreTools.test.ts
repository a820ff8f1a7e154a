import { describe, expect, it } from 'vitest';
import { buildMessages } from '../../../src/agent/history';
import { openAi } from './kit/streamServer';
import { runTurn, assistant, user } from './kit/turns';
import { MemoryWorkspace } from './kit/workspace';

interface Call {
  readonly name: string;
  readonly input: unknown;
}

/** Runs a turn in which each answer makes some calls, against a server in the form of OpenAI. */
async function calling(answers: readonly (readonly Call[])[], workspace: MemoryWorkspace) {
  let requests = 0;
  const fetch: typeof globalThis.fetch = async () => {
    const calls = answers[requests++];
    const text =
      calls === undefined
        ? openAi.say('ok')
        : calls
            .map(
              ({ name, input }, index) =>
                openAi.callStart(`c${index}`, name, index) +
                openAi.callPiece(JSON.stringify(input), index),
            )
            .join('') + openAi.finish('tool_calls');
    return new Response(text, { headers: { 'content-type': 'text/event-stream' } });
  };
  const model = {
    id: 'm',
    provider: 'openai-compatible',
    baseUrl: 'http://m.test/v1',
    model: 'm',
  } as const;
  return runTurn('go', { model, fetch, workspace });
}

const read = { name: 'read', input: { path: 'f' } };

describe('several edits of one file', () => {
  it('are made one after the other, and written once', async () => {
    const workspace = new MemoryWorkspace({ f: 'a\r\nb\r\nc\r\n' });
    const edits = [
      { old: 'a', new: 'x\ny' },
      { old: 'y\nb', new: 'z' },
      { old: 'c', new: 'c2', replaceAll: null },
    ];
    const turn = await calling(
      [[read], [{ name: 'multi_edit', input: { path: 'f', edits } }]],
      workspace,
    );
    expect(turn.tools[1]).toMatchObject({ state: 'done', output: 'Changed f in 3 places.' });
    expect(workspace.text('f')).toBe('x\r\nz\r\nc2\r\n');
    expect(workspace.log.filter((line) => line === 'write f')).toHaveLength(1);
  });

  it('none is made when one fails, and the model hears which', async () => {
    const workspace = new MemoryWorkspace({ f: 'a\nb\n' });
    const edits = [
      { old: 'a', new: 'x' },
      { old: 'nothing like it 123', new: 'y' },
    ];
    const turn = await calling(
      [[read], [{ name: 'multi_edit', input: { path: 'f', edits } }]],
      workspace,
    );
    expect(turn.tools[1]?.state).toBe('failed');
    expect(turn.tools[1]?.output).toMatch(/^Edit 2 of 2: .*Nothing was changed\.$/su);
    expect(workspace.text('f')).toBe('a\nb\n');
  });
});

describe('C69 the to-do list', () => {
  const list = (done: boolean) => [
    { text: 'look', done },
    { text: 'change', done: false },
  ];

  it('is a part of the reply that changes where it stands', async () => {
    const turn = await calling(
      [
        [{ name: 'todo', input: { items: list(false) } }, read],
        [{ name: 'todo', input: { items: list(true) } }],
      ],
      new MemoryWorkspace({ f: '0\n' }),
    );
    expect(turn.outcome.status).toBe('done');
    expect(turn.parts.filter((part) => part.type === 'todo')).toEqual([
      { type: 'todo', items: list(true) },
    ]);
    expect(turn.tools.at(-1)?.output).toBe('The list is kept: 1 of 2 done.');
  });

  it('does not part the calls of one answer in later requests', async () => {
    const turn = await calling(
      [[{ name: 'todo', input: { items: list(false) } }, read]],
      new MemoryWorkspace({ f: '0\n' }),
    );
    const [, first, results, last] = buildMessages({
      nodes: [user('go'), assistant(turn.parts)],
      attached: new Map(),
      running: [],
      model: 'other',
    });
    expect(first?.content).toMatchObject([{ toolName: 'todo' }, { toolName: 'read' }]);
    expect(results?.content).toHaveLength(2);
    expect(last?.role).toBe('assistant');
  });
});
