import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SessionRecord } from '../../../src/core/session';
import { MemoryFileSystem } from '../../fakes/memoryFileSystem';
import { plainInfo, userRecord } from '../../kit/arbitraries';
import { microtasks, openStore, root } from './kit';

const texts = (records: readonly SessionRecord[]) => records.map((each) => JSON.stringify(each));

describe('two windows on one store', () => {
  it('lose nothing, whatever they do at once, and end up with the same order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(
          fc.record({
            window: fc.integer({ min: 0, max: 1 }),
            count: fc.integer({ min: 0, max: 10 }),
          }),
          { maxLength: 12 },
        ),
        async (scheduler, plan) => {
          const disk = new MemoryFileSystem();
          const windows = await Promise.all(
            ['a', 'b'].map(async (name) => {
              const files = new MemoryFileSystem(disk);
              const store = await openStore(files, name);
              return { files, store, seen: [] as string[] };
            }),
          );
          const [first] = windows;
          await first?.store.create(plainInfo('s'));
          await first?.store.flush();
          for (const window of windows) {
            window.seen.push(...texts((await window.store.load('s')).records));
            window.files.fault = () => ({ delay: scheduler.schedule(Promise.resolve()) });
          }
          let n = 0;
          const all: string[] = [];
          const work = plan.map(async ({ window: which, count }) => {
            const window = windows[which];
            if (window === undefined) return;
            if (count === 0) {
              await window.store.seal('s', 2);
              window.seen.push(...texts((await window.store.refresh('s')).records));
              return;
            }
            const records = Array.from({ length: count }, () => userRecord(`n${n++}`, null));
            all.push(...texts(records));
            await window.store.append('s', records);
            window.seen.push(...texts(records));
          });
          await scheduler.waitFor(Promise.all(work));
          for (const { files } of windows) files.fault = () => undefined;
          for (const window of windows)
            window.seen.push(...texts((await window.store.refresh('s')).records));
          const loaded = await (await openStore(disk, 'c')).load('s');
          expect(loaded.damage).toEqual([]);
          const stored = texts(loaded.records).slice(1).sort();
          expect(stored).toEqual([...all].sort());
          // Each window has seen each record exactly once.
          for (const window of windows) expect(window.seen.slice(1).sort()).toEqual(stored);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('order a record after everything its window had seen', async () => {
    const disk = new MemoryFileSystem();
    const a = await openStore(new MemoryFileSystem(disk), 'z');
    const b = await openStore(new MemoryFileSystem(disk), 'a');
    await a.create(plainInfo('s'));
    await a.append('s', [userRecord('1', null)]);
    await b.load('s');
    await b.append('s', [userRecord('2', '1')]);
    expect((await a.refresh('s')).records).toEqual([userRecord('2', '1')]);
    await a.append('s', [userRecord('3', '2')]);
    expect((await b.refresh('s')).records).toEqual([userRecord('3', '2')]);
    const ids = (await (await openStore(disk, 'm')).load('s')).records.map((each) =>
      each.type === 'node' ? each.node.id : each.type,
    );
    expect(ids).toEqual(['info', '1', '2', '3']);
  });

  it('take a record half written by the other for unfinished, not for damaged', async () => {
    const disk = new MemoryFileSystem();
    const a = await openStore(new MemoryFileSystem(disk), 'a');
    await a.create(plainInfo('s'));
    const b = await openStore(new MemoryFileSystem(disk), 'b');
    await b.load('s');
    await a.append('s', [userRecord('1', null)]);
    const uri = `${root}/sessions/s/records/0000000002-a1.json`;
    const whole = await disk.read(uri);
    disk.damage(uri, (bytes) => bytes.subarray(0, 30));
    expect(await b.refresh('s')).toEqual({ records: [], late: 0, damage: [] });
    disk.damage(uri, () => whole);
    expect(await b.refresh('s')).toEqual({ records: [userRecord('1', null)], late: 0, damage: [] });
    expect(await b.refresh('s')).toEqual({ records: [], late: 0, damage: [] });
  });

  it('load a record the other is just writing', async () => {
    const disk = new MemoryFileSystem();
    const a = await openStore(new MemoryFileSystem(disk), 'a');
    await a.create(plainInfo('s'));
    await a.append('s', [userRecord('1', null)]);
    const uri = `${root}/sessions/s/records/0000000002-a1.json`;
    const whole = await disk.read(uri);
    disk.damage(uri, (bytes) => bytes.subarray(0, 30));
    const files = new MemoryFileSystem(disk);
    files.fault = (_, call, at) => {
      if (call === 'list' && at.endsWith('segments')) disk.damage(uri, () => whole);
      return undefined;
    };
    const loaded = await (await openStore(files, 'b')).load('s');
    expect(loaded.records).toHaveLength(2);
    expect(loaded.damage).toEqual([]);
  });

  it('load whole while the other packs its records, at whatever step', async () => {
    for (let gap = 0; gap < 120; gap += 3) {
      const disk = new MemoryFileSystem();
      const a = await openStore(new MemoryFileSystem(disk), 'a');
      await a.create(plainInfo('s'));
      for (let n = 0; n < 5; n++) await a.append('s', [userRecord(`n${n}`, null)]);
      await a.flush();
      const b = await openStore(new MemoryFileSystem(disk), 'b');
      const loading = b.load('s');
      await microtasks(gap);
      await a.seal('s', 2);
      const { records, damage } = await loading;
      expect(records, `gap ${gap}`).toHaveLength(6);
      expect(damage).toEqual([]);
    }
  });

  it('pack into names of their own: no segment is ever written twice', async () => {
    const disk = new MemoryFileSystem();
    const some = (name: string) =>
      Array.from({ length: 10 }, (_, n) => userRecord(`${name}${n}`, null));
    const a = await openStore(new MemoryFileSystem(disk), 'a');
    await a.create(plainInfo('s'), some('first'));
    const b = await openStore(new MemoryFileSystem(disk), 'b');
    await b.load('s');
    await a.append('s', some('a'));
    for (const record of some('b')) await b.append('s', [record]);
    await a.refresh('s');
    await a.seal('s', 2);
    expect((await (await openStore(disk, 'c')).load('s')).records).toHaveLength(31);
    expect(disk.uris().filter((uri) => uri.includes('segments'))).toHaveLength(3);
  });

  it('a session made in one is listed and loaded in the other at once', async () => {
    const disk = new MemoryFileSystem();
    const a = await openStore(new MemoryFileSystem(disk), 'a');
    const b = await openStore(new MemoryFileSystem(disk), 'b');
    expect(await b.listCards()).toEqual([]);
    await a.create(plainInfo('s'));
    expect(await b.listCards()).toMatchObject([{ id: 's' }]);
    expect((await b.load('s')).records).toHaveLength(1);
  });

  it('a session deleted in one while the other goes on with it is not removed', async () => {
    const disk = new MemoryFileSystem();
    const a = await openStore(new MemoryFileSystem(disk), 'a');
    await a.create(plainInfo('s'));
    await a.flush();
    const b = await openStore(new MemoryFileSystem(disk), 'b');
    await b.load('s');
    await a.delete('s');
    await b.append('s', [userRecord('1', null)]);
    const [card] = await listed(disk);
    expect(card).toBeUndefined();
    expect((await b.load('s').catch((error: unknown) => error)) instanceof Error).toBe(true);
    await b.undelete('s');
    expect((await b.load('s')).records).toHaveLength(2);
  });
});

async function listed(disk: MemoryFileSystem) {
  return (await openStore(new MemoryFileSystem(disk), 'l')).listCards();
}
