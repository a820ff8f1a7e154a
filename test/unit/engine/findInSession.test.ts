import { expect, test } from 'vitest';
import { findInSession } from '../../../src/engine/findInSession';
import { memoryEngine, newMemory } from '../../kit/memoryEngine';

test('messages are found in the order of the conversation, and on other branches where that is wanted', async () => {
  const engine = await memoryEngine(newMemory(), {
    Alpha: async ({ sink }) => (
      sink.setPart(0, { type: 'text', text: 'the (a+b)* of it' }),
      undefined
    ),
    beta: async ({ sink }) => (sink.setPart(0, { type: 'text', text: 'nothing' }), undefined),
    'alpha again': async () => undefined,
  });
  const session = await engine.sessions.create();
  const send = (text: string) => engine.retrace.send(session, { text, attachments: [] });
  const found = (text: string, everywhere = false) =>
    findInSession(session.state, text, everywhere).hits.map(({ excerpt, onPath }) => [
      excerpt,
      onPath,
    ]);
  await send('Alpha');
  const { userMessageId } = await send('beta');
  await engine.retrace.move(
    session,
    { verb: 'rewind', messageId: userMessageId, scope: 'chat' },
    'keep',
  );
  await send('alpha again');
  expect(found('ALPHA')).toEqual([
    ['Alpha', true],
    ['alpha again', true],
  ]);
  expect(found('(A+B)*')).toEqual([['the (a+b)* of it', true]]);
  expect(found('beta')).toEqual([]);
  expect(found('beta', true)).toEqual([['beta', false]]);
  expect(found('  ')).toEqual([]);
  expect(findInSession(session.state, 'alpha', true).complete).toBe(true);
});
