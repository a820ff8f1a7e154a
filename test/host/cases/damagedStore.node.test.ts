import { createHash } from 'node:crypto';
import { cp, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { assert } from 'chai';
import { activate, api, Folder } from '../kit';
import { outcomes } from './kit';
import { storeFolder } from './storeFolder';

const before = { a: 'a\n', b: 'b\n' };

describe('a damaged store', () => {
  let folder: Folder;

  beforeEach(async () => {
    await activate();
    folder = new Folder('damaged');
  });
  afterEach(() => folder.remove());

  function blobOf(text: string): string {
    const hash = createHash('sha256').update(text).digest('hex');
    return join(storeFolder(), 'blobs', hash.slice(0, 2), hash);
  }

  /** Each run has contents of its own, for equal bytes are stored once for all sessions. */
  async function turn(mark: string): Promise<{ sessionId: string; messageId: string }> {
    const root = folder.uri('').fsPath;
    await folder.put('a.txt', `${mark} ${before.a}`);
    await folder.put('b.txt', `${mark} ${before.b}`);
    for (let n = 0; n < 200; n++) await writeFile(join(root, `other-${n}.txt`), `${n}\n`);
    const sessionId = await api.newSession();
    const sent = await api.send(
      sessionId,
      `write ${folder.path('a.txt')} with ${mark} a1\\n\nwrite ${folder.path('b.txt')} with ${mark} b1\\n`,
    );
    assert.equal(sent.status, 'done');
    return { sessionId, messageId: sent.userMessageId };
  }

  /** All file contents and times but those of the two files the agent wrote. */
  async function others(): Promise<Record<string, [string, number]>> {
    const root = folder.uri('').fsPath;
    const names = (await readdir(root)).filter((name) => name.startsWith('other-'));
    const pairs = names.map(async (name): Promise<[string, [string, number]]> => {
      const path = join(root, name);
      return [name, [await readFile(path, 'utf8'), (await stat(path)).mtimeMs]];
    });
    return Object.fromEntries(await Promise.all(pairs));
  }

  const damages: Record<string, (blob: string) => Promise<void>> = {
    removed: (blob) => rm(blob),
    'cut to half': async (blob) => truncate(blob, Math.floor((await stat(blob)).size / 2)),
    'made empty': (blob) => truncate(blob, 0),
  };

  for (const [name, damage] of Object.entries(damages)) {
    it(`C08 a stored copy ${name} leaves its file, names it, and restores the other`, async () => {
      const mark = name.replaceAll(' ', '');
      const { sessionId, messageId } = await turn(mark);
      const rest = await others();
      await damage(blobOf(`${mark} ${before.a}`));
      const moved = await api.move('rewind', { sessionId, messageId });
      assert.equal(await folder.text('a.txt'), `${mark} a1\n`);
      assert.equal(await folder.text('b.txt'), `${mark} ${before.b}`);
      assert.deepEqual(outcomes(folder, moved), { 'a.txt': 'uncovered', 'b.txt': 'restored' });
      const left = moved.files.find(({ outcome }) => outcome === 'uncovered');
      assert.isNotEmpty(left?.reason);
      assert.deepEqual(
        moved.errors.map(({ uri }) => uri),
        [folder.uri('a.txt').toString()],
      );
      assert.deepEqual((await api.getSession(sessionId)).apart, [folder.uri('a.txt').toString()]);
      assert.deepEqual(await others(), rest);
    });
  }

  it('C08 a check makes the copies again that files still hold, and names what is lost', async () => {
    const { sessionId } = await turn('checked');
    await truncate(blobOf('checked a1\n'), 3);
    await rm(blobOf(`checked ${before.b}`));
    const check = (repair: boolean) => api.call<object[]>('checkSessions', { sessionId, repair });
    const found = { damaged: 0, unreachable: 0 };
    const [first] = await check(false);
    assert.deepInclude(first, { ...found, missingCopies: 2, restoredCopies: 0 });
    const [repaired] = await check(true);
    const lostFiles = [folder.uri('b.txt').toString()];
    assert.deepInclude(repaired, { ...found, missingCopies: 1, restoredCopies: 1, lostFiles });
  });

  it('C08 with all stored copies gone nothing is deleted and nothing is claimed; put back, it can be retried', async () => {
    const { sessionId, messageId } = await turn('all');
    const rest = await others();
    const blobs = join(storeFolder(), 'blobs');
    await rename(blobs, `${blobs}-away`);
    try {
      const moved = await api.move('rewind', { sessionId, messageId });
      assert.deepEqual(moved.restoredPaths, []);
      assert.deepEqual(outcomes(folder, moved), { 'a.txt': 'uncovered', 'b.txt': 'uncovered' });
      assert.equal(await folder.text('a.txt'), 'all a1\n');
      assert.equal(await folder.text('b.txt'), 'all b1\n');
      assert.deepEqual(await others(), rest);
    } finally {
      await cp(`${blobs}-away`, blobs, { recursive: true });
      await rm(`${blobs}-away`, { recursive: true });
    }
    const again = await api.move('retryFiles', { sessionId });
    assert.deepEqual(outcomes(folder, again), { 'a.txt': 'restored', 'b.txt': 'restored' });
    assert.equal(await folder.text('a.txt'), 'all a\n');
    assert.deepEqual((await api.getSession(sessionId)).apart, []);
  });
});
