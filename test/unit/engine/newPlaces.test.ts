import { describe, expect, test } from 'vitest';
import { goneFolders } from '../../../src/engine/newPlaces';
import { MemoryFileSystem } from '../../fakes/memoryFileSystem';
import { memoryEngine, newMemory, write } from '../../kit/memoryEngine';

const draft = (text: string) => ({ text, attachments: [] });
const scripts = {
  one: (turn: Parameters<typeof write>[0]) => write(turn, 'a', '1\n'),
  two: (turn: Parameters<typeof write>[0]) => write(turn, 'a', '2\n'),
};
const [from, to] = ['file:///old', 'file:///new'];

/** A window on a folder that has been renamed since its sessions were made. */
async function renamed() {
  const memory = newMemory();
  memory.workspace.put('f0/a', '0\n');
  const before = await memoryEngine({ ...memory, folder: from }, scripts, 'a');
  const session = await before.sessions.create();
  const first = await before.retrace.send(session, draft('one'));
  await before.retrace.send(session, draft('two'));
  await session.typeDraft(draft('a draft'));
  const archived = await before.sessions.create('archived');
  await before.sessions.archive(archived, true);
  await before.sessions.flush();
  const window = (name: string) => {
    const disk = new MemoryFileSystem(memory.disk);
    return memoryEngine({ ...memory, disk, folder: to }, scripts, name);
  };
  return { memory, first, id: session.id, window };
}

const gone = async (uri: string): Promise<boolean> => uri === from;

describe('a workspace folder that was moved or renamed', () => {
  test('is found with its sessions, archived ones too; what is still there is not', async () => {
    const { window } = await renamed();
    const { sessions } = await window('b');
    expect(await sessions.cards(true)).toEqual([]);
    const cards = await sessions.everywhere();
    const [found, ...more] = await goneFolders(cards, [to], gone);
    expect(more).toEqual([]);
    expect(found).toMatchObject({ uri: from, name: 'w' });
    expect(found?.sessions).toHaveLength(2);
    expect(await goneFolders(cards, [to], async () => false)).toEqual([]);
    expect(await goneFolders(cards, [from], gone)).toEqual([]);
  });

  test('gets its sessions, whole and with their checkpoints, and keeps them after a restart', async () => {
    const { window, id, first, memory } = await renamed();
    const b = await window('b');
    for (const card of await b.sessions.everywhere())
      expect(await b.sessions.giveNewPlace(card, from, { uri: to, name: 'new' })).toBe(true);
    expect((await b.sessions.cards(true)).length).toBe(2);
    expect((await b.sessions.cards()).map((card) => card.id)).toEqual([id]);
    const c = await window('c');
    expect((await c.sessions.cards()).map((card) => card.id)).toEqual([id]);
    const session = await c.sessions.open(id);
    expect(session.info.folders).toEqual([{ id: 'f0', uri: to, name: 'new' }]);
    expect(session.draft.draft.text).toBe('a draft');
    expect(c.told).toEqual([]);
    await c.retrace.move(
      session,
      { verb: 'rewind', messageId: first.userMessageId, scope: 'both' },
      'keep',
    );
    expect(memory.workspace.text('f0/a')).toBe('0\n');
  });

  test('is not put in twice, and a session that is open takes it at once', async () => {
    const { window, id } = await renamed();
    const { sessions } = await window('b');
    const session = await sessions.open(id);
    const [card] = (await sessions.everywhere()).filter((each) => each.id === id);
    if (card === undefined) throw new Error('no card');
    const place = { uri: to, name: 'new' };
    expect(await sessions.giveNewPlace(card, 'file:///other', place)).toBe(false);
    expect(await sessions.giveNewPlace(card, from, place)).toBe(true);
    expect(session.info.folders).toMatchObject([{ uri: to }]);
    expect(await sessions.giveNewPlace(card, from, place)).toBe(false);
  });
});
