import { describe, expect, it } from 'vitest';
import { ancestors } from '../../../src/core/graph';
import { requestNodes } from '../../../src/core/requestNodes';
import { memoryEngine, newMemory, write } from '../../kit/memoryEngine';

describe('older turns summarised', () => {
  it('the summary stands for them in the request only; files, nodes and rewind are as ever', async () => {
    const engine = await memoryEngine(newMemory(), {
      one: (turn) => write(turn, 'a', '1'),
      two: async () => ({
        status: 'failed',
        sent: true,
        error: { code: 'too_long', message: 'too long', tooLong: { tokens: 900 } },
      }),
    });
    const { retrace, sessions, requests } = engine;
    const session = await sessions.create();
    await retrace.send(session, { text: 'one', attachments: [] });
    const second = await retrace.send(session, { text: 'two', attachments: [] });
    const before = [...session.state.nodes.values()];
    const result = await retrace.continueSummarised(session, 'Go on.');
    expect(result.status).toBe('done');
    for (const node of before) expect(session.state.nodes.get(node.id)).toEqual(node);
    const sent = requestNodes(requests.at(-1)?.history ?? []);
    expect(sent.map((node) => (node.role === 'assistant' ? node.status : node.text))).toEqual([
      'summary of 2',
      'two',
      'failed',
      'Go on.',
    ]);
    // The request that was refused is known to the next one.
    expect(requests.at(-1)?.refusedTokens).toBe(900);
    await retrace.move(
      session,
      { verb: 'rewind', messageId: second.userMessageId, scope: 'both' },
      'keep',
    );
    const path = ancestors(session.state.nodes, session.standing.head);
    expect(path.map(({ role }) => role)).toEqual(['user', 'assistant']);
  });

  it('a regenerate of what was refused knows it; another model does not', async () => {
    const engine = await memoryEngine(newMemory(), {
      one: async ({ model }) =>
        model.id === 'm'
          ? {
              status: 'failed',
              sent: true,
              error: { code: 'too_long', message: 'too long', tooLong: { tokens: 900 } },
            }
          : undefined,
    });
    const { retrace, sessions, requests } = engine;
    const session = await sessions.create();
    const { assistantMessageId = '' } = await retrace.send(session, {
      text: 'one',
      attachments: [],
    });
    for (const model of ['m', 'n']) {
      const { plan } = await retrace.move(
        session,
        { verb: 'regenerate', messageId: assistantMessageId, scope: 'both', model },
        'keep',
      );
      await retrace.continueAfter(session, plan);
    }
    expect(requests.map((turn) => turn.refusedTokens)).toEqual([undefined, 900, undefined]);
  });

  it('there is nothing to summarise in an empty session', async () => {
    const { retrace, sessions } = await memoryEngine(newMemory(), {});
    const session = await sessions.create();
    await expect(retrace.continueSummarised(session, 'Go on.')).rejects.toMatchObject({
      code: 'nothing_to_do',
    });
    expect(session.running).toBeUndefined();
  });
});
