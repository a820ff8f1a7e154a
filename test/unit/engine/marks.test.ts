import { describe, expect, test } from 'vitest';
import type { SessionState } from '../../../src/core/session';
import { exportJson } from '../../../src/engine/exportSession';
import { planImport } from '../../../src/engine/import/importSession';
import { archiveBranch, labelLength, labelMessage, marksOf } from '../../../src/engine/marks';
import { planRepair } from '../../../src/engine/repairSession';
import { MemoryFileSystem } from '../../fakes/memoryFileSystem';
import { FakeRuntime } from '../../fakes/runtime';
import { memoryEngine, newMemory } from '../../kit/memoryEngine';

const draft = (text: string) => ({ text, attachments: [] });

/** A session in which the second message was sent twice, and the window that has it open. */
async function branched() {
  const memory = newMemory();
  const window = (name: string) => {
    const disk = new MemoryFileSystem(memory.disk);
    return memoryEngine({ ...memory, disk, runtime: new FakeRuntime(name) }, {});
  };
  const a = await window('a');
  const session = await a.sessions.create();
  const one = await a.retrace.send(session, draft('one'));
  const old = await a.retrace.send(session, draft('two'));
  const move = { verb: 'rewind', messageId: old.userMessageId, scope: 'both' } as const;
  await a.retrace.move(session, move, 'keep');
  await a.retrace.send(session, draft('three'));
  return { a, window, session, one: one.userMessageId, old: old.userMessageId };
}

const said = ({ labels, archived }: SessionState) => ({
  labels: Object.fromEntries(labels),
  archived: [...archived],
});

describe('what is said of messages', () => {
  test('is there again in the next window, and moves nothing', async () => {
    const { a, window, session, one, old } = await branched();
    const { standing, lines } = session;
    expect(await labelMessage(session, one, '  the\n first ')).toBe('the first');
    await archiveBranch(session, old, true);
    expect([session.standing, session.lines]).toEqual([standing, lines]);
    await a.sessions.flush();
    const again = await (await window('b')).sessions.open(session.id);
    expect(said(again.state)).toEqual({ labels: { [one]: 'the first' }, archived: [old] });
    await labelMessage(again, one, '');
    await archiveBranch(again, old, false);
    await a.sessions.follow(session);
    expect(said(session.state)).toEqual({ labels: {}, archived: [] });
  });

  test('two windows lose none of it, and a result line that is shown stays', async () => {
    const { a, window, session, one, old } = await branched();
    await a.sessions.flush();
    const b = await window('b');
    const other = await b.sessions.open(session.id);
    const move = { verb: 'rewind', messageId: one, scope: 'both' } as const;
    await a.retrace.move(session, move, 'keep');
    await b.sessions.follow(other);
    await Promise.all([
      labelMessage(session, old, 'from a'),
      archiveBranch(other, old, true),
      labelMessage(other, one, 'from b'),
    ]);
    await a.sessions.follow(session);
    await b.sessions.follow(other);
    for (const { state, lines } of [session, other]) {
      expect(said(state)).toEqual({
        labels: { [old]: 'from a', [one]: 'from b' },
        archived: [old],
      });
      expect(lines).toMatchObject([{ kind: 'move' }]);
    }
  });

  test('the branch the session stands on is not archived; one that is comes back into sight when it is checked out', async () => {
    const { a, session, one, old } = await branched();
    await expect(archiveBranch(session, one, true)).rejects.toMatchObject({ code: 'invalid' });
    await archiveBranch(session, old, true);
    await a.retrace.move(session, { verb: 'switch', messageId: old, scope: 'both' }, 'keep');
    expect(session.standing.head).not.toBeNull();
    expect(session.state.archived.has(old)).toBe(true);
  });

  test('what cannot be is refused by name', async () => {
    const { session, one } = await branched();
    const gone = { code: 'not_found' };
    await expect(labelMessage(session, 'gone', 'x')).rejects.toMatchObject(gone);
    await expect(archiveBranch(session, 'gone', true)).rejects.toMatchObject(gone);
    const long = 'x'.repeat(labelLength + 1);
    await expect(labelMessage(session, one, long)).rejects.toMatchObject({ code: 'invalid' });
  });

  test('goes along into forks, exports, imports and repaired copies', async () => {
    const { a, session, one, old } = await branched();
    await labelMessage(session, one, 'kept');
    await labelMessage(session, old, 'elsewhere');
    await archiveBranch(session, old, true);
    const fork = await a.retrace.fork(session, {});
    expect(said(fork.state)).toEqual({ labels: { [one]: 'kept' }, archived: [] });
    const runtime = new FakeRuntime('i');
    const plan = planImport(exportJson(session), {
      newId: () => runtime.newId(),
      now: () => 1,
      folders: [],
    });
    const again = await a.sessions.createFrom(plan);
    expect(marksOf(again.state).map(({ messageId: _, ...rest }) => rest)).toEqual([
      { label: 'kept' },
      { label: 'elsewhere', archived: true },
    ]);
    const repaired = planRepair(session.state, { id: 'r', title: 'r', notice: 'gone' });
    expect(repaired.records.filter(({ type }) => type === 'mark')).toHaveLength(2);
  });
});
