import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { assert } from 'chai';
import { activate, api, Folder } from '../kit';
import { sleep, texts, writtenAt } from './kit';

const run = promisify(execFile);

describe('a Git work tree', () => {
  let folder: Folder;

  before(activate);
  beforeEach(() => {
    folder = new Folder('git');
  });
  afterEach(() => folder.remove());

  async function git(...args: readonly string[]): Promise<string> {
    const { stdout } = await run(
      'git',
      [
        '-c',
        'user.name=t',
        '-c',
        'user.email=t@example.org',
        '-c',
        'commit.gpgsign=false',
        ...args,
      ],
      { cwd: folder.uri('').fsPath, env: { ...process.env, GIT_CONFIG_NOSYSTEM: '1' } },
    );
    return stdout;
  }

  it('C04 undoing a turn that changed nothing writes nothing, and no commit falls off', async () => {
    await folder.put('a.txt', 'old\n');
    await folder.put('b.txt', 'b\n');
    await folder.put('c.txt', 'c\n');
    await git('init', '-q', '-b', 'main');
    await git('add', '.');
    await git('commit', '-qm', 'one');
    await folder.put('a.txt', 'new\n');
    await git('commit', '-qam', 'two');
    await folder.put('b.txt', 'b mine\n');
    await folder.put('c.txt', 'c mine\n');
    await git('add', 'c.txt');

    const sessionId = await api.newSession();
    const turn = await api.send(sessionId, `read ${folder.path('a.txt')}`);
    assert.equal(turn.status, 'done');
    await git('commit', '-qm', 'three', '--', 'b.txt');
    const state = async () => ({
      log: await git('log', '--format=%H %s', 'main'),
      head: await readFile(folder.uri('.git/HEAD').fsPath, 'utf8'),
      status: await git('status', '--porcelain=v2'),
      staged: await git('diff', '--cached'),
      written: await writtenAt(folder, 'a.txt', 'b.txt', 'c.txt'),
    });
    const before = await state();
    assert.include(before.log, 'three');
    await sleep(20);

    const moved = await api.move('rewind', { sessionId, messageId: turn.userMessageId });
    assert.deepEqual(moved.files, []);
    assert.deepEqual(moved.restoredPaths, []);
    assert.deepEqual(await state(), before);
    assert.deepEqual(await texts(folder, 'a.txt', 'b.txt', 'c.txt'), [
      'new\n',
      'b mine\n',
      'c mine\n',
    ]);
  });
});
