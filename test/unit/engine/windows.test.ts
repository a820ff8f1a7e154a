import { describe, expect, test } from 'vitest';
import { ancestors } from '../../../src/core/graph';
import type { OpenSession } from '../../../src/engine/openSession';
import { MemoryFileSystem } from '../../fakes/memoryFileSystem';
import { FakeRuntime } from '../../fakes/runtime';
import { memoryEngine, newMemory, write, type Script } from '../../kit/memoryEngine';

const draft = (text: string) => ({ text, attachments: [] });

const scripts: Record<string, Script> = {
  one: (turn) => write(turn, 'f', '1\n'),
  two: (turn) => write(turn, 'f', '2\n'),
  three: (turn) => write(turn, 'g', '3\n'),
  slow: async (turn) => {
    await write(turn, 'f', 'slow\n');
    await new Promise<void>((resolve) => turn.signal.addEventListener('abort', () => resolve()));
    return undefined;
  },
};

/** Two windows with one store and one workspace, a session of one turn open in both. */
async function twoWindows() {
  const memory = newMemory();
  memory.workspace.put('f0/f', '0\n');
  memory.workspace.put('f0/g', '0\n');
  const window = async (name: string) => {
    const runtime = new FakeRuntime(name);
    const disk = new MemoryFileSystem(memory.disk);
    return { ...(await memoryEngine({ ...memory, disk, runtime }, scripts)), runtime, disk };
  };
  const a = await window('a');
  const one = await a.sessions.create();
  await a.retrace.send(one, draft('one'));
  await a.sessions.flush();
  const b = await window('b');
  const other = await b.sessions.open(one.id);
  return { a, b, one, other, memory, window, text: () => memory.workspace.text('f0/f') };
}

const shown = ({ state, standing }: OpenSession): string[] =>
  ancestors(state.nodes, standing.head).map((node) => node.id);
const messages = (session: OpenSession): string[] =>
  [...session.state.nodes.values()].flatMap((node) => (node.role === 'user' ? [node.text] : []));

