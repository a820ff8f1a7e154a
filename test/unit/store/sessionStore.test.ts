import fc from 'fast-check';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import type { SessionRecord } from '../../../src/core/session';
import type { FileSystem } from '../../../src/engine/ports';
import type { LiveTurn } from '../../../src/engine/store/documents';
import { formatVersion, wrap } from '../../../src/engine/store/envelope';
import { MemoryFileSystem } from '../../fakes/memoryFileSystem';
import { NodeFileSystem } from '../../fakes/nodeFileSystem';
import { FakeRuntime } from '../../fakes/runtime';
import { plainInfo, records as anyRecords, userRecord } from '../../kit/arbitraries';
import { openStore, root } from './kit';

const folders: string[] = [];
type Place = readonly [FileSystem, string];

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true });
});

/** Returns the records of a chain of user messages. */
function chain(from: number, count: number): SessionRecord[] {
  return Array.from({ length: count }, (_, n) =>
    userRecord(`n${from + n}`, from + n === 0 ? null : `n${from + n - 1}`),
  );
}

function live(id: string): LiveTurn {
  return {
    node: {
      ...{ id, parentId: null, filesFrom: null, createdAt: 1, order: 0, role: 'assistant' },
      ...{ model: 'm', parts: [{ type: 'text', text: 'so far' }], status: 'running', changes: [] },
    },
    standing: { head: id, filesHead: null, apart: {} },
    intents: [],
  };
}

