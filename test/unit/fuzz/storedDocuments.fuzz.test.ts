import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RetraceError } from '../../../src/engine/errors';
import { unwrap, wrap } from '../../../src/engine/store/envelope';
import { MemoryFileSystem } from '../../fakes/memoryFileSystem';
import { damaged, damages, fuzzing, fuzzTimeout, mutated, mutations } from '../../kit/fuzz';
import { memoryEngine, newMemory, write, type Memory, type Script } from '../../kit/memoryEngine';
import { MemoryWorkspace } from '../../kit/memoryWorkspace';

const scripts: Record<string, Script> = {
  one: (turn) => write(turn, 'a.txt', '1\n'),
  two: (turn) => write(turn, 'd/b.txt', '2\n'),
  cut: async (turn) => {
    await write(turn, 'a.txt', '3\n');
    throw new Error('the window ends here');
  },
};
const draft = (text: string) => ({ text, attachments: [] });

/** A store with everything in it there can be, left as by a window that died in a turn. */
async function filled(): Promise<Memory> {
  const memory = newMemory();
  const { retrace, sessions, store } = await memoryEngine(memory, scripts, 'a');
  const session = await sessions.create();
  const first = await retrace.send(session, draft('one'));
  await retrace.send(session, draft('two'));
  await retrace.move(
    session,
    { verb: 'rewind', messageId: first.userMessageId, scope: 'both' },
    'keep',
  );
  await retrace.send(session, draft('two'));
  await retrace.fork(session, {});
  await session.typeDraft(draft('a draft'));
  await sessions.flush();
  await store.copied(session.id);
  await store.seal(session.id, 2);
  await retrace.send(session, draft('one'));
  const left = new MemoryFileSystem(memory.disk);
  const running = retrace.send(session, draft('cut'));
  left.fault = (_, call) => (call === 'delete' ? { code: 'no permission' } : undefined);
  memory.disk.fault = (_, call, uri) =>
    call === 'delete' || uri.includes('/records/') ? { code: 'no permission' } : undefined;
  await running.catch(() => undefined);
  memory.disk.fault = () => undefined;
  return memory;
}

/** Changes what a document says, under a checksum that is right: nobody is kept from making one. */
function said(bytes: Uint8Array, change: (value: unknown) => unknown): Uint8Array {
  const text = new TextDecoder().decode(bytes);
  const lines = text.split('\n').map((line) => {
    const opened = unwrap(new TextEncoder().encode(line));
    if (!opened.ok) return line;
    const json = JSON.stringify(change(opened.value));
    return new TextDecoder().decode(wrap(opened.stamp, json));
  });
  return new TextEncoder().encode(lines.join('\n'));
}

test(
  'whatever is in the store, it opens or says why not, and nothing outside the workspace is reached',
  { timeout: fuzzTimeout },
  async () => {
    const memory = await filled();
    const all = memory.disk.uris().map((uri) => ({ uri, bytes: memory.disk.bytes(uri) }));
    for (const part of ['records/', 'segments/', 'live-', 'draft', 'card', 'backups/', 'mirror'])
      expect(all.some(({ uri }) => uri.includes(part))).toBe(true);
    const hurt = fc.record({
      file: fc.nat(),
      how: fc.oneof(
        mutations.map((changes) => ({ changes })),
        damages.map((cuts) => ({ cuts })),
        fc.nat().map((other) => ({ other })),
        fc.constant({ gone: true }),
      ),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(hurt, { minLength: 1, maxLength: 5 }), async (hurts) => {
        const disk = new MemoryFileSystem();
        for (const { uri, bytes } of all) disk.damage(uri, () => bytes);
        for (const { file, how } of hurts) {
          const { uri } = all[file % all.length] ?? { uri: '' };
          if ('changes' in how)
            disk.damage(uri, (bytes) => said(bytes, (value) => mutated(value, how.changes)));
          else if ('cuts' in how) disk.damage(uri, (bytes) => damaged(bytes, how.cuts));
          else if ('other' in how)
            disk.damage(uri, () => all[how.other % all.length]?.bytes ?? new Uint8Array());
          else await disk.delete(uri, false).catch(() => undefined);
        }
        const workspace = new MemoryWorkspace();
        for (const [name, bytes] of memory.workspace.disk) workspace.disk.set(name, bytes);
        const begin = Date.now();
        await work({ ...memory, disk, workspace });
        expect(Date.now() - begin).toBeLessThan(5_000);
        for (const key of workspace.writes) {
          // A session may hold files outside its folders that somebody allowed: those are whole URIs.
          if (/^[a-z][a-z0-9+.-]+:/iu.test(key)) continue;
          expect(key).toMatch(/^f\d+\/./u);
          expect(key.split('/')).not.toContain('..');
        }
        for (const uri of disk.uris()) expect(uri).toMatch(/^memory:\/store\//u);
        expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
      }),
      fuzzing(120),
    );
  },
);

/** Opens everything, and does a bit of everything with it. */
async function work(memory: Memory): Promise<void> {
  const { retrace, sessions, store } = await memoryEngine(memory, scripts, 'z');
  const cards = await sessions.cards(true);
  await sessions.deleted();
  for (const { id } of cards) {
    const session = await sessions.open(id).catch(coded);
    if (session === undefined) continue;
    const nodes = [...session.state.nodes.values()];
    for (const { name } of (await store.listBackups(id).catch(coded)) ?? [])
      await sessions.readBackup(session, name).catch(coded);
    for (const node of [nodes[0], nodes.at(-1)]) {
      if (node === undefined) continue;
      const request = { verb: 'checkout', messageId: node.id, scope: 'both' } as const;
      await retrace.move(session, request, 'restore').catch(coded);
    }
    await retrace.fork(session, {}).catch(coded);
    await retrace.send(session, draft('two')).catch(coded);
  }
  await sessions.flush().catch(coded);
}

function coded(error: unknown): undefined {
  if (!(error instanceof RetraceError)) throw error;
}