describe('two windows with one session open', () => {
  test('each follows what the other does', async () => {
    const { a, b, one, other } = await twoWindows();
    await a.retrace.send(one, draft('two'));
    await b.sessions.follow(other);
    expect(shown(other)).toEqual(shown(one));
    const messageId = shown(other)[2] ?? '';
    await b.retrace.move(other, { verb: 'rewind', messageId, scope: 'both' }, 'keep');
    await a.sessions.follow(one);
    expect(one.standing).toEqual(other.standing);
    expect(one.lines).toMatchObject([{ kind: 'move' }]);
    await a.retrace.move(one, { verb: 'undo', scope: 'both' }, 'keep');
    await b.sessions.follow(other);
    expect(other.standing).toEqual(one.standing);
  });

  test('a message sent to what was shown becomes a sibling of what the other window said meanwhile', async () => {
    const { a, b, one, other, text } = await twoWindows();
    const under = one.standing.head;
    await a.retrace.send(one, draft('two'));
    await b.retrace.send(other, draft('three'));
    await a.sessions.follow(one);
    expect(messages(one)).toEqual(['one', 'two', 'three']);
    expect(shown(one)).toEqual(shown(other));
    const [first, second] = one.state.children.get(under) ?? [];
    expect([first, second].map((id) => one.state.nodes.get(id ?? '')?.role)).toEqual([
      'user',
      'user',
    ]);
    // The files did not go back on their own: they are known to stand where the other turn left them.
    expect(text()).toBe('2\n');
    await b.retrace.move(other, { verb: 'switch', messageId: first ?? '', scope: 'both' }, 'keep');
    expect(text()).toBe('2\n');
  });

  test('while one runs, the other is refused and offered a fork', async () => {
    const { a, b, one, other, text } = await twoWindows();
    const running = a.retrace.send(one, draft('slow'));
    await expect.poll(text).toBe('slow\n');
    const messageId = shown(other)[0] ?? '';
    for (const act of [
      () => b.retrace.send(other, draft('two')),
      () => b.retrace.move(other, { verb: 'rewind', messageId, scope: 'both' }, 'keep'),
    ])
      await expect(act()).rejects.toThrow(/^run_active: Another window .* fork/u);
    const fork = await b.retrace.fork(other, {});
    expect((await b.retrace.send(fork, draft('three'))).status).toBe('done');
    await a.retrace.stop(one);
    await running;
    await b.retrace.send(other, draft('two'));
    await a.sessions.follow(one);
    expect(shown(one)).toEqual(shown(other));
  });

  test('both sending at the same instant keeps both messages, as siblings', async () => {
    const { a, b, one, other, window } = await twoWindows();
    const sent = await Promise.allSettled([
      a.retrace.send(one, draft('two')),
      b.retrace.send(other, draft('three')),
    ]);
    const kept = sent.filter(({ status }) => status === 'fulfilled').length;
    await a.sessions.follow(one);
    await b.sessions.follow(other);
    expect(messages(one).sort()).toEqual(messages(other).sort());
    expect(messages(one).length).toBe(1 + kept);
    expect(one.standing).toEqual(other.standing);
    const c = await window('c');
    const third = await c.sessions.open(one.id);
    expect(messages(third).sort()).toEqual(messages(one).sort());
    expect(third.standing).toEqual(one.standing);
    expect(c.told).toEqual([]);
  });

  test('a reply that runs keeps its head, and what the other window did is a branch', async () => {
    const { a, b, one, other, text } = await twoWindows();
    const running = a.retrace.send(one, draft('slow'));
    await expect.poll(text).toBe('slow\n');
    const head = one.standing.head;
    await other.setHead([
      {
        type: 'node',
        node: {
          ...{ role: 'user', id: 'late', parentId: other.standing.head, filesFrom: null },
          ...{ createdAt: 0, order: 1, text: 'late', attachments: [] },
        } as const,
        standing: { head: 'late', filesHead: 'late', apart: {} },
      },
    ]);
    await a.sessions.follow(one);
    expect(one.standing.head).toBe(head);
    await a.retrace.stop(one);
    await running;
    await b.sessions.follow(other);
    expect(other.standing.head).toBe(head);
    expect(messages(other)).toContain('late');
  });

  test('a move under way in one is not finished by the other', async () => {
    const { a, b, one, other, memory, text } = await twoWindows();
    let go: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => (go = resolve));
    const write = memory.workspace.write.bind(memory.workspace);
    memory.workspace.write = async (...args) => {
      await waiting;
      return write(...args);
    };
    const messageId = shown(one)[0] ?? '';
    const moving = a.retrace.move(one, { verb: 'rewind', messageId, scope: 'both' }, 'keep');
    await expect.poll(() => one.state.unsettledMoves().length).toBe(1);
    await expect(b.retrace.send(other, draft('two'))).rejects.toMatchObject({ code: 'run_active' });
    go();
    await moving;
    await b.sessions.follow(other);
    expect(other.standing).toEqual(one.standing);
    expect(text()).toBe('0\n');
    expect((await b.retrace.send(other, draft('two'))).status).toBe('done');
  });

  test('a move that settles just as the other window looks is not finished once more', async () => {
    const { a, b, one, other, memory, text } = await twoWindows();
    let go: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => (go = resolve));
    const write = memory.workspace.write.bind(memory.workspace);
    memory.workspace.write = async (...args) => {
      await waiting;
      return write(...args);
    };
    const messageId = shown(one)[0] ?? '';
    const moving = a.retrace.move(one, { verb: 'rewind', messageId, scope: 'both' }, 'keep');
    await expect.poll(() => one.state.unsettledMoves().length).toBe(1);
    const ended = async (): Promise<void> => {
      go();
      await moving;
      await a.sessions.flush();
    };
    const looks = (): number =>
      b.disk.calls.filter(({ call, uri }) => call === 'list' && uri.endsWith('/segments')).length;
    const before = looks();
    // Its records are read already when it is looked for who is at work.
    b.disk.fault = (_, call, uri) => {
      if (call !== 'list' || !uri.endsWith(`/sessions/${one.id}`)) return undefined;
      b.disk.fault = () => undefined;
      return {
        delay: expect
          .poll(looks)
          .toBe(before + 1)
          .then(ended),
      };
    };
    await b.retrace.send(other, draft('three'));
    expect(b.told).toEqual([]);
    await a.sessions.follow(one);
    expect(other.standing).toEqual(one.standing);
    expect(text()).toBe('0\n');
  });

  test('a window that died in the middle of a turn does not hold the session for ever', async () => {
    const { a, b, one, other, text, memory } = await twoWindows();
    const dead = a.retrace.send(one, draft('slow'));
    await expect.poll(text).toBe('slow\n');
    const live = memory.disk.uris().find((uri) => uri.includes('/live-'));
    expect(live).toBeDefined();
    b.runtime.time += 60_000;
    const result = await b.retrace.send(other, draft('three'));
    expect(result.status).toBe('done');
    expect(messages(other)).toEqual(['one', 'slow', 'three']);
    const replies = [...other.state.nodes.values()].filter((node) => node.role === 'assistant');
    expect(replies.map(({ status }) => status)).toContain('interrupted');
    await a.retrace.stop(one);
    await dead;
  });
});

describe('the draft of a session open in two windows', () => {
  test('is followed while only one of them types', async () => {
    const { a, b, one, other } = await twoWindows();
    await one.typeDraft(draft('he'));
    await b.sessions.follow(other);
    await one.typeDraft(draft('hello'));
    await b.sessions.follow(other);
    expect(other.draft).toMatchObject({ draft: draft('hello') });
    expect(other.draft.aside).toBeUndefined();
    await one.typeDraft(draft(''));
    await b.sessions.follow(other);
    expect(other.draft.draft.text).toBe('');
    expect(a.told).toEqual([]);
  });

  test('the newest wins, and the other one is kept aside, in memory and on disk', async () => {
    const { a, b, one, other, window } = await twoWindows();
    await one.typeDraft(draft('from a'));
    await other.typeDraft(draft('from b'));
    expect(other.draft).toMatchObject({ draft: draft('from b'), aside: draft('from a') });
    await a.sessions.follow(one);
    expect(one.draft).toMatchObject({ draft: draft('from b'), aside: draft('from a') });
    await one.typeDraft(draft('again'));
    await b.sessions.follow(other);
    const c = await window('c');
    const third = await c.sessions.open(one.id);
    const text = JSON.stringify(third.draft);
    for (const kept of ['again', 'from b', 'from a']) expect(text).toContain(kept);
  });
});
