import { describe, expect, test } from 'vitest';
import { Blobs } from '../../../src/engine/blobs';
import { checkCopies } from '../../../src/engine/checkCopies';
import { MemoryFileSystem } from '../../fakes/memoryFileSystem';
import { FakeLog, FakeRuntime } from '../../fakes/runtime';
import { memoryEngine, write } from '../../kit/memoryEngine';
import { MemoryWorkspace } from '../../kit/memoryWorkspace';

const root = 'memory:/store';
const draft = (text: string) => ({ text, attachments: [] });

/** Two files that were written twice each: three contents are kept of both. */
async function told() {
  const disk = new MemoryFileSystem();
  const workspace = new MemoryWorkspace();
  const runtime = new FakeRuntime();
  const blobs = () => new Blobs(root, { files: disk, runtime, log: new FakeLog() });
  for (const name of ['a', 'b']) workspace.put(`f0/${name}`, `${name} 0`);
  const writes = (n: number) => async (turn: Parameters<typeof write>[0]) => {
    for (const name of ['a', 'b']) await write(turn, name, `${name} ${n}`);
    return undefined;
  };
  const parts = { disk, workspace, blobs: blobs(), root, runtime };
  const { retrace, sessions } = await memoryEngine(parts, { one: writes(1), two: writes(2) });
  const session = await sessions.create();
  for (const text of ['one', 'two']) await retrace.send(session, draft(text));
  const uri = async (text: string): Promise<string> => {
    const hash = await runtime.sha256(new TextEncoder().encode(text));
    return disk.uris().find((each) => each.endsWith(hash)) ?? '';
  };
  const { state } = session;
  const check = (repair: boolean) => checkCopies(state, blobs(), repair ? workspace : undefined);
  return { disk, workspace, uri, check, retrace, session };
}

const damages: Readonly<Record<string, (disk: MemoryFileSystem, uri: string) => unknown>> = {
  removed: (disk, uri) => disk.delete(uri, false),
  cut: (disk, uri) => disk.damage(uri, (bytes) => bytes.subarray(0, 2)),
  emptied: (disk, uri) => disk.damage(uri, () => new Uint8Array()),
  changed: (disk, uri) => disk.damage(uri, (bytes) => bytes.map((byte) => byte ^ 1)),
};

describe.each(Object.entries(damages))('C08 a stored copy that is %s', (_, damage) => {
  test('is counted with its file, and comes back where a file still holds it', async () => {
    const { disk, uri, check, workspace, retrace, session } = await told();
    expect(await check(false)).toEqual({ missing: 0, restored: 0, files: [] });
    await damage(disk, await uri('a 2'));
    await damage(disk, await uri('b 0'));
    expect(await check(false)).toEqual({ missing: 2, restored: 0, files: ['f0/a', 'f0/b'] });
    expect(await check(true)).toEqual({ missing: 1, restored: 1, files: ['f0/b'] });
    expect(await check(true)).toEqual({ missing: 1, restored: 0, files: ['f0/b'] });
    // Whatever name the bytes have now.
    workspace.put('f0/a', 'b 0');
    expect(await check(true)).toEqual({ missing: 0, restored: 1, files: [] });
    workspace.put('f0/a', 'a 2');
    const messageId = session.state.nodes.keys().next().value ?? '';
    await retrace.move(session, { verb: 'rewind', messageId, scope: 'both' }, 'keep');
    expect([workspace.text('f0/a'), workspace.text('f0/b')]).toEqual(['a 0', 'b 0']);
  });
});

test('of a file that holds unsaved text, both what is saved and what is not serve to repair', async () => {
  const { disk, uri, check, workspace } = await told();
  await disk.delete(await uri('a 1'), false);
  await disk.delete(await uri('a 2'), false);
  workspace.unsaved.set('f0/a', new TextEncoder().encode('a 1'));
  expect(await check(true)).toEqual({ missing: 0, restored: 2, files: [] });
});
