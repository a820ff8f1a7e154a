import { assert } from 'chai';
import { activate, api, codeOf, Folder, replyOf } from '../kit';
import { until } from './kit';

describe('the graph: fork, regenerate, edit, scopes', () => {
  let folder: Folder;
  let sessionId: string;
  const f = () => folder.text('f');
  const write = (text: string) => api.send(sessionId, `write ${folder.path('f')} with ${text}\\n`);

  before(activate);
  beforeEach(async () => {
    folder = new Folder('graph');
    await folder.put('f', '0\n');
    sessionId = await api.newSession();
  });
  afterEach(() => folder.remove());

  it('C41 edit and resend makes a sibling that starts from the files of that moment', async () => {
    const first = await write('1');
    const second = await api.send(
      sessionId,
      `write ${folder.path('f')} with 2\\n\nwrite ${folder.path('f')} with 3\\n`,
      { attachments: [{ uri: folder.uri('f').toString() }] },
    );
    const third = await write('4');
    const edited = await api.call<typeof first>('editAndResend', {
      sessionId,
      messageId: second.userMessageId,
      text: `append seen to ${folder.path('f')}`,
      confirm: false,
    });
    assert.equal(edited.status, 'done');
    assert.equal(await f(), '1\nseen\n');
    const { nodes, view } = await api.getSession(sessionId);
    const node = (id: string) => nodes.find((other) => other.id === id);
    assert.equal(node(edited.userMessageId)?.parentId, first.assistantMessageId);
    assert.deepEqual(view, [
      first.userMessageId,
      replyOf(first),
      edited.userMessageId,
      replyOf(edited),
    ]);
    assert.isDefined(node(replyOf(third)));
    await api.move('switchBranch', { sessionId, messageId: second.userMessageId });
    assert.equal(await f(), '4\n');
    assert.equal((await api.getSession(sessionId)).headId, third.assistantMessageId);
  });

  it('C42 a reply stopped or failed while given again is a sibling of its own, and the next message works', async () => {
    const text = `write ${folder.path('f')} with 1\\n\nwait 1`;
    const first = await api.send(sessionId, text);
    assert.equal(await f(), '1\n');
    const again = api.call<typeof first>('regenerate', { sessionId, confirm: false });
    await until(async () => (await api.getSession(sessionId)).running);
    await api.call('stop', { sessionId });
    const stopped = await again;
    assert.equal(stopped.status, 'interrupted');
    const { headId, nodes } = await api.getSession(sessionId);
    const old = nodes.find(({ id }) => id === first.assistantMessageId);
    assert.equal(old?.status, 'done');
    if (headId === first.assistantMessageId) assert.equal(await f(), '1\n');
    else assert.equal(nodes.find(({ id }) => id === headId)?.status, 'interrupted');
    await api.move('checkout', { sessionId, messageId: replyOf(first) });
    assert.equal(await f(), '1\n');

    const missing = api.call('regenerate', { sessionId, model: 'gone', confirm: false });
    assert.equal(await codeOf(missing), 'not_found');
    assert.equal((await api.getSession(sessionId)).headId, first.assistantMessageId);
    assert.equal(await f(), '1\n');
    assert.equal((await api.send(sessionId, 'say on')).status, 'done');
  });

  it('C42 a failed message given again: each try is a sibling with its own files', async () => {
    const first = await api.send(sessionId, `append a to ${folder.path('f')}\nfail on purpose`);
    assert.equal(first.status, 'failed');
    assert.equal(await f(), '0\na\n');
    const second = await api.call<typeof first>('regenerate', { sessionId, confirm: false });
    assert.equal(second.status, 'failed');
    assert.equal(await f(), '0\na\n');
    const { nodes, headId } = await api.getSession(sessionId);
    assert.equal(headId, second.assistantMessageId);
    assert.deepEqual(
      nodes.filter(({ role }) => role === 'assistant').map(({ status }) => status),
      ['failed', 'failed'],
    );
    await api.move('rewind', { sessionId, messageId: first.userMessageId });
    assert.equal(await f(), '0\n');
  });

  it('C43 chat only leaves the files, and a later rewind gives what lay there when that turn began', async () => {
    const first = await write('1');
    const second = await write('2');
    const moved = await api.move('rewind', {
      sessionId,
      messageId: first.userMessageId,
      scope: 'chat',
    });
    assert.equal(await f(), '2\n');
    assert.deepEqual(moved.files, []);
    assert.equal((await api.getSession(sessionId)).filesHeadId, second.assistantMessageId);
    const other = await write('3');
    assert.equal(await f(), '3\n');
    await api.move('rewind', { sessionId, messageId: other.userMessageId });
    assert.equal(await f(), '2\n');
  });

  it('C43 files only leaves the conversation; both takes both', async () => {
    const first = await write('1');
    const second = await write('2');
    const target = { sessionId, messageId: first.userMessageId };
    await api.move('rewind', { ...target, scope: 'files' });
    assert.equal(await f(), '0\n');
    const apart = await api.getSession(sessionId);
    assert.equal(apart.headId, second.assistantMessageId);
    assert.notEqual(apart.filesHeadId, apart.headId);
    await api.move('undoMove', { sessionId });
    assert.equal(await f(), '2\n');
    const both = await api.move('rewind', target);
    assert.equal(await f(), '0\n');
    assert.equal(both.headId, null);
    assert.equal((await api.getSession(sessionId)).draft.text, both.userText);
  });

  it('C40 forks hold exactly the history up to their point, rewind by themselves and leave their source alone', async () => {
    const attachments = [{ uri: folder.uri('f').toString() }];
    const first = await write('1');
    const second = await api.send(sessionId, `write ${folder.path('f')} with 2\\n`, {
      attachments,
    });
    const third = await write('3');
    const source = await api.getSession(sessionId);
    const fork = async (messageId: string) => {
      const made = await api.call<{ sessionId: string }>('fork', { sessionId, messageId });
      return api.getSession(made.sessionId);
    };
    const all = [first, second, third].flatMap((turn) => [turn.userMessageId, replyOf(turn)]);
    const atSecond = await fork(replyOf(second));
    assert.deepEqual(atSecond.view, all.slice(0, 4));
    assert.lengthOf(atSecond.nodes, 4);
    const atMessage = await fork(second.userMessageId);
    assert.deepEqual(atMessage.view, all.slice(0, 2));
    assert.deepEqual(atMessage.draft, { text: `write ${folder.path('f')} with 2\\n`, attachments });
    assert.deepEqual((await fork(replyOf(third))).view, all);
    assert.equal(await f(), '3\n');
    assert.deepEqual(await api.getSession(sessionId), source);

    await api.move('checkout', { sessionId: atSecond.id, messageId: replyOf(second) });
    assert.equal(await f(), '2\n');
    const turn = await api.send(atSecond.id, `write ${folder.path('f')} with 2b\\n`);
    await api.move('rewind', { sessionId: atSecond.id, messageId: turn.userMessageId });
    assert.equal(await f(), '2\n');
    await api.move('rewind', { sessionId: atSecond.id, messageId: first.userMessageId });
    assert.equal(await f(), '0\n');
    assert.deepEqual(await api.getSession(sessionId), source);
  });

  for (const scope of ['both', 'chat'] as const) {
    it(`C69 an edit that counts on a turn gone back from (${scope}) goes by what the file holds now`, async () => {
      const first = await api.send(
        sessionId,
        `read ${folder.path('f')}\nwrite ${folder.path('f')} with 1\\n`,
      );
      await api.move('rewind', { sessionId, messageId: first.userMessageId, scope });
      const again = await api.send(sessionId, `replace 1 with 2 in ${folder.path('f')}`);
      assert.equal(await f(), scope === 'both' ? '0\n' : '2\n');
      const { nodes, view } = await api.getSession(sessionId);
      assert.deepEqual(view, [again.userMessageId, replyOf(again)]);
      const reply = nodes.find(({ id }) => id === again.assistantMessageId);
      assert.lengthOf(reply?.files ?? [], scope === 'both' ? 0 : 1);
    });
  }
});
