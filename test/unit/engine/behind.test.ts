import { describe, expect, it } from 'vitest';
import { changesOf } from '../../../src/core/node';
import { Blobs } from '../../../src/engine/blobs';
import { openStore, root } from '../store/kit';
import { MemoryFileSystem } from '../../fakes/memoryFileSystem';
import { FakeLog, FakeRuntime } from '../../fakes/runtime';
import { memoryEngine, write } from '../../kit/memoryEngine';
import { MemoryWorkspace } from '../../kit/memoryWorkspace';

const draft = (text: string) => ({ text, attachments: [] });

describe('what goes on behind a turn', () => {
  it('the copy of what a write left holds up no read, but the next write and the end of the turn', async () => {
    const disk = new MemoryFileSystem();
    const workspace = new MemoryWorkspace();
    workspace.put('f0/a', 'a 0');
    workspace.put('f0/b', 'b 0');
    const runtime = new FakeRuntime('w');
    const blobs = new Blobs(root, { files: disk, runtime, log: new FakeLog() });
    // A formatter leaves something else than what was written, and was kept, ahead.
    const formatted = new TextEncoder().encode('a 1;');
    const save = workspace.write.bind(workspace);
    workspace.write = (file, bytes, options) =>
      save(file, file === 'f0/a' ? formatted : bytes, options);
    const after = await runtime.sha256(formatted);
    let go: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (go = resolve));
    disk.fault = (_, call, uri) =>
      call === 'write' && uri.endsWith(after) ? { delay: held } : undefined;
    const seen: string[] = [];
    const parts = { disk, workspace, blobs, root, runtime };
    const { retrace, sessions } = await memoryEngine(parts, {
      both: async (turn) => {
        await write(turn, 'a', 'a 1');
        const file = await turn.workspace.resolve('b');
        await turn.workspace.read(file);
        seen.push('read');
        const writing = turn.workspace.write(file, new TextEncoder().encode('b 1'));
        await new Promise((resolve) => setTimeout(resolve, 30));
        seen.push(workspace.text('f0/b') ?? '');
        go();
        await writing;
        return undefined;
      },
    });
    const session = await sessions.create();
    const sent = await retrace.send(session, draft('both'));
    expect(seen).toEqual(['read', 'b 0']);
    expect(workspace.text('f0/b')).toBe('b 1');
    const node = session.state.nodes.get(sent.assistantMessageId ?? '');
    for (const link of node === undefined ? [] : changesOf(node)) {
      if (link.type !== 'change' || link.after.kind !== 'file') throw new Error(link.type);
      expect(await blobs.get(link.after.hash)).toBeDefined();
    }
  });

  it('second copies read what has none yet, however long the session is', async () => {
    const files = new MemoryFileSystem();
    const store = await openStore(files);
    const info = {
      id: 's',
      title: 's',
      titleLocked: true,
      folders: [],
      createdAt: 0,
      archived: false,
    };
    await store.create(info);
    const costs: number[] = [];
    for (let n = 0; n < 60; n += 1) {
      await store.append('s', [{ type: 'info', info: { ...info, title: `t${n}` } }]);
      const before = files.calls.filter(({ call }) => call === 'read').length;
      await store.backup('s', 'rewind');
      await store.copied('s');
      costs.push(files.calls.filter(({ call }) => call === 'read').length - before);
    }
    expect(costs.at(-1)).toBe(costs[2]);
  });

  it('a session card is written once for several changes, and before the window goes', async () => {
    const disk = new MemoryFileSystem();
    const { sessions } = await memoryEngine(
      {
        disk,
        workspace: new MemoryWorkspace(),
        blobs: new Blobs(root, { files: disk, runtime: new FakeRuntime(), log: new FakeLog() }),
      },
      {},
    );
    const session = await sessions.create();
    await sessions.flush();
    const cards = () =>
      disk.calls.filter(({ call, uri }) => call === 'write' && uri.includes('/card')).length;
    const before = cards();
    for (const title of ['a', 'b', 'c']) await sessions.rename(session, title);
    expect(cards()).toBe(before);
    await sessions.flush();
    expect(cards()).toBe(before + 1);
    const again = await openStore(new MemoryFileSystem(disk));
    expect((await again.listCards()).map(({ title }) => title)).toEqual(['c']);
  });
});