describe.each([
  ['memory', (): Promise<Place> => Promise.resolve([new MemoryFileSystem(), root])],
  [
    'a real folder',
    async (): Promise<Place> => {
      const folder = await mkdtemp(join(tmpdir(), 'retrace-store-'));
      folders.push(folder);
      return [new NodeFileSystem(), pathToFileURL(folder).href];
    },
  ],
])('a session store in %s', (_, start) => {
  it('gives back whatever was appended, in order, after a restart', async () => {
    const [files, at] = await start();
    let n = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(anyRecords, { maxLength: 10 }), { maxLength: 6 }),
        async (appends) => {
          const id = `s${++n}`;
          const store = await openStore(files, `w${n}-`, at);
          await store.create(plainInfo(id));
          await Promise.all(appends.map((records) => store.append(id, records)));
          const loaded = await (await openStore(files, `r${n}-`, at)).load(id);
          expect(loaded.damage).toEqual([]);
          expect(loaded.records).toEqual([
            { type: 'info', info: plainInfo(id) },
            ...appends.flat(),
          ]);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('C48 keeps drafts and running turns, and forgets a turn whose node is stored', async () => {
    const [files, at] = await start();
    const store = await openStore(files, 'a', at);
    await store.create(plainInfo('s'));
    const draft = { draft: { text: 'unsent', attachments: [] }, caret: 3 };
    await store.saveDraft('s', draft);
    await store.saveLive('s', live('r1'));
    await store.saveLive('s', live('r2'));
    await store.saveLive('s', live('r3'));
    await store.clearLive('s', 'r2');
    await store.append('s', [userRecord('r3', null)]);
    const loaded = await (await openStore(files, 'b', at)).load('s');
    expect(loaded.draft).toEqual(draft);
    expect(loaded.live).toMatchObject([{ node: { id: 'r1' }, writer: store.writer }]);
    expect((await (await openStore(files, 'c', at)).load('s')).live.length).toBe(1);
  });

  it('packs loose records into a segment and loads the same', async () => {
    const [files, at] = await start();
    const store = await openStore(files, 'a', at);
    await store.create(plainInfo('s'));
    for (const record of chain(0, 300)) await store.append('s', [record]);
    await store.seal('s');
    const loose = await files.list(`${at}/sessions/s/records`);
    expect(loose.length).toBeLessThan(60);
    expect(await files.list(`${at}/sessions/s/segments`)).toHaveLength(1);
    await store.append('s', chain(300, 1));
    const loaded = await (await openStore(files, 'b', at)).load('s');
    expect(loaded.records.slice(1)).toEqual(chain(0, 301));
    expect(loaded.damage).toEqual([]);
  });

  it('lists cards of sessions, newest first, without the deleted ones', async () => {
    const [files, at] = await start();
    const runtime = new FakeRuntime('a');
    const store = await openStore(files, 'a', at, runtime);
    for (const [n, id] of ['s1', 's2', 's3'].entries())
      await store.create({ ...plainInfo(id), createdAt: n });
    await store.flush();
    await store.delete('s2');
    const other = await openStore(files, 'b', at);
    expect((await other.listCards()).map((card) => card.id)).toEqual(['s3', 's1']);
    await expect(other.load('s2')).rejects.toMatchObject({ code: 'not_found' });
    await store.undelete('s2');
    expect(await other.listCards()).toHaveLength(3);
    await store.delete('s2');
    expect(await store.purgeDeleted()).toEqual([]);
    runtime.time += 8 * 24 * 60 * 60 * 1000;
    expect(await store.purgeDeleted()).toEqual(['s2']);
    await expect(other.load('s2')).rejects.toMatchObject({ code: 'not_found' });
    expect((await files.list(`${at}/sessions`)).length).toBe(2);
  });

  it('restores a backup as it was, also when the session is damaged since', async () => {
    const [files, at] = await start();
    const store = await openStore(files, 'a', at);
    await store.create(plainInfo('s'));
    await store.append('s', chain(0, 20));
    await store.append('s', chain(20, 3));
    await store.saveDraft('s', { draft: { text: 'then', attachments: [] } });
    const name = await store.backup('s', 'Rewind to "x/../y"');
    await store.copied('s');
    await store.append('s', chain(23, 5));
    const then = await (await openStore(files, 'c', at)).readBackup('s', name);
    expect(then.records.slice(1)).toEqual(chain(0, 23));
    for (const folder of ['records', 'segments']) {
      for (const [file] of await files.list(`${at}/sessions/s/${folder}`)) {
        await files.write(`${at}/sessions/s/${folder}/${file}`, new Uint8Array(9));
      }
    }
    const other = await openStore(files, 'b', at);
    expect(await other.listBackups('s')).toMatchObject([{ name, records: 24, title: 'Plain' }]);
    const backup = await other.readBackup('s', name);
    expect(backup.missing).toBe(0);
    expect(backup.info).toEqual(plainInfo('s'));
    expect(backup.draft?.draft.text).toBe('then');
    expect(backup.records.slice(1)).toEqual(chain(0, 23));
    await expect(other.readBackup('s', '../x')).rejects.toMatchObject({ code: 'not_found' });
    // The session heals from the same copies, and says what it could not.
    const healed = await other.load('s');
    expect(healed.records.slice(1)).toEqual(chain(0, 23));
    expect(healed.damage.length).toBeGreaterThan(0);
  });
});

describe('the cost of a session store', () => {
  it('of an append and a backup is the same after 10 and after 10,000 records', async () => {
    const costs: number[][] = [];
    for (const length of [10, 10_000]) {
      const files = new MemoryFileSystem();
      await (await openStore(files, 'a')).create(plainInfo('s'), chain(0, length));
      const store = await openStore(files, 'b');
      await store.load('s');
      await store.flush();
      const [before, at] = [files.count(), files.calls.length];
      await store.append('s', chain(length, 1));
      const append = files.count() - before;
      await store.backup('s', 'rewind');
      costs.push([append, files.calls.slice(at).filter(({ call }) => call === 'write').length]);
    }
    expect(costs[1]).toEqual(costs[0]);
    expect(costs[0]).toEqual([1, 2]);
  });

  it('of the list of 1,000 sessions is one read each, 64 at most at once', async () => {
    const files = new MemoryFileSystem();
    const store = await openStore(files, 'a');
    for (let n = 0; n < 1000; n++) await store.create(plainInfo(`s${n}`), chain(0, 5));
    await store.flush();
    const other = await openStore(files, 'b');
    const before = files.count();
    expect(await other.listCards()).toHaveLength(1000);
    expect(files.count() - before).toBe(1002);
  });

  it('of opening is a few calls, whatever the length', async () => {
    const files = new MemoryFileSystem();
    await (await openStore(files, 'a')).create(plainInfo('s'), chain(0, 10_000));
    const store = await openStore(files, 'b');
    const before = files.count();
    expect((await store.load('s')).records).toHaveLength(10_001);
    expect(files.count() - before).toBeLessThan(12);
  });
});

describe('a store of an older Retrace', () => {
  it('is read as it is, and says with the first thing stored that it has grown', async () => {
    const files = new MemoryFileSystem();
    const first = await openStore(files, 'a');
    await first.create(plainInfo('s'), chain(0, 3));
    await first.flush();
    const older = (bytes: Uint8Array) =>
      new TextEncoder().encode(
        new TextDecoder()
          .decode(bytes)
          .replace(/"v":\d+/gu, '"v":1')
          .replace(/"format":\d+/u, '"format":1'),
      );
    for (const uri of files.uris()) files.damage(uri, older);
    // The sum of the document that says which format the store has goes with its text.
    const meta = JSON.stringify({ format: 1, createdAt: 7 });
    await files.write(`${root}/meta.json`, older(wrap({ seq: 1, writer: 'x' }, meta)));
    const store = await openStore(files, 'b');
    expect(store.readOnly).toBeUndefined();
    const loaded = await store.load('s');
    expect([loaded.records.length, loaded.damage.length]).toEqual([4, 0]);
    await store.append('s', [{ type: 'mark', mark: { messageId: 'n1', label: 'works' } }]);
    await store.flush();
    const text = new TextDecoder().decode(await files.read(`${root}/meta.json`));
    expect(text).toContain(`"format":${formatVersion}`);
    expect(text).toContain('"createdAt":7');
    const again = await openStore(files, 'c');
    expect((await again.load('s')).records).toHaveLength(5);
  });
});

describe('a store of a newer Retrace', () => {
  it('is one by its format number too', async () => {
    const files = new MemoryFileSystem();
    const json = JSON.stringify({ format: 99, createdAt: 1 });
    await files.write(`${root}/meta.json`, wrap({ seq: 1, writer: 'x' }, json));
    const store = await openStore(files, 'a');
    await expect(store.create(plainInfo('s'))).rejects.toThrow(/newer Retrace/u);
  });

  it('opens read-only and says so', async () => {
    const files = new MemoryFileSystem();
    const store = await openStore(files, 'a');
    await store.create(plainInfo('s'), chain(0, 3));
    await store.flush();
    const newer = (bytes: Uint8Array) =>
      new TextEncoder().encode(new TextDecoder().decode(bytes).replace(/"v":\d+/u, '"v":99'));
    files.damage(`${root}/meta.json`, newer);
    const before = files.uris();
    const other = await openStore(files, 'b');
    expect(other.readOnly).toMatch(/newer Retrace/u);
    expect((await other.load('s')).records).toHaveLength(4);
    expect(await other.listCards()).toHaveLength(1);
    for (const write of [
      () => other.append('s', chain(3, 1)),
      () => other.create(plainInfo('t')),
      () => other.saveDraft('s', { draft: { text: '', attachments: [] } }),
      () => other.saveLive('s', live('r')),
      () => other.backup('s', 'x'),
      () => other.delete('s'),
    ]) {
      await expect(write()).rejects.toMatchObject({ code: 'storage' });
    }
    expect(files.uris()).toEqual(before);
  });
});

describe('backups', () => {
  it('are the ten newest, and none older than 30 days but the newest', async () => {
    const files = new MemoryFileSystem();
    const runtime = new FakeRuntime('a');
    const store = await openStore(files, 'a', root, runtime);
    await store.create(plainInfo('s'));
    for (let n = 0; n < 14; n++) {
      runtime.time += 1000;
      await store.backup('s', `why ${n}`);
    }
    await store.copied('s');
    const kept = await store.listBackups('s');
    expect(kept.map((each) => each.why)).toEqual(
      Array.from({ length: 10 }, (_, n) => `why ${13 - n}`),
    );
    runtime.time += 31 * 24 * 60 * 60 * 1000;
    await store.backup('s', 'late');
    await store.copied('s');
    expect((await store.listBackups('s')).map((each) => each.why)).toEqual(['late']);
  });

  it('copy each record once, packed or not', async () => {
    const files = new MemoryFileSystem();
    const store = await openStore(files, 'a');
    await store.create(plainInfo('s'), chain(0, 20));
    for (let n = 0; n < 6; n++) {
      await store.append('s', chain(20 + n, 1));
      await store.backup('s', 'x');
      await store.copied('s');
      if (n === 3) await store.seal('s', 2);
    }
    const copies = files.uris().filter((uri) => uri.endsWith('.jsonl'));
    const lines = copies.map(
      (uri) => new TextDecoder().decode(files.bytes(uri)).split('\n').length,
    );
    // Each file has a first line and ends with a line end.
    expect(lines.reduce((sum, count) => sum + count - 2, 0)).toBe(27);
  });
});

describe('names from outside', () => {
  it.each(['..', '../x', 'a/b', '', 'a%2fb', 'a\0'])('%j open nothing', async (id) => {
    const files = new MemoryFileSystem();
    const store = await openStore(files, 'a');
    await expect(store.load(id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(store.append(id, chain(0, 1))).rejects.toMatchObject({ code: 'not_found' });
    await expect(store.delete(id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(store.clearLive('s', id)).rejects.toMatchObject({ code: 'not_found' });
    expect(files.count('write')).toBeLessThanOrEqual(1);
  });
});
