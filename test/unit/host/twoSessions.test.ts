import { expect, test } from 'vitest';
import { write } from '../../kit/memoryEngine';
import { openChat } from './kit/chat';

test('two sessions that go back at once each have their own question, answer and files', async () => {
  const chat = await openChat({
    one: (turn) => write(turn, 'a', '1\n'),
    two: (turn) => write(turn, 'b', '2\n'),
  });
  chat.memory.workspace.put('f0/a', '0\n');
  chat.memory.workspace.put('f0/b', '0\n');
  await chat.ready();
  const begin = async (text: string) => {
    const session = await chat.sessions.create();
    const turn = await chat.retrace.send(session, { text, attachments: [] });
    return { session, plan: { verb: 'rewind' as const, messageId: turn.userMessageId } };
  };
  const [one, two] = [await begin('one'), await begin('two')];
  const planned = await Promise.all(
    [one, two].map(({ session, plan }) => chat.ask('planMove', plan, session.id)),
  );
  expect(chat.sheets.current(one.session.id)?.plan.planId).toBe(planned[0]?.planId);
  expect(chat.sheets.current(two.session.id)?.plan.planId).toBe(planned[1]?.planId);

  // A plan of the other session is not taken for one's own.
  const crossed = { planId: planned[1]?.planId ?? '', choices: {}, dontAskAgain: false };
  const { result } = await chat.send('applyMove', crossed, one.session.id);
  expect(result).toMatchObject({ ok: false, code: 'not_found' });
  expect(chat.memory.workspace.text('f0/b')).toBe('2\n');

  const answers = await Promise.all(
    [one, two].map(({ session }, index) =>
      chat.send(
        'applyMove',
        { planId: planned[index]?.planId ?? '', choices: {}, dontAskAgain: false },
        session.id,
      ),
    ),
  );
  expect(answers).toMatchObject([
    { sessionId: one.session.id, result: { ok: true, value: { applied: true } } },
    { sessionId: two.session.id, result: { ok: true, value: { applied: true } } },
  ]);
  expect(chat.memory.workspace.text('f0/a')).toBe('0\n');
  expect(chat.memory.workspace.text('f0/b')).toBe('0\n');
  expect(one.session.draft.draft.text).toBe('one');
  expect(two.session.draft.draft.text).toBe('two');
});
