// What the store costs as sessions grow: over Node's own file system, with all measures of a ratio from one run.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SessionState, type SessionRecord } from '../src/core/session.ts';
import { SessionStore } from '../src/engine/store/sessionStore.ts';
import { hostRuntime as runtime } from '../src/host/runtime.ts';
import { NodeFileSystem } from '../test/fakes/nodeFileSystem.ts';
import { FakeLog } from '../test/fakes/runtime.ts';
import { medianTime, print, ratio } from './harness.mts';

const place = await mkdtemp(join(tmpdir(), 'retrace-store-'));
const root = pathToFileURL(join(place, 'store')).href;
const open = (): Promise<SessionStore> =>
  SessionStore.open(root, { files: new NodeFileSystem(), runtime, log: new FakeLog() });

function info(id: string) {
  return { id, title: id, titleLocked: true, folders: [], createdAt: 0, archived: false };
}

/** A chain of messages, each moving the head as a sent one does. */
function messages(count: number, size: number, from = 0): SessionRecord[] {
  return Array.from({ length: count }, (_, index): SessionRecord => {
    const [n, parentId] = [from + index, from + index === 0 ? null : `n${from + index - 1}`];
    const id = `n${n}`;
    return {
      type: 'node',
      node: {
        ...{ role: 'user', id, parentId, filesFrom: parentId, createdAt: n, order: 0 },
        ...{ text: `${n} `.padEnd(size, 'text '), attachments: [] },
      },
      standing: { head: id, filesHead: id, apart: {} },
    };
  });
}

async function loaded(id: string): Promise<SessionState> {
  const stored = await (await open()).load(id);
  const state = new SessionState(stored.info);
  for (const record of stored.records) state.apply(record);
  return state;
}

function heap(): number {
  global.gc?.();
  return process.memoryUsage().heapUsed;
}

try {
  const store = await open();
  await store.create(info('short'), messages(10, 500));
  await store.create(info('long'), messages(10_000, 500));
  await store.create(info('wide'), messages(1_000, 20_000));
  await store.flush();
  let [short, long] = [10, 10_000];
  // In turn, so that both meet the same machine; fewer than are packed, which goes on behind.
  const times = { short: [] as number[], long: [] as number[] };
  for (let round = 0; round < 100; round += 1) {
    times.short.push(await medianTime(1, () => store.append('short', messages(1, 500, short++))));
    times.long.push(await medianTime(1, () => store.append('long', messages(1, 500, long++))));
  }
  const middle = (all: number[]): number => all.sort((a, b) => a - b)[all.length >> 1] ?? NaN;
  const opening = await medianTime(5, () => loaded('long'));
  const before = heap();
  const wide = await loaded('wide');
  const held = (heap() - before) / 2 ** 20;
  if (wide.nodes.size !== 1_000) throw new Error('The wide session did not load.');
  for (let n = 0; n < 997; n += 1) await store.create(info(`s${n}`), messages(1, 50));
  await store.flush();
  const listing = await medianTime(5, async () => (await open()).listCards());
  print('store', {
    'append at 10,000 messages beside 10, ms': ratio(middle(times.long), middle(times.short), 1.5),
    'open of 10,000 messages, ms': ratio(opening, 300, 1),
    'list of 1,000 sessions, ms': ratio(listing, 200, 1),
    'memory of an open session of 20 MB, MB': ratio(held, 20, 3),
  });
} finally {
  await rm(place, { recursive: true, force: true });
}
