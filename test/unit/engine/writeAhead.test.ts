import { describe, expect, test } from 'vitest';
import type { FileKey } from '../../../src/core/fileKey';
import type { AssistantNode } from '../../../src/core/node';
import { Blobs } from '../../../src/engine/blobs';
import type { WriteOptions } from '../../../src/engine/ports';
import { MemoryFileSystem } from '../../fakes/memoryFileSystem';
import { FakeLog, FakeRuntime } from '../../fakes/runtime';
import { memoryEngine, write, type Script } from '../../kit/memoryEngine';
import { MemoryWorkspace } from '../../kit/memoryWorkspace';

/** What the agent does, and, for each moment a host can die at, what the files then hold. */
const scripts: Record<string, Script> = {
  work: async (turn) => {
    await write(turn, 'a', 'a 1\n');
    await write(turn, 'd/e/b', 'b 1\n');
    await write(turn, 'a', 'a 2\n');
    await turn.workspace.delete(await turn.workspace.resolve('c'));
    await turn.workspace.rename(
      await turn.workspace.resolve('f'),
      await turn.workspace.resolve('g/f'),
    );
    return write(turn, 'd/e/b', 'b 2\n');
  },
  more: (turn) => write(turn, 'a', 'a 3\n'),
};

/** Dies at its n-th change: before it, half way through writing, or after it with nothing read back. */
class DyingWorkspace extends MemoryWorkspace {
  changes = 0;
  dieAt = Infinity;
  how: 'before' | 'torn' | 'after' = 'before';
  died: () => void = () => undefined;
  /** What there was before a write was torn. */
  whole: Record<FileKey, string> | undefined;

  override async write(file: FileKey, bytes: Uint8Array, options: WriteOptions) {
    return this.mortal(
      () => super.write(file, bytes, options),
      () => {
        this.whole = this.snapshot();
        this.disk.set(file, bytes.slice(0, bytes.length >> 1));
      },
    );
  }

  override async remove(file: FileKey) {
    return this.mortal(() => super.remove(file));
  }

  override async rename(from: FileKey, to: FileKey) {
    return this.mortal(() => super.rename(from, to));
  }

  override async makeFolder(folder: FileKey) {
    return this.mortal(() => super.makeFolder(folder));
  }

  private async mortal<T>(act: () => Promise<T>, tear?: () => void): Promise<T> {
    const at = ++this.changes;
    if (at < this.dieAt) return act();
    if (at === this.dieAt && this.how === 'torn') tear?.();
    if (at === this.dieAt && this.how === 'after') await act();
    this.died();
    return new Promise<never>(() => undefined);
  }
}

async function start() {
  const disk = new MemoryFileSystem();
  const workspace = new DyingWorkspace();
  for (const name of ['a', 'c', 'f']) workspace.put(`f0/${name}`, `${name} 0\n`);
  const files = new MemoryFileSystem(disk);
  const engine = await memoryEngine(partsOf(files, workspace), scripts);
  const session = await engine.sessions.create();
  await engine.sessions.flush();
  return { disk, files, workspace, engine, session };
}

function partsOf(disk: MemoryFileSystem, workspace: MemoryWorkspace) {
  const blobs = new Blobs('memory:/store', {
    files: disk,
    runtime: new FakeRuntime(),
    log: new FakeLog(),
  });
  return { disk, workspace, blobs };
}

type Started = Awaited<ReturnType<typeof start>>;

/** Starts again on what the dead host left, and takes the turn back: every file is as it was before the message. */
async function check({ disk, workspace, session }: Started, before: object): Promise<void> {
  // Half a file is put back at the next start.
  const left = workspace.whole ?? workspace.snapshot();
  const alive = new MemoryWorkspace();
  for (const [file, bytes] of workspace.disk) alive.disk.set(file, bytes);
  for (const folder of workspace.folders) alive.folders.add(folder);
  const engine = await memoryEngine(partsOf(new MemoryFileSystem(disk), alive), scripts, 'x');
  const again = await engine.sessions.open(session.id);
  expect(alive.snapshot()).toEqual(left);
  const [point] = engine.retrace.rewindPoints(again);
  if (point === undefined) {
    expect(left).toEqual(before);
    return;
  }
  const reply = [...again.state.nodes.values()].find(
    (node): node is AssistantNode => node.role === 'assistant',
  );
  // Nothing the agent did is taken for a hand's.
  expect(reply?.changes.filter((link) => link.by !== 'agent') ?? []).toEqual([]);
  const request = { verb: 'rewind', messageId: point.messageId, scope: 'both' } as const;
  const { move } = await engine.retrace.move(again, request, 'ask');
  expect(move.results?.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
  expect(alive.snapshot()).toEqual(before);
  await engine.retrace.move(again, { verb: 'undo', scope: 'both' }, 'ask');
  expect(alive.snapshot()).toEqual(left);
  const folder = `/sessions/${session.id}/ahead-`;
  expect(disk.uris().filter((uri) => uri.includes(folder))).toEqual([]);
}

const send = ({ engine, session }: Started): Promise<unknown> =>
  engine.retrace.send(session, { text: 'work', attachments: [] }).catch(() => undefined);

describe('C47 a host that dies in a turn', () => {
  test.each(['before', 'torn', 'after'] as const)(
    'at any change of a file (%s) has recorded what came of it, and all goes back',
    async (how) => {
      const dry = await start();
      await send(dry);
      for (let at = 1; at <= dry.workspace.changes; at++) {
        const started = await start();
        const before = started.workspace.snapshot();
        Object.assign(started.workspace, { dieAt: at, how });
        const died = new Promise<void>((resolve) => (started.workspace.died = resolve));
        void send(started);
        await died;
        started.files.fault = () => ({ code: 'unavailable' });
        await check(started, before);
      }
    },
  );

  test('at any call of the store loses no file either', async () => {
    const dry = await start();
    const first = dry.files.steps;
    await send(dry);
    for (let at = first + 1; at <= dry.files.steps; at++) {
      const started = await start();
      const before = started.workspace.snapshot();
      await new Promise<void>((resolve) => {
        started.files.fault = (step) => {
          if (step < at) return undefined;
          // Nothing a dead host would do next is done.
          started.workspace.dieAt = 0;
          resolve();
          return { code: 'unavailable', torn: step === at, delay: new Promise(() => undefined) };
        };
        void send(started).then(() => resolve());
      });
      await check(started, before);
    }
  });
});

test('a change costs one call of the store beside its new copies, and nothing is renamed', async () => {
  const started = await start();
  const { files, engine, session } = started;
  await engine.retrace.send(session, { text: 'more', attachments: [] });
  const begin = files.calls.length;
  await engine.retrace.send(session, { text: 'work', attachments: [] });
  const calls = files.calls.slice(begin);
  const of = (part: string, call: string) =>
    calls.filter((each) => each.call === call && each.uri.includes(part)).length;
  // Six changes, and what they made: a 1, b 1, a 2, b 2; what was there: c 0, f 0.
  expect(of('/ahead-', 'write')).toBe(6);
  expect(of('/blobs/', 'write')).toBe(6);
  expect(of('/blobs/', 'read')).toBe(0);
  expect(of('/blobs/', 'rename') + of('/ahead-', 'rename') + of('/records/', 'rename')).toBe(0);
});
