import { afterAll, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Blobs } from '../../../src/engine/blobs';
import type { FileSystem } from '../../../src/engine/ports';
import { MemoryFileSystem } from '../../fakes/memoryFileSystem';
import { NodeFileSystem } from '../../fakes/nodeFileSystem';
import { FakeLog, FakeRuntime } from '../../fakes/runtime';
import { root } from './kit';

const text = (value: string) => new TextEncoder().encode(value);
const make = (files: FileSystem, at = root, limit?: number) =>
  new Blobs(at, { files, runtime: new FakeRuntime(), log: new FakeLog() }, limit);
const folders: string[] = [];
type Place = readonly [FileSystem, string];

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true });
});

describe.each([
  ['memory', (): Promise<Place> => Promise.resolve([new MemoryFileSystem(), root])],
  [
    'a real folder',
    async (): Promise<Place> => {
      const folder = await mkdtemp(join(tmpdir(), 'retrace-blobs-'));
      folders.push(folder);
      return [new NodeFileSystem(), pathToFileURL(folder).href];
    },
  ],
])('blobs in %s', (_, start) => {
  it('come back byte for byte', async () => {
    const [files, at] = await start();
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 2000 }), async (bytes) => {
        const hash = await make(files, at).put(bytes);
        expect(await make(files, at).get(hash)).toEqual(bytes);
      }),
      { numRuns: 50 },
    );
    const long = text('the same line\n'.repeat(10_000));
    const hash = await make(files, at).put(long);
    expect(await make(files, at).get(hash)).toEqual(long);
    const size = (await make(files, at).sizes()).find((each) => each.hash === hash)?.size;
    expect(size).toBeLessThan(long.length / 10);
    expect(await make(files, at).list()).toContain(hash);
    await make(files, at).remove(hash);
    expect(await make(files, at).has(hash)).toBe(false);
  });
});

describe('a blob', () => {
  it('put many times at once is written once', async () => {
    const files = new MemoryFileSystem();
    const blobs = make(files);
    await Promise.all(Array.from({ length: 50 }, () => blobs.put(text('same'))));
    expect(files.count('write')).toBe(1);
    const calls = files.count();
    await blobs.put(text('same'));
    expect(files.count()).toBe(calls);
  });

  it('C08 cut, emptied, changed or removed is a missing one', async () => {
    const changes: readonly ((bytes: Uint8Array) => Uint8Array)[] = [
      (bytes) => bytes.subarray(0, bytes.length / 2),
      () => new Uint8Array(),
      (bytes) => new Uint8Array(bytes.length),
      // Past the first bytes of gzip, which hold a time nobody needs.
      (bytes) => bytes.map((byte, at) => (at === bytes.length - 2 ? byte ^ 1 : byte)),
    ];
    for (const content of ['a few bytes', 'compressible '.repeat(100)]) {
      for (const change of changes) {
        const files = new MemoryFileSystem();
        const hash = await make(files).put(text(content));
        files.damage(`${root}/blobs/${hash.slice(0, 2)}/${hash}`, change);
        expect(await make(files).get(hash)).toBeUndefined();
      }
    }
    expect(await make(new MemoryFileSystem()).get('0'.repeat(64))).toBeUndefined();
    expect(await make(new MemoryFileSystem()).get('../../x')).toBeUndefined();
  });

  it('that a crash left half written is written again when it is put again', async () => {
    const files = new MemoryFileSystem();
    const hash = await make(files).put(text('content'));
    files.damage(`${root}/blobs/${hash.slice(0, 2)}/${hash}`, (bytes) => bytes.subarray(0, 3));
    await make(files).put(text('content'));
    expect(await make(files).get(hash)).toEqual(text('content'));
  });

  it('that cannot be written is told, and can be put once there is room', async () => {
    const files = new MemoryFileSystem();
    const blobs = make(files);
    files.fault = (_, call) => (call === 'write' ? { code: 'no space', torn: true } : undefined);
    await expect(blobs.put(text('x'))).rejects.toMatchObject({ code: 'storage' });
    files.fault = () => undefined;
    const hash = await blobs.put(text('x'));
    expect(await make(files).get(hash)).toEqual(text('x'));
  });

  it('is remembered in bounded memory', async () => {
    const files = new MemoryFileSystem();
    const blobs = make(files, root, 2);
    for (const each of ['a', 'b', 'c']) await blobs.put(text(each));
    const calls = files.count();
    await blobs.put(text('c'));
    expect(files.count()).toBe(calls);
    await blobs.put(text('a'));
    expect(files.count()).toBeGreaterThan(calls);
    expect(files.count('write')).toBe(3);
  });
});
