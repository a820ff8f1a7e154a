import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import type { OnDisk } from '../../../src/host/files/readFile';
import { RecentReads, type FileVersion } from '../../../src/host/files/recentReads';
import { createNodePowers } from '../../../src/node/main';

const bytes = (length: number): OnDisk => ({
  state: { kind: 'file', hash: 'h', size: length },
  bytes: new Uint8Array(length),
});
const version = (text: string, changedAt: number, fine = true): FileVersion => ({
  text,
  changedAt,
  fine,
});

test('a file is known again only as the version that was read, and only once its times had settled', () => {
  const recent = new RecentReads();
  recent.keep('a', version('1', 1_000), bytes(1), 1_200);
  expect(recent.get('a', version('1', 1_000))).toEqual(bytes(1));
  expect(recent.get('a', version('2', 1_000))).toBeUndefined();
  // Read so soon after it was changed that a second change could bear the same time.
  recent.keep('a', version('2', 1_190), bytes(1), 1_200);
  expect(recent.get('a', version('2', 1_190))).toBeUndefined();
  recent.keep('b', version('1', 1_000, false), bytes(1), 3_000);
  expect(recent.get('b', version('1', 1_000, false))).toBeUndefined();
  // A clock that is behind proves nothing.
  recent.keep('c', version('1', 9_000), bytes(1), 1_200);
  expect(recent.get('c', version('1', 9_000))).toBeUndefined();
});

test('what is kept is bounded', () => {
  const recent = new RecentReads();
  for (let n = 0; n < 40; n++) recent.keep(`${n}`, version('1', 0), bytes(1024 * 1024), 10_000);
  const kept = Array.from({ length: 40 }, (_, n) => recent.get(`${n}`, version('1', 0)));
  expect(kept.filter(Boolean)).toHaveLength(16);
  expect(kept.at(-1)).toBeDefined();
  recent.keep('large', version('1', 0), bytes(1024 * 1024 + 1), 10_000);
  expect(recent.get('large', version('1', 0))).toBeUndefined();
});

test('a change of the same length under the same modification time is another version', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'retrace-version-'));
  try {
    const path = join(folder, 'a');
    const look = async () => (await createNodePowers().look(pathToFileURL(path).href))?.version;
    await writeFile(path, 'one');
    const time = new Date(1_700_000_000_500);
    await utimes(path, time, time);
    const before = await look();
    expect(before?.changedAt).toBeGreaterThan(time.getTime());
    await sleep(20);
    await writeFile(path, 'two');
    await utimes(path, time, time);
    expect((await look())?.text).not.toBe(before?.text);
  } finally {
    await rm(folder, { recursive: true });
  }
});
