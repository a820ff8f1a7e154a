import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SessionSearch } from '../../../src/engine/sessionSearch';
import { memoryEngine, newMemory, type Script } from '../../kit/memoryEngine';

const draft = (text: string) => ({ text, attachments: [] });
const idle = (): AbortSignal => new AbortController().signal;

const scripts: Record<string, Script> = {
  'first question': async (_, say) => {
    say('The token bucket\nlies in limiter.ts (see [docs]).');
    return undefined;
  },
};

/** Three sessions, stored by an earlier window; the first one's reply lies on a branch nobody stands on. */
async function stored() {
  const memory = newMemory();
  const before = await memoryEngine(memory, scripts, 'a');
  const one = await before.sessions.create('One');
  const sent = await before.retrace.send(one, draft('first question'));
  const move = { verb: 'rewind', messageId: sent.userMessageId, scope: 'both' } as const;
  await before.retrace.move(one, move, 'keep');
  const two = await before.sessions.create('Two');
  await before.retrace.send(two, draft('something about BUCKETS'));
  const three = await before.sessions.create('A bucket list');
  await before.sessions.archive(three, true);
  await before.sessions.flush();
  const now = await memoryEngine(memory, scripts, 'b');
  let reads = 0;
  const search = new SessionSearch({
    cards: (archived) => now.sessions.cards(archived),
    opened: (id) => now.sessions.opened(id),
    readStored: (id) => {
      reads += 1;
      return now.sessions.readStored(id);
    },
  });
  return { ...now, one, two, three, search, reads: () => reads };
}

describe('sessions are found by their texts', () => {
  test('on any branch, capitals aside, by title too, archived ones when asked for', async () => {
    const { search, one, two, three } = await stored();
    const ids = async (text: string, archived = false): Promise<string[]> =>
      (await search.find(text, archived, idle())).hits.map(({ id }) => id).sort();
    expect(await ids('bucket')).toEqual([one.id, two.id].sort());
    expect(await ids('Bucket', true)).toEqual([one.id, two.id, three.id].sort());
    expect(await ids('token bucket')).toEqual([one.id]);
    expect(await ids('(see [docs])')).toEqual([one.id]);
    expect(await ids('nothing of that')).toEqual([]);
    expect(await ids('  ')).toEqual([]);
    const { hits } = await search.find('lies in', false, idle());
    expect(hits[0]?.excerpt).toBe(
      'first question The token bucket lies in limiter.ts (see [docs]).',
    );
  });

  test('each is read once, and again only when it has changed; an open one is not read', async () => {
    const { search, sessions, retrace, reads, two } = await stored();
    await search.find('bucket', true, idle());
    const first = reads();
    await search.find('other', true, idle());
    expect(reads()).toBe(first);
    const open = await sessions.open(two.id);
    await retrace.send(open, draft('a quokka'));
    expect((await search.find('quokka', true, idle())).hits.map(({ id }) => id)).toEqual([two.id]);
    expect(reads()).toBe(first);
  });

  test('the next search ends the one before', async () => {
    const { search } = await stored();
    const controller = new AbortController();
    const searching = search.find('bucket', true, controller.signal);
    controller.abort();
    await expect(searching).rejects.toMatchObject({ code: 'cancelled' });
  });

  test('whatever is typed is a text, not a pattern, and text that is too long is said to be cut', async () => {
    const { search, two } = await stored();
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 12 }), async (text) => {
        const { hits } = await search.find(text, true, idle());
        expect(hits.length).toBeLessThanOrEqual(3);
      }),
      { numRuns: 60 },
    );
    const long = { ...two.state.nodes.values().next().value, text: 'x'.repeat(2_000_000) };
    const cut = new SessionSearch({
      cards: async () => [{ ...(await cardOf(two.id)), nodes: 1 }],
      opened: () => undefined,
      readStored: async () => ({ records: [{ type: 'node', node: long as never }] }),
    });
    expect(await cut.find('y', true, idle())).toEqual({ hits: [], complete: false });
  });
});

async function cardOf(id: string) {
  return {
    ...{ id, title: 't', createdAt: 1, updatedAt: 1, archived: false, folders: [] },
    ...{ nodes: 1, userMessages: 1, preview: '' },
  };
}
