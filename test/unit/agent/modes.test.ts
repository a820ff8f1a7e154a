import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Mode } from '../../../src/core/mode';
import { openAi, sendStream, startServer, type StreamServer } from './kit/streamServer';
import { runTurn } from './kit/turns';
import { MemoryWorkspace } from './kit/workspace';

const request = z.object({
  messages: z.array(z.object({ role: z.string(), content: z.unknown() })),
  tools: z.array(z.object({ function: z.object({ name: z.string() }) })),
});

let server: StreamServer | undefined;
afterEach(async () => {
  await server?.stop();
});

async function turnIn(mode: Mode, name: string, input: unknown) {
  const workspace = new MemoryWorkspace({ f: '0\n' });
  const started = await startServer((response, index) =>
    sendStream(response, index === 0 ? openAi.call('1', name, input) : openAi.say('ok')),
  );
  server = started;
  const model = {
    id: 'm',
    provider: 'openai-compatible',
    baseUrl: `${started.url}/v1`,
    model: 'm',
  } as const;
  const turn = await runTurn('go', { model, mode, workspace });
  const sent = request.parse(JSON.parse(started.bodies[0] ?? ''));
  return {
    turn,
    workspace,
    tools: sent.tools.map((tool) => tool.function.name),
    system: JSON.stringify(sent.messages[0]),
  };
}

describe('modes', () => {
  it('Ask offers what reads, says so, and refuses a write all the same', async () => {
    const { turn, workspace, tools, system } = await turnIn('ask', 'write', {
      path: 'new',
      text: 'x',
    });
    expect(tools).toEqual(expect.arrayContaining(['read', 'list', 'search', 'todo']));
    for (const name of ['write', 'edit', 'multi_edit', 'delete', 'rename', 'run'])
      expect(tools).not.toContain(name);
    expect(system).toContain('mode \\"Ask\\"');
    expect(turn.tools[0]).toMatchObject({ state: 'denied' });
    expect(turn.tools[0]?.output).toContain('files are only read');
    expect(workspace.text('new')).toBeUndefined();
    expect(turn.outcome.status).toBe('done');
  });

  it('Edit changes files and runs nothing', async () => {
    const { turn, workspace, tools } = await turnIn('edit', 'run', { command: 'rm f' });
    expect(tools).toContain('write');
    expect(tools).not.toContain('run');
    expect(turn.tools[0]).toMatchObject({ state: 'denied' });
    expect(workspace.log).toEqual([]);
  });

  it('Agent offers everything and speaks of no mode', async () => {
    const { turn, workspace, tools, system } = await turnIn('agent', 'write', {
      path: 'new',
      text: 'x',
    });
    expect(tools).toContain('run');
    expect(system).not.toContain('The user has set the mode');
    expect(turn.tools[0]?.state).toBe('done');
    expect(workspace.text('new')).toBe('x');
  });
});

it('a call says how much of its time somebody was asked for leave', async () => {
  let waited = 400;
  class Asking extends MemoryWorkspace {
    override read(...args: Parameters<MemoryWorkspace['read']>) {
      waited += 2_000;
      return super.read(...args);
    }
  }
  const { tools } = await runTurn('read f\nlist', {
    workspace: new Asking({ f: '0\n' }),
    waited: () => waited,
  });
  expect(tools.map(({ name, waited: time }) => [name, time])).toEqual([
    ['read', 2_000],
    ['list', undefined],
  ]);
});
