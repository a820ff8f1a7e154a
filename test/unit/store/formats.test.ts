import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Blobs } from '../../../src/engine/blobs';
import { checkCopies } from '../../../src/engine/checkCopies';
import { formatVersion } from '../../../src/engine/store/envelope';
import { MemoryFileSystem } from '../../fakes/memoryFileSystem';
import { FakeLog, FakeRuntime } from '../../fakes/runtime';
import { memoryEngine } from '../../kit/memoryEngine';
import { MemoryWorkspace } from '../../kit/memoryWorkspace';
import { root } from './kit';

const fixtures = join(import.meta.dirname, '../../fixtures');

/** A store as the Retrace of a format left it; `as` says which format it is to claim. */
async function left(format: number, as = format) {
  const text = await readFile(join(fixtures, `store-format-${format}.json`), 'utf8');
  const files = new MemoryFileSystem();
  for (const [name, content] of Object.entries(JSON.parse(text) as Record<string, string>)) {
    const bytes = content.startsWith('base64:')
      ? Buffer.from(content.slice('base64:'.length), 'base64')
      : Buffer.from(content.replaceAll(`{"v":${format},`, `{"v":${as},`));
    files.damage(`${root}/${name}`, () => new Uint8Array(bytes));
  }
  const workspace = new MemoryWorkspace();
  workspace.put('f0/a.txt', 'other\n');
  const open = (name: string) => {
    const runtime = new FakeRuntime(name);
    const blobs = new Blobs(root, { files, runtime, log: new FakeLog() });
    const parts = { disk: files, workspace, blobs, root, runtime };
    return memoryEngine(parts, {}, name).then((engine) => ({ ...engine, blobs }));
  };
  return { files, workspace, open };
}

const draft = (text: string) => ({ text, attachments: [] });

test('a store of every format so far is kept here', async () => {
  const kept = (await readdir(fixtures)).filter((name) => name.startsWith('store-format-'));
  expect(kept).toHaveLength(formatVersion);
});

describe.each(Array.from({ length: formatVersion }, (_, n) => n + 1))(
  'a store that was left by format %i',
  (format) => {
    test('opens whole, goes on, and is of the present format from then on', async () => {
      const { open, workspace, files } = await left(format);
      const { sessions, retrace, store, blobs, told } = await open('b');
      const [card] = await sessions.cards();
      expect(card).toMatchObject({ title: `A session of format ${format}`, userMessages: 3 });
      const session = await sessions.open(card?.id ?? '');
      expect(told).toEqual([]);
      const users = [...session.state.nodes.values()].filter(({ role }) => role === 'user');
      expect(users.map((node) => 'text' in node && node.text)).toEqual([
        ...['first', 'second', 'other way'],
      ]);
      expect(session.draft.draft.text).toBe('a draft');
      expect([...session.state.labels.values()]).toEqual(format === 1 ? [] : ['works']);
      expect(await checkCopies(session.state, blobs)).toMatchObject({ missing: 0 });
      const [backup] = await sessions.backups(session);
      expect(backup).toMatchObject({ why: 'rewind', messages: 4 });
      const at = (n: number) => ({ messageId: users[n]?.id ?? '', scope: 'both' }) as const;
      await retrace.move(session, { verb: 'checkout', ...at(1) }, 'keep');
      await retrace.move(session, { verb: 'rewind', ...at(0) }, 'keep');
      expect(workspace.text('f0/a.txt')).toBe('before\n');
      expect((await retrace.send(session, draft('now'))).status).toBe('done');
      await sessions.flush();
      await store.copied(session.id);
      const meta = new TextDecoder().decode(await files.read(`${root}/meta.json`));
      expect(meta).toContain(`"format":${formatVersion}`);
      const again = await open('c');
      const reopened = await again.sessions.open(session.id);
      expect(again.told).toEqual([]);
      expect(reopened.standing).toEqual(session.standing);
      expect(reopened.state.nodes.size).toBe(session.state.nodes.size);
    });
  },
);

test('a store of a newer format is read as far as it can be, said, and never changed', async () => {
  const { open, files } = await left(formatVersion, formatVersion + 1);
  const before = files.uris().map((uri) => [uri, Buffer.from(files.bytes(uri)).toString('hex')]);
  const { sessions, store, retrace } = await open('b');
  expect(store.readOnly).toMatch(/newer Retrace/u);
  for (const { id } of await sessions.cards()) {
    const session = await sessions.open(id).catch(() => undefined);
    if (session === undefined) continue;
    await expect(retrace.send(session, draft('now'))).rejects.toMatchObject({ code: 'storage' });
  }
  await sessions.flush().catch(() => undefined);
  const after = files.uris().map((uri) => [uri, Buffer.from(files.bytes(uri)).toString('hex')]);
  expect(after).toEqual(before);
});
