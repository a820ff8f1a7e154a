import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SessionRecord } from '../../../src/core/session';
import type { FsErrorCode } from '../../../src/engine/ports';
import { MemoryFileSystem } from '../../fakes/memoryFileSystem';
import { plainInfo, userRecord } from '../../kit/arbitraries';
import { openStore, outcome } from './kit';

type Step =
  | { readonly do: 'append'; readonly count: number }
  | { readonly do: 'draft' | 'live' | 'clear' | 'backup' | 'seal' | 'reopen' };

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('append' as const),
        count: fc.integer({ min: 1, max: 12 }),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        do: fc.constantFrom(...(['draft', 'live', 'clear', 'backup', 'seal', 'reopen'] as const)),
      }),
    },
  ),
  { minLength: 1, maxLength: 12 },
);

/** What a caller was told, and what it tried. */
class Told {
  readonly acknowledged: SessionRecord[] = [];
  readonly tried = new Set<string>();
  created = false;
  draft = 0;
  triedDraft = 0;
}

/** Does random work on a store until the file system ends it. Every promise is waited for; refusals are expected. */
async function work(files: MemoryFileSystem, plan: readonly Step[]): Promise<Told> {
  const told = new Told();
  let n = 0;
  let process = 0;
  const open = () => openStore(files, `w${process++}-`).catch(() => undefined);
  let store = await open();
  const info = plainInfo('s');
  told.tried.add(JSON.stringify({ type: 'info', info }));
  told.created = store !== undefined && (await outcome(store.create(info))) === 'kept';
  if (told.created) told.acknowledged.push({ type: 'info', info });
  for (const step of plan) {
    if (store === undefined || !told.created) break;
    if (step.do === 'append') {
      const records = Array.from({ length: step.count }, () => userRecord(`n${n++}`, null, 'ü'));
      for (const record of records) told.tried.add(JSON.stringify(record));
      if ((await outcome(store.append('s', records))) === 'kept')
        told.acknowledged.push(...records);
    } else if (step.do === 'draft') {
      const value = ++told.triedDraft;
      const draft = { draft: { text: String(value), attachments: [] } };
      if ((await outcome(store.saveDraft('s', draft))) === 'kept') told.draft = value;
    } else if (step.do === 'live') {
      const node = { id: 'r', parentId: null, filesFrom: null, createdAt: 1, order: 0 };
      const reply = { ...node, role: 'assistant', model: 'm', parts: [], changes: [] } as const;
      const standing = { head: 'r', filesHead: null, apart: {} };
      await outcome(
        store.saveLive('s', { node: { ...reply, status: 'running' }, standing, intents: [] }),
      );
    } else if (step.do === 'clear') {
      await outcome(store.clearLive('s', 'r'));
    } else if (step.do === 'backup') {
      await outcome(store.backup('s', 'rewind'));
      await outcome(store.copied('s'));
    } else if (step.do === 'seal') {
      await outcome(store.seal('s', 2));
    } else {
      await outcome(store.flush());
      store = await open();
      if (store !== undefined) await outcome(store.load('s'));
    }
  }
  if (store !== undefined) await outcome(store.flush());
  return told;
}

async function check(disk: MemoryFileSystem, told: Told, where: string): Promise<void> {
  const files = new MemoryFileSystem(disk);
  const store = await openStore(files, 'next');
  const cards = await store.listCards();
  if (told.created)
    expect(
      cards.map((card) => card.id),
      where,
    ).toEqual(['s']);
  if (cards.length === 0) return;
  const loaded = await store.load('s');
  const texts = loaded.records.map((record) => JSON.stringify(record));
  // Nothing acknowledged is lost, in order; nothing nobody gave is there; nothing is there twice.
  const kept = told.acknowledged.map((record) => JSON.stringify(record));
  const known = new Set(kept);
  expect(
    texts.filter((each) => known.has(each)),
    where,
  ).toEqual(kept);
  expect(
    texts.filter((each) => !told.tried.has(each)),
    where,
  ).toEqual([]);
  expect(new Set(texts).size, where).toBe(texts.length);
  const draft = Number(loaded.draft?.draft.text ?? 0);
  expect(draft, where).toBeGreaterThanOrEqual(told.draft);
  expect(draft, where).toBeLessThanOrEqual(told.triedDraft);
  // The next start is usable.
  await store.append('s', [userRecord('after', null)]);
  await store.saveDraft('s', { draft: { text: '0', attachments: [] } });
  const again = await (await openStore(new MemoryFileSystem(disk), 'last')).load('s');
  expect(again.records.at(-1), where).toEqual(userRecord('after', null));
}

describe('C47 a store whose process ends', () => {
  it('at any file system step loses nothing acknowledged and believes no half record', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (plan) => {
        const dry = new MemoryFileSystem();
        await work(dry, plan);
        for (let crash = 1; crash <= dry.steps; crash++) {
          const disk = new MemoryFileSystem();
          const files = new MemoryFileSystem(disk);
          files.fault = (step) =>
            step < crash ? undefined : { code: 'unavailable', torn: step === crash };
          await check(disk, await work(files, plan), `crash at ${crash}`);
        }
      }),
      { numRuns: 15 },
    );
  });
});

describe('C47 a store whose file system fails', () => {
  it.each<FsErrorCode>(['no space', 'no permission', 'unavailable'])(
    'with "%s" at any one step, torn or not, and then goes on, loses nothing acknowledged',
    async (code) => {
      await fc.assert(
        fc.asyncProperty(steps, fc.boolean(), async (plan, torn) => {
          const dry = new MemoryFileSystem();
          await work(dry, plan);
          for (let fault = 1; fault <= dry.steps; fault++) {
            const disk = new MemoryFileSystem();
            const files = new MemoryFileSystem(disk);
            files.fault = (step) => (step === fault ? { code, torn } : undefined);
            await check(disk, await work(files, plan), `${code} at ${fault}`);
          }
        }),
        { numRuns: 8 },
      );
    },
  );

  it('at many random steps loses nothing acknowledged', async () => {
    await fc.assert(
      fc.asyncProperty(
        steps,
        fc.array(fc.integer({ min: 1, max: 120 }), { maxLength: 30 }),
        async (plan, faults) => {
          const disk = new MemoryFileSystem();
          const files = new MemoryFileSystem(disk);
          files.fault = (step) =>
            faults.includes(step) ? { code: 'no space', torn: step % 2 === 0 } : undefined;
          await check(disk, await work(files, plan), 'many');
        },
      ),
      { numRuns: 200 },
    );
  });
});
