import { chmod, readFile } from 'node:fs/promises';
import { assert } from 'chai';
import * as vscode from 'vscode';
import { activate, api, codeOf, Folder, replyOf } from '../kit';
import { outcomes, texts } from './kit';

describe('moves that do not go all the way', () => {
  let folder: Folder;
  let sessionId: string;

  before(activate);
  beforeEach(async () => {
    folder = new Folder('trouble');
    sessionId = await api.newSession();
  });
  afterEach(() => folder.remove());

  it('a file that must not be written is named with the reason; tried again it follows', async () => {
    await folder.put('a.txt', 'a\n');
    await folder.put('b.txt', 'b\n');
    const turn = await api.send(
      sessionId,
      `write ${folder.path('a.txt')} with A\\n\nwrite ${folder.path('b.txt')} with B\\n`,
    );
    const path = folder.uri('a.txt').fsPath;
    await chmod(path, 0o444);
    const moved = await api.move('rewind', { sessionId, messageId: turn.userMessageId });
    assert.deepEqual(outcomes(folder, moved), { 'a.txt': 'failed', 'b.txt': 'restored' });
    assert.deepEqual(
      moved.errors.map(({ uri, code }) => [uri, code]),
      [[folder.uri('a.txt').toString(), 'storage']],
    );
    assert.isNotEmpty(moved.errors[0]?.message);
    assert.deepEqual(moved.restoredPaths, [folder.uri('b.txt').toString()]);
    assert.equal(await readFile(path, 'utf8'), 'A\n');
    const { headId, apart } = await api.getSession(sessionId);
    assert.isNull(headId);
    assert.deepEqual(apart, [folder.uri('a.txt').toString()]);

    await chmod(path, 0o644);
    const again = await api.move('retryFiles', { sessionId });
    assert.deepEqual(outcomes(folder, again), { 'a.txt': 'restored' });
    assert.equal(await readFile(path, 'utf8'), 'a\n');
    assert.equal(await codeOf(api.move('retryFiles', { sessionId })), 'nothing_to_do');
  });

  it('the setting says what a rewind takes along when nobody does', async () => {
    await folder.put('a.txt', 'a\n');
    const turn = await api.send(sessionId, `write ${folder.path('a.txt')} with A\\n`);
    const set = (value: string | undefined) =>
      vscode.workspace
        .getConfiguration()
        .update('retrace.rewind.defaultScope', value, vscode.ConfigurationTarget.Global);
    await set('chat');
    try {
      await api.move('rewind', { sessionId, messageId: turn.userMessageId });
    } finally {
      await set(undefined);
    }
    assert.deepEqual(await texts(folder, 'a.txt'), ['A\n']);
    const { headId, filesHeadId } = await api.getSession(sessionId);
    assert.isNull(headId);
    assert.equal(filesHeadId, turn.assistantMessageId);
  });

  it('a reply in the middle is given again; the later turns stay on their branch, with their files', async () => {
    await folder.put('a.txt', 'a\n');
    const first = await api.send(sessionId, `append 1 to ${folder.path('a.txt')}`);
    const second = await api.send(sessionId, `append 2 to ${folder.path('a.txt')}`);
    const again = await api.call<typeof first>('regenerate', {
      sessionId,
      messageId: first.assistantMessageId,
      confirm: false,
    });
    assert.equal(await folder.text('a.txt'), 'a\n1\n');
    const { view, nodes } = await api.getSession(sessionId);
    assert.deepEqual(view, [first.userMessageId, replyOf(again)]);
    assert.lengthOf(nodes, 5);
    const back = await api.move('switchBranch', {
      sessionId,
      messageId: first.assistantMessageId,
    });
    assert.equal(back.headId, second.assistantMessageId);
    assert.equal(await folder.text('a.txt'), 'a\n1\n2\n');
    await api.move('switchBranch', { sessionId, messageId: replyOf(again), scope: 'chat' });
    assert.equal(await folder.text('a.txt'), 'a\n1\n2\n');
  });
});
