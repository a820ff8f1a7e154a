import { expect, test } from 'vitest';
import { tellNews, type NoticeKind } from '../../../src/host/notices';
import { memoryEngine, newMemory } from '../../kit/memoryEngine';

/** A window nobody looks at, and what it tells. */
async function window(which: NoticeKind, { focused = false, pressed = false } = {}) {
  const engine = await memoryEngine(newMemory(), {
    ask: async ({ goOn, signal }) => {
      await goOn?.(50);
      return { status: signal.aborted ? 'interrupted' : 'done', sent: true };
    },
    fail: async () => ({ status: 'failed', sent: true }),
  });
  const texts: string[] = [];
  const revealed: string[] = [];
  const end = tellNews({
    sessions: engine.sessions,
    approvals: engine.approvals,
    which: () => which,
    focused: () => focused,
    show: async (text) => (texts.push(text), pressed),
    reveal: async (session) => void revealed.push(session.id),
    log: engine.log,
    t: (message, ...args) => message.replace(/\{(\d)\}/gu, (_, n) => String(args[Number(n)])),
  });
  const session = await engine.sessions.create('S');
  const send = async (text: string, answer: 'once' | 'stop' = 'once') => {
    const turn = engine.retrace.send(session, { text, attachments: [] });
    while (text === 'ask' && engine.approvals.pending().length === 0)
      await new Promise((resolve) => setTimeout(resolve, 1));
    const [question] = engine.approvals.pending();
    if (answer === 'stop') await engine.retrace.stop(session);
    else if (question !== undefined) await engine.approvals.answer(question.approvalId, answer);
    await turn;
  };
  return { texts, revealed, send, end, session };
}

test.each<[NoticeKind, string[]]>([
  ['off', []],
  ['waiting', ['“S” waits for your answer.']],
  ['all', ['“S” waits for your answer.', '“S” is answered.', 'The reply in “S” failed.']],
])('%s: what is told while nobody looks', async (which, expected) => {
  const { texts, send } = await window(which);
  await send('ask');
  await send('fail');
  expect(texts).toEqual(expected);
});

test('nothing is told in a window with focus, of a turn that was stopped, and after the end', async () => {
  const looking = await window('all', { focused: true });
  await looking.send('ask');
  expect(looking.texts).toEqual([]);
  const away = await window('all');
  await away.send('ask', 'stop');
  expect(away.texts).toEqual(['“S” waits for your answer.']);
  away.end();
  await away.send('fail');
  expect(away.texts).toHaveLength(1);
});

test('its button brings the session up', async () => {
  const { send, revealed, session } = await window('waiting', { pressed: true });
  await send('ask');
  expect(revealed).toEqual([session.id]);
});
