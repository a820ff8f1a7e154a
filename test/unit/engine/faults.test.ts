import { describe, expect, test } from 'vitest';
import { ancestors } from '../../../src/core/graph';
import type { OpenSession } from '../../../src/engine/openSession';
import { MemoryFileSystem, type FsCall } from '../../fakes/memoryFileSystem';
import { memoryEngine, newMemory, write, type Script } from '../../kit/memoryEngine';

const draft = (text: string) => ({ text, attachments: [] });

const scripts: Record<string, Script> = {
  one: (turn) => write(turn, 'f', '1\n'),
  two: (turn) => write(turn, 'f', '2\n'),
};

const roles = ({ state, standing }: OpenSession): string[] =>
  ancestors(state.nodes, standing.head).map((node) =>
    node.role === 'assistant' ? node.status : node.role === 'user' ? node.text : node.role,
  );

async function begun() {
  const memory = newMemory();
  memory.workspace.put('f0/f', '0\n');
  const disk = new MemoryFileSystem(memory.disk);
  const engine = await memoryEngine({ ...memory, disk }, scripts);
  const session = await engine.sessions.create();
  await engine.sessions.flush();
  const fail = (fails: (call: FsCall, uri: string) => boolean): void => {
    disk.fault = (_, call, uri) =>
      fails(call, uri) ? { code: 'no space', torn: true } : undefined;
  };
  const restart = async () => {
    const next = await memoryEngine(memory, scripts, 'x');
    return { ...next, session: await next.sessions.open(session.id) };
  };
  return { ...engine, memory, session, fail, restart };
}

describe('a disk that is full', () => {
  test.each<FsCall>(['write', 'rename'])(
    'when a reply begins (%s) leaves the message and no reply, here and at the next start',
    async (failing) => {
      const { retrace, session, sessions, fail, restart, memory } = await begun();
      fail((call, uri) => call === failing && uri.includes('/live-'));
      await expect(retrace.send(session, draft('one'))).rejects.toThrow(
        /^storage: .*disk is full/u,
      );
      fail(() => false);
      expect(roles(session)).toEqual(['one']);
      expect(memory.workspace.text('f0/f')).toBe('0\n');
      await sessions.flush();
      expect(roles((await restart()).session)).toEqual(['one']);
      expect((await retrace.send(session, draft('two'))).status).toBe('done');
      await sessions.flush();
      expect(roles((await restart()).session)).toEqual(['one', 'two', 'done']);
    },
  );

  test('when a reply ends is told, and the reply is stored before anything follows it', async () => {
    const { retrace, session, sessions, fail, restart, memory } = await begun();
    let writes = 0;
    fail((call, uri) => call === 'write' && uri.includes('/records/') && ++writes > 2);
    await expect(retrace.send(session, draft('one'))).rejects.toThrow(/^storage: .*disk is full/u);
    await expect(retrace.send(session, draft('two'))).rejects.toThrow(/^storage: .*disk is full/u);
    expect(memory.workspace.text('f0/f')).toBe('1\n');
    fail(() => false);
    expect((await retrace.send(session, draft('two'))).status).toBe('done');
    expect(roles(session)).toEqual(['one', 'done', 'two', 'done']);
    await sessions.flush();
    expect(roles((await restart()).session)).toEqual(['one', 'done', 'two', 'done']);
  });

  test('when a reply ends, and the window ends too, costs nothing of it but its end', async () => {
    const { retrace, session, fail, restart, memory } = await begun();
    let writes = 0;
    fail((call, uri) => call === 'write' && uri.includes('/records/') && ++writes > 2);
    await expect(retrace.send(session, draft('one'))).rejects.toMatchObject({ code: 'storage' });
    const next = await restart();
    expect(roles(next.session)).toEqual(['one', 'interrupted']);
    const messageId = ancestors(next.session.state.nodes, next.session.standing.head)[0]?.id ?? '';
    const request = { verb: 'rewind', messageId, scope: 'both' } as const;
    await next.retrace.move(next.session, request, 'keep');
    expect(memory.workspace.text('f0/f')).toBe('0\n');
  });
});
