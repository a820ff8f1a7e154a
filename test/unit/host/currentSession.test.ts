import { describe, expect, test } from 'vitest';
import { WindowSession } from '../../../src/host/currentSession';
import { memoryEngine, newMemory } from '../../kit/memoryEngine';

async function window(memory = newMemory(), remembered = new Map<string, unknown>()) {
  const { sessions, log } = await memoryEngine(memory, {}, `w${remembered.size}`);
  const memento = {
    get: (key: string) => remembered.get(key),
    update: async (key: string, value: string) => void remembered.set(key, value),
  };
  const current = new WindowSession(sessions, memento, log);
  const shown: string[] = [];
  current.onChange.on((session) => shown.push(session.id));
  return { memory, remembered, sessions, current, shown, log };
}

describe('the session a window shows', () => {
  test('is made at the first need, once', async () => {
    const { current, sessions, shown } = await window();
    expect(current.id).toBeUndefined();
    const [one, other] = await Promise.all([current.get(), current.get()]);
    expect(one).toBe(other);
    expect(await sessions.cards()).toHaveLength(1);
    expect(shown).toEqual([one.id]);
  });

  test('is the one of last time after a restart, not the newest', async () => {
    const first = await window();
    const { id } = await first.current.get();
    await first.sessions.create('newer');
    await first.sessions.flush();
    const second = await window(first.memory, first.remembered);
    expect((await second.current.get()).id).toBe(id);
  });

  test('is the newest where the last one is gone', async () => {
    const first = await window();
    const { id } = await first.sessions.create('kept');
    await first.sessions.flush();
    const remembered = new Map<string, unknown>([['retrace.lastSession', 'gone']]);
    const second = await window(first.memory, remembered);
    expect((await second.current.get()).id).toBe(id);
    expect(second.log.lines.join()).toContain('could not be opened');
  });

  test('changes by choice; choosing what is shown already tells nobody', async () => {
    const { current, sessions, shown, remembered } = await window();
    const first = await current.get();
    const other = await sessions.create();
    await current.set(other.id);
    await current.set(other.id);
    expect(shown).toEqual([first.id, other.id]);
    expect([...remembered.values()]).toEqual([other.id]);
    await expect(current.set('gone')).rejects.toThrow('not_found');
    expect(current.id).toBe(other.id);
  });
});
