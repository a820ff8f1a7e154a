import { lstat, readFile, readlink, symlink } from 'node:fs/promises';
import { assert } from 'chai';
import { activate, api, Folder } from '../kit';

describe('symbolic links', () => {
  let folder: Folder;
  let sessionId: string;
  const at = (name: string): string => folder.uri(name).fsPath;

  before(async function () {
    if (process.platform === 'win32') this.skip();
    await activate();
  });
  beforeEach(async () => {
    folder = new Folder('links');
    await folder.put('real.txt', 'real\n');
    sessionId = await api.newSession();
  });
  afterEach(() => folder.remove());

  for (const [target, what] of [
    ['real.txt', 'a file beside it'],
    ['/etc/hostname', 'a place outside'],
    ['nowhere', 'nothing'],
  ] as const) {
    it(`C27 a link to ${what} that the agent deletes comes back as that link`, async () => {
      await symlink(target, at('link'));
      const turn = await api.send(sessionId, `delete ${folder.path('link')}`);
      assert.equal(turn.status, 'done');
      assert.isFalse(
        await lstat(at('link')).then(
          () => true,
          () => false,
        ),
      );
      const back = await api.move('rewind', { sessionId, messageId: turn.userMessageId });
      assert.deepEqual(back.errors, []);
      assert.equal(await readlink(at('link')), target);
      assert.equal(await readFile(at('real.txt'), 'utf8'), 'real\n');
      await api.move('checkout', { sessionId, messageId: turn.assistantMessageId });
      assert.isFalse(
        await lstat(at('link')).then(
          () => true,
          () => false,
        ),
      );
    });
  }

  it('C27 an edit through a link changes what it leads to, and rewinds there', async () => {
    await symlink('real.txt', at('link'));
    const turn = await api.send(sessionId, `replace real with changed in ${folder.path('link')}`);
    assert.equal(await readFile(at('real.txt'), 'utf8'), 'changed\n');
    assert.equal(await readlink(at('link')), 'real.txt');
    await api.move('rewind', { sessionId, messageId: turn.userMessageId });
    assert.equal(await readFile(at('real.txt'), 'utf8'), 'real\n');
    assert.equal(await readlink(at('link')), 'real.txt');
  });
});
