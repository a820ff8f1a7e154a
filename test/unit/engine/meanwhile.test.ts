import { describe, expect, test } from 'vitest';
import { ancestors } from '../../../src/core/graph';
import type { MoveRequest } from '../../../src/engine/movePlan';
import type { OpenSession } from '../../../src/engine/openSession';
import { memoryEngine, newMemory, write, type Script } from '../../kit/memoryEngine';

const draft = (text: string) => ({ text, attachments: [] });

const scripts: Record<string, Script> = {
  one: (turn) => write(turn, 'f', '1\n'),
  two: (turn) => write(turn, 'f', '2\n'),
  'two g': (turn) => write(turn, 'g', '2\n'),
  slow: async (turn) => {
    await write(turn, 'f', 'slow\n');
    await new Promise<void>((resolve) => turn.signal.addEventListener('abort', () => resolve()));
    return undefined;
  },
};

async function told(...texts: string[]) {
  const memory = newMemory();
  memory.workspace.put('f0/f', '0\n');
  memory.workspace.put('f0/g', '0\n');
  const engine = await memoryEngine(memory, scripts);
  const session = await engine.sessions.create();
  for (const text of texts) await engine.retrace.send(session, draft(text));
  return {
    ...engine,
    memory,
    session,
    text: (file: string) => memory.workspace.text(`f0/${file}`),
  };
}

const shown = ({ state, standing }: OpenSession): string[] =>
  ancestors(state.nodes, standing.head).map((node) => node.id);

describe('what happens between a question and its answer', () => {
  test('a turn that ran while the sheet was open makes the plan stale, also where its bytes still fit', async () => {
    const { retrace, session, text } = await told('one');
    const request: MoveRequest = {
      verb: 'rewind',
      messageId: shown(session)[0] ?? '',
      scope: 'both',
    };
    const plan = await retrace.plan(session, request);
    await retrace.send(session, draft('two g'));
    const late = await retrace.apply(plan.planId, new Map());
    expect(late.kind).toBe('replanned');
    expect([text('f'), text('g')]).toEqual(['1\n', '2\n']);
    if (late.kind !== 'replanned') return;
    expect(late.plan.turnsReverted).toBe(2);
    await retrace.apply(late.plan.planId, new Map());
    expect([text('f'), text('g')]).toEqual(['0\n', '0\n']);
    expect(session.standing.apart).toEqual({});
  });

  test('a move that happened while the sheet was open makes the plan stale, chat only too', async () => {
    const { retrace, session } = await told('one', 'two');
    const [first = '', , second = ''] = shown(session);
    const rewind = (messageId: string): MoveRequest => ({
      verb: 'rewind',
      messageId,
      scope: 'chat',
    });
    const plan = await retrace.plan(session, rewind(first));
    await retrace.move(session, rewind(second), 'keep');
    const late = await retrace.apply(plan.planId, new Map());
    expect(late).toMatchObject({ kind: 'replanned', plan: { turnsReverted: 1 } });
  });

  test('two sessions that go back at once each get their own answer', async () => {
    const { retrace, session, sessions, text } = await told('one');
    const other = await sessions.create();
    await retrace.send(other, draft('two g'));
    const back = (one: OpenSession) =>
      retrace.move(one, { verb: 'rewind', messageId: shown(one)[0] ?? '', scope: 'both' }, 'keep');
    const [one, two] = await Promise.all([back(session), back(other)]);
    expect(one.move.results?.map(({ file }) => file)).toEqual(['f0/f']);
    expect(two.move.results?.map(({ file }) => file)).toEqual(['f0/g']);
    expect([text('f'), text('g')]).toEqual(['0\n', '0\n']);
  });
});

describe('a fork made while its source runs', () => {
  test('begins where the running turn began, its text ready to be sent, and the source runs on', async () => {
    const { retrace, session, turns, text, requests } = await told('one');
    const before = shown(session);
    const running = retrace.send(session, draft('slow'));
    await expect.poll(() => text('f')).toBe('slow\n');
    const [user] = retrace.rewindPoints(session);
    const forks = [
      await retrace.fork(session, {}),
      await retrace.fork(session, { messageId: session.running?.nodeId ?? '' }),
      await retrace.fork(session, { messageId: user?.messageId ?? '' }),
    ];
    for (const fork of forks) {
      expect(shown(fork)).toEqual(before);
      expect(fork.draft.draft.text).toBe('slow');
      expect(
        [...fork.state.nodes.values()].some(
          (node) => node.role === 'assistant' && node.status === 'running',
        ),
      ).toBe(false);
    }
    const [fork] = forks;
    if (fork === undefined) throw new Error('there is no fork');
    expect((await retrace.send(fork, draft('two g'))).status).toBe('done');
    expect(
      requests
        .at(-1)
        ?.history.map(({ id }) => id)
        .slice(0, 2),
    ).toEqual(before);
    expect(session.running).toBeDefined();
    await turns.stop(session);
    expect((await running).status).toBe('interrupted');
  });
});

test('what was done last is said again after a restart, and can be undone', async () => {
  const { retrace, session, memory, sessions } = await told('one');
  const messageId = shown(session)[0] ?? '';
  const { move } = await retrace.move(
    session,
    { verb: 'rewind', messageId, scope: 'both' },
    'keep',
  );
  await sessions.flush();
  const again = await memoryEngine(memory, scripts, 'x');
  const opened = await again.sessions.open(session.id);
  expect(opened.lines).toEqual([{ kind: 'move', id: move.id, moveId: move.id }]);
  await again.retrace.move(opened, { verb: 'undo', scope: 'both' }, 'keep');
  expect(memory.workspace.text('f0/f')).toBe('1\n');
});

describe('a draft that was typed', () => {
  test('stays aside however many messages are given back after it, and goes when it is there again', async () => {
    const { retrace, session } = await told('one', 'two');
    const [first = '', , second = ''] = shown(session);
    const back = (messageId: string) =>
      retrace.move(session, { verb: 'rewind', messageId, scope: 'both' }, 'keep');
    await session.typeDraft(draft('typed'));
    await back(second);
    expect(session.draft).toMatchObject({ draft: draft('two'), aside: draft('typed') });
    await back(first);
    expect(session.draft).toMatchObject({ draft: draft('one'), aside: draft('typed') });
    const { draftVersion } = session;
    await session.takeBackDraft();
    expect(session.draftVersion).toBe(draftVersion + 1);
    expect(session.draft.draft).toEqual(draft('typed'));
    expect(session.draft).not.toHaveProperty('aside');
  });

  test('undo gives it back and has nothing left to offer; a text changed since is offered', async () => {
    const { retrace, session } = await told('one');
    const [first = ''] = shown(session);
    await session.typeDraft(draft('typed'));
    await retrace.move(session, { verb: 'rewind', messageId: first, scope: 'both' }, 'keep');
    await session.typeDraft(draft('one, changed'));
    await retrace.move(session, { verb: 'undo', scope: 'both' }, 'keep');
    expect(session.draft).toMatchObject({ draft: draft('typed'), aside: draft('one, changed') });
  });
});
