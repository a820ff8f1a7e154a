import { assert } from 'chai';
import type { SessionResult } from '../../../src/host/commands/results';
import type { TurnResult } from '../../../src/engine/liveReply';
import { activate, api, replyOf } from '../kit';

/** The shape of a session without its ids: how many children each message has, in their order, from the first one down. */
function shape({ nodes }: SessionResult): unknown {
  const below = (parent: string | null): unknown[] =>
    nodes
      .filter(({ parentId }) => parentId === parent)
      .map(({ id, role, text }) => [role, text, below(id)]);
  return below(null);
}

function shown({ nodes, view }: SessionResult): string[] {
  const texts = new Map(nodes.map(({ id, text }) => [id, text]));
  return view.map((id) => texts.get(id) ?? '');
}

describe('a session of sixty messages and many branches', () => {
  let sessionId: string;
  const say = (text: string) => api.send(sessionId, `say ${text}`);

  before(async function () {
    this.timeout(60_000);
    await activate();
    sessionId = await api.newSession('branched');
    const turns: TurnResult[] = [];
    for (let n = 0; n < 25; n++) turns.push(await say(`${n}`));
    const edit = (at: number, text: string) =>
      api.call('editAndResend', {
        sessionId,
        messageId: turns[at]?.userMessageId,
        text: `say ${text}`,
        confirm: false,
      });
    const again = async (at: number): Promise<void> => {
      const turn = turns[at];
      assert.ok(turn);
      await api.call('regenerate', { sessionId, messageId: replyOf(turn), confirm: false });
    };
    await edit(5, 'edited a');
    await edit(5, 'edited b');
    await edit(15, 'edited c');
    await say('after c');
    await again(20);
    await again(24);
  });

  it('C39 stored in any order and with one time for all it comes back with one root and the same shape', async () => {
    const before = await api.getSession(sessionId);
    assert.lengthOf(before.nodes, 60);
    assert.lengthOf(
      before.nodes.filter(({ parentId }) => parentId === null),
      1,
    );
    const { text } = await api.call<{ text: string }>('exportSession', {
      sessionId,
      format: 'json',
    });
    for (const clock of [() => 7, (at: number) => (at < 30 ? 172_800_000 : 86_400_000) + at]) {
      const stored = JSON.parse(text) as { nodes: { createdAt: number }[] };
      const nodes = stored.nodes
        .map((node, at) => ({ ...node, createdAt: clock(at) }))
        .sort(() => Math.random() - 0.5);
      const imported = await api.call<{ sessionId: string }>('importSession', {
        text: JSON.stringify({ ...stored, nodes }),
      });
      const after = await api.getSession(imported.sessionId);
      assert.deepEqual(shape(after), shape(before));
      assert.deepEqual(shown(after), shown(before));
      const fork = await api.call<{ sessionId: string }>('fork', imported);
      assert.deepEqual(shown(await api.getSession(fork.sessionId)), shown(before));
    }
  });
});
