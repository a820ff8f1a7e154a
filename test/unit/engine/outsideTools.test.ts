import { describe, expect, it } from 'vitest';
import type { OutsideTool } from '../../../src/engine/ports';
import type { Mode } from '../../../src/core/mode';
import { memoryEngine, newMemory } from '../../kit/memoryEngine';

/** Runs one turn that uses a tool of somebody else in a watched workspace. */
async function turnWith(mode: Mode, invoke: OutsideTool['invoke']) {
  const memory = newMemory();
  const seen: string[] = [];
  const tool: OutsideTool = {
    name: 'their_tool',
    description: 'Does something.',
    schema: { type: 'object' },
    invoke,
  };
  const engine = await memoryEngine(
    {
      ...memory,
      mode,
      outsideTools: [tool],
      commands: {
        shell: {
          handles: () => false,
          start: () => {
            throw new Error('no shell');
          },
        },
        watcherOf: () => ({
          resume: async () => undefined,
          uncovered: async () => ['node_modules is not covered'],
          begin: async () => {
            seen.push('begin');
            return {
              record: async (more) => void seen.push(`record ${more}`),
              end: async () => void seen.push('end'),
            };
          },
        }),
      },
    },
    {
      go: async (turn) => {
        const [offered] = turn.outsideTools ?? [];
        try {
          seen.push((await offered?.call({ a: 1 })) ?? '');
        } catch (error) {
          seen.push(`failed: ${error instanceof Error ? error.message : ''}`);
        }
        return undefined;
      },
    },
  );
  const session = await engine.sessions.create();
  return { engine, session, seen };
}

describe('tools of others', () => {
  it('are bracketed like a command', async () => {
    const { engine, session, seen } = await turnWith('agent', async (input) => {
      seen.push('works');
      return JSON.stringify(input);
    });
    await engine.retrace.send(session, { text: 'go', attachments: [] });
    expect(seen).toEqual(['begin', 'works', 'record false', 'end', '{"a":1}']);
  });

  it('are refused in any other mode', async () => {
    const { engine, session, seen } = await turnWith('edit', async () => 'never');
    await engine.retrace.send(session, { text: 'go', attachments: [] });
    expect(seen).toEqual(['failed: The mode "edit" allows no such tool.']);
  });

  it('one that heeds nothing does not hold up Stop, and what it changed until then is recorded', async () => {
    const { engine, session, seen } = await turnWith('agent', () => new Promise(() => undefined));
    const turn = engine.retrace.send(session, { text: 'go', attachments: [] });
    while (!seen.includes('begin')) await new Promise((resolve) => setTimeout(resolve, 5));
    await engine.retrace.stop(session);
    expect((await turn).status).toBe('interrupted');
    expect(seen).toEqual(['begin', 'record false', 'end', 'failed: The user stopped the turn.']);
  });
});
