import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changesOf } from '../../../src/core/node';
import type { OpenSession } from '../../../src/engine/openSession';
import { exportJson, exportMarkdown } from '../../../src/engine/exportSession';
import { planImport } from '../../../src/engine/import/importSession';
import { parseRecord } from '../../../src/engine/store/schemas';
import { nodes as anyNodes } from '../../kit/arbitraries';
import { memoryEngine, newMemory, write, type Script } from '../../kit/memoryEngine';

const scripts: Record<string, Script> = {
  one: async (turn, say) => {
    say('done *one*');
    return write(turn, 'f', 'one\n');
  },
  two: async (turn) => write(turn, 'g', 'two\n'),
};
const draft = (text: string) => ({ text, attachments: [] });

async function told() {
  const memory = newMemory();
  memory.workspace.put('f0/f', 'zero\n');
  const engine = await memoryEngine(memory, scripts);
  const session = await engine.sessions.create('A title');
  const one = await engine.retrace.send(session, draft('one'));
  await engine.retrace.move(
    session,
    { verb: 'rewind', messageId: one.userMessageId, scope: 'both' },
    'keep',
  );
  await engine.retrace.send(session, draft('two'));
  return { memory, session, ...engine };
}

let made = 0;
const ports = {
  newId: () => `new${++made}`,
  now: () => 5,
  folders: [{ id: 'f0', uri: 'file:///w', name: 'w' }],
};
const shape = (session: OpenSession): string[] =>
  [...session.state.nodes.values()].map(
    (node) => `${node.role}${node.role === 'user' ? ` ${node.text}` : ''}`,
  );

describe('a session is archived and deleted', () => {
  it('archived, it is off the list and can be put back', async () => {
    const { sessions, session } = await told();
    await sessions.archive(session, true);
    expect(await sessions.cards()).toEqual([]);
    expect((await sessions.cards(true)).map(({ archived }) => archived)).toEqual([true]);
    await sessions.archive(session, false);
    expect(await sessions.cards()).toHaveLength(1);
  });

  it('deleted, it is gone, and comes back with everything it held', async () => {
    const { sessions, session } = await told();
    const held: unknown = JSON.parse(exportJson(session));
    await sessions.delete(session);
    expect(await sessions.cards(true)).toEqual([]);
    await expect(sessions.open(session.id)).rejects.toMatchObject({ code: 'not_found' });
    expect((await sessions.deleted()).map(({ id }) => id)).toEqual([session.id]);
    await sessions.undelete(session.id);
    expect(JSON.parse(exportJson(await sessions.open(session.id)))).toEqual(held);
    await expect(sessions.undelete(session.id)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('an exported session', () => {
  it('is the shown branch as Markdown', async () => {
    const { session } = await told();
    const text = exportMarkdown(session);
    expect(text).toMatch(/^# A title\n\n## You · .*\n\ntwo\n\n## m · .*\n\n.*`g`\n$/su);
    expect(text).not.toContain('one');
  });

  it('comes back whole, under new ids, as history that no move writes from', async () => {
    const { session, sessions, retrace, memory } = await told();
    const plan = planImport(exportJson(session), ports);
    const again = await sessions.createFrom(plan);
    expect(shape(again)).toEqual(['user one', 'user two', 'assistant', 'assistant']);
    expect(again.info).toMatchObject({ title: 'A title', archived: false });
    for (const id of session.state.nodes.keys()) expect(again.state.nodes.has(id)).toBe(false);
    const before = memory.workspace.snapshot();
    const first = [...again.state.nodes.values()].find((node) => node.role === 'user');
    expect(first).toBeDefined();
    for (const node of again.state.nodes.values()) {
      if (node.role !== 'assistant') continue;
      await retrace.move(again, { verb: 'checkout', messageId: node.id, scope: 'both' }, 'restore');
      expect(memory.workspace.snapshot()).toEqual(before);
    }
  });
});

describe('a file that is imported', () => {
  const good = (nodes: unknown[]): string =>
    JSON.stringify({
      format: 'retrace-session',
      version: 1,
      session: { title: 't', createdAt: 1 },
      standing: { head: null },
      nodes,
    });
  const user = (id: string, parentId: string | null) => ({
    ...{ id, parentId, filesFrom: null, createdAt: 1, order: 0 },
    ...{ role: 'user', text: id, attachments: [{ uri: 'file:///etc/passwd' }] },
  });

  it('names no file, no place outside and no time that cannot be, whatever it says', () => {
    fc.assert(
      fc.property(fc.array(anyNodes, { maxLength: 8 }), (nodes) => {
        const chain = nodes.map((node, index) => ({
          ...node,
          id: `n${index}`,
          parentId: index === 0 ? null : `n${index - 1}`,
        }));
        const shown = chain.every(({ role }) => role !== 'files');
        if (!shown) return;
        const { records } = planImport(good(chain), ports);
        for (const record of records) {
          expect(parseRecord(JSON.parse(JSON.stringify(record)))).toEqual(record);
          if (record.type !== 'node') continue;
          for (const link of changesOf(record.node)) {
            if (link.type !== 'change') throw new Error(link.type);
            expect([link.before.kind, link.after.kind]).toEqual(['uncovered', 'uncovered']);
            expect(link.file).toMatch(/^f\d+\//u);
          }
          expect(new Date(record.node.createdAt).getTime()).not.toBeNaN();
        }
      }),
    );
    const endless = good([user('a', null)]).replaceAll('"createdAt":1', '"createdAt":1e999');
    const plan = planImport(endless, ports);
    expect(JSON.stringify(plan)).not.toContain('passwd');
    expect(plan.info.createdAt).toBe(ports.now());
  });

  it.each([
    ['', /not JSON/u],
    ['{\n"format": oops', /not JSON/u],
    ['[]', /no session/u],
    [good([{ id: 'x' }]), /line 1/u],
    [good([5]), /Message 1/u],
    [good([user('a', 'b'), user('b', 'a')]), /does not belong/u],
    [good([user('a', null), user('a', null)]), /does not belong/u],
    [good([user('a', 'gone')]), /does not belong/u],
  ])('is refused when it is not sound: %s', (text, why) => {
    expect(() => planImport(text, ports)).toThrow(why);
  });
});
