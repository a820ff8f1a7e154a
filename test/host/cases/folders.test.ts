import { assert } from 'chai';
import * as vscode from 'vscode';
import { activate, api, Folder } from '../kit';

describe('folders', () => {
  let folder: Folder;
  let sessionId: string;

  before(activate);
  beforeEach(async () => {
    folder = new Folder('folders');
    await folder.put('old/o.txt', 'o\n');
    sessionId = await api.newSession();
  });
  afterEach(() => folder.remove());

  const make = () =>
    api.send(
      sessionId,
      `create ${folder.path('a/b/c/new.txt')} with new\\n\ncreate ${folder.path('old/x.txt')} with x\\n`,
    );

  async function isThere(path: string): Promise<boolean> {
    return vscode.workspace.fs.stat(folder.uri(path)).then(
      () => true,
      () => false,
    );
  }

  it('C28 made in the turn go with it and come again with it', async () => {
    const turn = await make();
    assert.equal(await folder.text('a/b/c/new.txt'), 'new\n');
    await api.move('rewind', { sessionId, messageId: turn.userMessageId });
    assert.isFalse(await isThere('a'));
    assert.equal(await folder.text('old/o.txt'), 'o\n');
    assert.isUndefined(await folder.text('old/x.txt'));
    await api.move('checkout', { sessionId, messageId: turn.assistantMessageId });
    assert.equal(await folder.text('a/b/c/new.txt'), 'new\n');
    assert.equal(await folder.text('old/x.txt'), 'x\n');
  });

  it('C28 stay where somebody put a file into them, and only there', async () => {
    const turn = await make();
    await folder.put('a/keep.txt', 'mine\n');
    const { errors } = await api.move('rewind', { sessionId, messageId: turn.userMessageId });
    assert.deepEqual(errors, []);
    assert.equal(await folder.text('a/keep.txt'), 'mine\n');
    assert.isFalse(await isThere('a/b'));
  });
});
