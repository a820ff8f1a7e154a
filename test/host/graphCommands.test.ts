import { assert } from 'chai';
import * as vscode from 'vscode';
import { activate, api, codeOf, Folder, replyOf } from './kit';

describe('the graph by command', () => {
  let folder: Folder;
  let sessionId: string;
  const write = (text: string) => api.send(sessionId, `write ${folder.path('f')} with ${text}\\n`);
  const node = async (id: string) =>
    (await api.getSession(sessionId)).nodes.find((other) => other.id === id);

  before(activate);
  beforeEach(async () => {
    folder = new Folder('graph-commands');
    sessionId = await api.newSession();
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await folder.remove();
  });

  it('labels a message, and takes the label away', async () => {
    const { userMessageId: messageId } = await write('1');
    const label = (text: string) => api.call('labelMessage', { sessionId, messageId, label: text });
    assert.deepEqual(await label(' it  works '), { messageId, label: 'it works' });
    assert.equal((await node(messageId))?.label, 'it works');
    await label('');
    assert.notProperty(await node(messageId), 'label');
    assert.equal(await codeOf(label('x'.repeat(81))), 'invalid');
    const gone = api.call('labelMessage', { sessionId, messageId: 'gone', label: 'x' });
    assert.equal(await codeOf(gone), 'not_found');
  });

  it('archives a branch, not the one the session stands on, and everything still reaches it', async () => {
    const first = await write('1');
    await api.move('rewind', { sessionId, messageId: first.userMessageId });
    const second = await write('2');
    const archive = (messageId: string, archived = true) =>
      api.call('archiveBranch', { sessionId, messageId, archived });
    assert.equal(await codeOf(archive(second.userMessageId)), 'invalid');
    await archive(first.userMessageId);
    assert.isTrue((await node(first.userMessageId))?.archived);
    const moved = await api.move('switchBranch', { sessionId, messageId: first.userMessageId });
    assert.equal(moved.headId, first.assistantMessageId ?? null);
    assert.equal(await folder.text('f'), '1\n');
    await archive(first.userMessageId, false);
    assert.notProperty(await node(first.userMessageId), 'archived');
  });

  it('compares the files of two messages, or of one and now, and writes nothing', async () => {
    const first = await write('1');
    await api.send(sessionId, 'say nothing');
    const second = await write('2');
    const compare = (messageId: string, other?: string) =>
      api.call<{ files: string[] }>('compareMessages', {
        sessionId,
        messageId,
        ...(other !== undefined && { with: other }),
      });
    const uri = folder.uri('f').toString();
    assert.deepEqual(await compare(replyOf(first), replyOf(second)), { files: [uri] });
    assert.deepEqual(await compare(replyOf(second), first.userMessageId), { files: [uri] });
    assert.deepEqual(await compare(replyOf(first)), { files: [uri] });
    assert.equal(await codeOf(compare(replyOf(first), second.userMessageId)), 'nothing_to_do');
    assert.equal(await codeOf(compare(replyOf(first), 'gone')), 'not_found');
    assert.equal(await folder.text('f'), '2\n');
  });
});
