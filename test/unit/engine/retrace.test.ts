import { describe, expect, test } from 'vitest';
import { ancestors } from '../../../src/core/graph';
import { RetraceError } from '../../../src/engine/errors';
import type { OpenSession } from '../../../src/engine/openSession';
import { memoryEngine, newMemory, write, type Memory, type Script } from '../../kit/memoryEngine';

const draft = (text: string) => ({ text, attachments: [] });

const scripts: Record<string, Script> = {
  one: (turn) => write(turn, 'f', '1\n'),
  two: async (turn, say) => {
    say('second');
    await write(turn, 'f', '2\n');
    return write(turn, 'f', '3\n');
  },
  three: (turn) => write(turn, 'f', '4\n'),
  'two b': (turn) => write(turn, 'f', '2b\n'),
  unsent: async () => ({
    status: 'failed',
    sent: false,
    error: { code: 'model', message: 'no key' },
  }),
  cut: async (turn) => {
    await write(turn, 'f', 'half\n');
    return { status: 'failed', sent: true, error: { code: 'model', message: 'cut' } };
  },
  slow: async (turn) => {
    await write(turn, 'f', 'slow\n');
    await new Promise<void>((resolve) => turn.signal.addEventListener('abort', () => resolve()));
    return undefined;
  },
};

async function told(...texts: string[]) {
  const memory = newMemory();
  memory.workspace.put('f0/f', '0\n');
  const engine = await memoryEngine(memory, scripts);
  const session = await engine.sessions.create();
  for (const text of texts) await engine.retrace.send(session, draft(text));
  const path = (): string[] =>
    ancestors(session.state.nodes, session.standing.head).map((node) => node.id);
  return { ...engine, memory, session, path, f: () => memory.workspace.text('f0/f') };
}

async function code(attempt: Promise<unknown>): Promise<string> {
  return attempt.then(
    () => 'no error',
    (error: unknown) => (error instanceof RetraceError ? error.code : String(error)),
  );
}

describe('sending and moving', () => {
  test('C41 edit and resend makes a sibling that starts from the files of that moment, and asks for its ancestors only', async () => {
    const { retrace, session, path, f, requests } = await told('one', 'two', 'three');
    const [u1, a1, u2] = path();
    const request = {
      verb: 'edit',
      messageId: u2 ?? '',
      scope: 'both',
      draft: draft('two b'),
    } as const;
    const { plan } = await retrace.move(session, request, 'keep');
    expect(f()).toBe('1\n');
    await retrace.continueAfter(session, plan);
    expect(f()).toBe('2b\n');
    const [, , u2b] = path();
    expect(session.state.nodes.get(u2b ?? '')?.parentId).toBe(a1);
    expect(requests.at(-1)?.history.map((node) => node.id)).toEqual([u1, a1, u2b]);
    expect(session.state.nodes.size).toBe(8);
  });

  test('C42 a failed regenerate is a sibling of its own; one that never left leaves no node and takes head and files back', async () => {
    const { retrace, session, path, f } = await told('cut');
    const [user, reply] = path();
    session.state.nodes.get(user ?? '');
    const again = await retrace.move(
      session,
      { verb: 'regenerate', messageId: reply ?? '', scope: 'both' },
      'keep',
    );
    expect(f()).toBe('0\n');
    await retrace.continueAfter(session, again.plan);
    expect(f()).toBe('half\n');
    expect(session.state.children.get(user ?? '')?.length).toBe(2);

    const other = await told('one', 'unsent');
    const [, a1, u2, failed] = other.path();
    expect(other.session.state.nodes.get(failed ?? '')).toMatchObject({ status: 'failed' });
    const retry = await other.retrace.move(
      other.session,
      { verb: 'regenerate', messageId: failed ?? '', scope: 'both' },
      'keep',
    );
    const result = await other.retrace.continueAfter(other.session, retry.plan);
    expect(result.assistantMessageId).toBeUndefined();
    expect(other.session.standing.head).toBe(failed);
    expect(other.session.state.children.get(u2 ?? '')).toEqual([failed]);
    expect(other.f()).toBe('1\n');
    expect(a1).toBeDefined();
  });

  test('C40 a fork holds exactly the history up to its point, and knows where the disk is', async () => {
    const { retrace, session, path, f, sessions } = await told('one', 'two', 'three');
    const [u1, a1, u2, a2] = path();
    const at = async (messageId: string | undefined): Promise<OpenSession> =>
      retrace.fork(session, { messageId: messageId ?? '' });
    const shown = (fork: OpenSession): string[] =>
      ancestors(fork.state.nodes, fork.standing.head).map((node) => node.id);
    const fork = await at(a2);
    expect(shown(fork)).toEqual([u1, a1, u2, a2]);
    expect(fork.standing.filesHead).toBe(session.standing.filesHead);
    expect(fork.info.title).toBe('Fork #1 one');
    const atMessage = await at(u2);
    expect(shown(atMessage)).toEqual([u1, a1]);
    expect(atMessage.draft.draft.text).toBe('two');
    expect(atMessage.info.title).toBe('Fork #2 one');
    expect((await sessions.cards()).map((card) => card.title)).toContain('Fork #2 one');
    expect(f()).toBe('4\n');
    await retrace.move(fork, { verb: 'checkout', messageId: a2 ?? '', scope: 'both' }, 'keep');
    expect(f()).toBe('3\n');
    await retrace.move(fork, { verb: 'rewind', messageId: u1 ?? '', scope: 'both' }, 'keep');
    expect(f()).toBe('0\n');
    const empty = await retrace.fork(session, { turns: 3 });
    expect(shown(empty)).toEqual([]);
    expect(await code(retrace.fork(session, { turns: 4 }))).toBe('out_of_range');
  });

  test('C68 moves wait for nobody: a running turn refuses them, and stopping first lets them through', async () => {
    const { retrace, session, f, turns } = await told('one');
    const [user] = retrace.rewindPoints(session);
    const running = retrace.send(session, draft('slow'));
    await expect.poll(() => f()).toBe('slow\n');
    const request = { verb: 'rewind', messageId: user?.messageId ?? '', scope: 'both' } as const;
    expect(await code(retrace.move(session, request, 'keep'))).toBe('run_active');
    expect(await code(retrace.send(session, draft('one')))).toBe('run_active');
    expect(f()).toBe('slow\n');
    await turns.stop(session);
    expect((await running).status).toBe('interrupted');
    const [one, two] = await Promise.all([
      retrace.plan(session, request),
      retrace.plan(session, request),
    ]);
    const moves = await Promise.all([
      retrace.apply(one.planId, new Map()),
      retrace.apply(two.planId, new Map()),
    ]);
    expect(moves[0]).toBe(moves[1]);
    expect(f()).toBe('0\n');
  });

  test('a plan is pinned: files that changed since are planned anew and nothing is written', async () => {
    const { retrace, session, memory, f } = await told('one');
    const [point] = retrace.rewindPoints(session);
    const plan = await retrace.plan(session, {
      verb: 'rewind',
      messageId: point?.messageId ?? '',
      scope: 'both',
    });
    memory.workspace.put('f0/f', 'mine\n');
    const result = await retrace.apply(plan.planId, new Map());
    expect(result.kind).toBe('replanned');
    expect(f()).toBe('mine\n');
    if (result.kind !== 'replanned') return;
    expect(result.plan.files.files[0]).toMatchObject({
      kind: 'conflict',
      choices: ['keep', 'restore'],
    });
  });
});

describe('after a restart', () => {
  test('everything is as it was, draft and undo too', async () => {
    const { retrace, session, memory, f } = await told('one', 'two');
    await retrace.move(
      session,
      {
        verb: 'rewind',
        messageId: retrace.rewindPoints(session)[0]?.messageId ?? '',
        scope: 'both',
      },
      'keep',
    );
    const again = await memoryEngine(memory, scripts, 'x');
    const reopened = await again.sessions.open(session.id);
    expect(reopened.standing).toEqual(session.standing);
    expect(reopened.draft.draft.text).toBe('two');
    expect(reopened.state.nodes.size).toBe(4);
    await again.retrace.move(reopened, { verb: 'undo', scope: 'both' }, 'keep');
    expect(f()).toBe('3\n');
    await again.retrace.move(reopened, { verb: 'redo', scope: 'both' }, 'keep');
    expect(f()).toBe('1\n');
  });

  test('C48 a reply cut off by the end of the host is kept, marked, and its files can be rewound', async () => {
    const { retrace, session, memory, f } = await told('one');
    void retrace.send(session, draft('slow'));
    await expect.poll(() => f()).toBe('slow\n');
    const again = await memoryEngine(memory, scripts, 'x');
    const reopened = await again.sessions.open(session.id);
    const head = reopened.state.nodes.get(reopened.standing.head ?? '');
    expect(head).toMatchObject({ role: 'assistant', status: 'interrupted' });
    await again.retrace.move(
      reopened,
      {
        verb: 'rewind',
        messageId: again.retrace.rewindPoints(reopened)[0]?.messageId ?? '',
        scope: 'both',
      },
      'keep',
    );
    expect(f()).toBe('1\n');
  });

  test('a move cut off at any write is finished at the next start, and somebody else’s work is left and named', async () => {
    for (const touched of [false, true]) {
      const { retrace, session, memory } = await told('one');
      memory.workspace.put('f0/g', 'g\n');
      const both: Script = async (turn) => {
        await write(turn, 'f', 'F\n');
        return write(turn, 'g', 'G\n');
      };
      scripts['both'] = both;
      await retrace.send(session, draft('both'));
      const [point] = retrace.rewindPoints(session);
      let writes = 0;
      const dead = new Promise<never>(() => undefined);
      const original = memory.workspace.write.bind(memory.workspace);
      memory.workspace.write = async (...args) => (++writes > 1 ? dead : original(...args));
      void retrace.move(
        session,
        { verb: 'rewind', messageId: point?.messageId ?? '', scope: 'both' },
        'keep',
      );
      await expect.poll(() => writes).toBe(2);
      memory.workspace.write = original;
      const left =
        ['f0/f', 'f0/g'].find((file) =>
          ['F\n', 'G\n'].includes(memory.workspace.text(file) ?? ''),
        ) ?? '';
      if (touched) memory.workspace.put(left, 'mine\n');
      const again = await memoryEngine(memory, scripts, 'x');
      const reopened = await again.sessions.open(session.id);
      const whole = { 'f0/f': '1\n', 'f0/g': 'g\n' };
      expect(memory.workspace.snapshot()).toEqual(touched ? { ...whole, [left]: 'mine\n' } : whole);
      expect(Object.keys(reopened.standing.apart)).toEqual(touched ? [left] : []);
      expect(again.told).toEqual([`finished ${touched ? left.slice(3) : ''}`]);
      expect(reopened.draft.draft.text).toBe('both');
    }
  });
});

test('a write of the bytes that are there already writes nothing and is no change', async () => {
  const { retrace, session, memory } = await told('one');
  let writes = 0;
  const put = memory.workspace.write.bind(memory.workspace);
  memory.workspace.write = (...args) => {
    writes += 1;
    return put(...args);
  };
  const { assistantMessageId } = await retrace.send(session, draft('one'));
  expect(writes).toBe(0);
  const reply = session.state.nodes.get(assistantMessageId ?? '');
  expect(reply).toMatchObject({ status: 'done', changes: [] });
});

test('C35 a command that changed the disk under unsaved text makes the file a conflict, wherever the lines are', async () => {
  const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
  const lines = (first: string, last: string): string => `${first}\n2\n3\n4\n5\n6\n${last}\n`;
  const memory = newMemory();
  memory.workspace.put('f0/f', lines('1', '7'));
  const { retrace, sessions } = await memoryEngine(memory, {
    command: async (turn) => {
      await write(turn, 'f', lines('ONE', '7'));
      memory.workspace.unsaved.set('f0/f', encode(lines('1', 'mine')));
      return undefined;
    },
  });
  const session = await sessions.create();
  const { userMessageId } = await retrace.send(session, draft('command'));
  const request = { verb: 'rewind', messageId: userMessageId, scope: 'both' } as const;
  const plan = await retrace.plan(session, request);
  expect(plan.files.files).toMatchObject([{ kind: 'conflict', choices: ['keep', 'restore'] }]);
  await retrace.move(session, request, 'restore');
  expect(memory.workspace.unsaved.size).toBe(0);
  expect(memory.workspace.text('f0/f')).toBe(lines('1', '7'));
  await retrace.move(session, { verb: 'undo', scope: 'both' }, 'keep');
  expect(memory.workspace.text('f0/f')).toBe(lines('1', 'mine'));
});

describe('an editor whose unsaved content cannot be read', () => {
  async function unsaved() {
    const one = await told('one');
    const { workspace } = one.memory;
    workspace.unsaved.set('f0/f', new TextEncoder().encode('cells\n'));
    workspace.unreadable.add('f0/f');
    const [point] = one.retrace.rewindPoints(one.session);
    const request = { verb: 'rewind', messageId: point?.messageId ?? '', scope: 'both' } as const;
    return { ...one, workspace, request };
  }

  test('is a conflict, and kept by default', async () => {
    const { retrace, session, workspace, request } = await unsaved();
    const plan = await retrace.plan(session, request);
    expect(plan.files.files).toMatchObject([
      { kind: 'conflict', choices: ['keep', 'restore'], problem: { why: 'unsaved' } },
    ]);
    const { move } = await retrace.move(session, request, 'keep');
    expect(move.results).toMatchObject([{ outcome: 'kept' }]);
    expect(workspace.text('f0/f')).toBe('cells\n');
    expect(workspace.unreadable.has('f0/f')).toBe(true);
  });

  test('is saved before the checkpoint takes its place, and comes back by Undo', async () => {
    const { retrace, session, workspace, request } = await unsaved();
    const { move } = await retrace.move(session, request, 'restore');
    expect(move.results).toMatchObject([{ outcome: 'restored' }]);
    expect(workspace.text('f0/f')).toBe('0\n');
    await retrace.move(session, { verb: 'undo', scope: 'both' }, 'keep');
    expect(workspace.text('f0/f')).toBe('cells\n');
  });
});

describe('a write whose copies fail', () => {
  const made = 'made by the agent\n';
  const make: Script = (turn) => write(turn, 'made', made);
  /** Waits for nothing once it is stopped, as the agent does. */
  const leaving: Script = (turn) =>
    Promise.race([
      make(turn, () => undefined),
      new Promise<undefined>((resolve) => {
        turn.signal.addEventListener('abort', () => resolve(undefined));
      }),
    ]);

  test('does not begin when what it is to write cannot be kept', async () => {
    const memory = newMemory();
    const { retrace, sessions } = await memoryEngine(memory, { make });
    const session = await sessions.create();
    memory.blobs.put = () => Promise.reject(new RetraceError('storage', 'The disk is full.'));
    expect(await retrace.send(session, draft('make'))).toMatchObject({ status: 'failed' });
    expect(memory.workspace.snapshot()).toEqual({});
  });

  test('belongs to the turn all the same when what it left cannot be kept', async () => {
    const memory = newMemory();
    const { retrace, sessions } = await memoryEngine(memory, { make });
    const session = await sessions.create();
    const { put } = memory.blobs;
    const save = memory.workspace.write.bind(memory.workspace);
    memory.workspace.write = (file, _, options) => {
      memory.blobs.put = () => Promise.reject(new RetraceError('storage', 'The disk is full.'));
      return save(file, new TextEncoder().encode(`formatted: ${made}`), options);
    };
    expect(await retrace.send(session, draft('make'))).toMatchObject({ status: 'failed' });
    memory.blobs.put = put;
    expect(memory.workspace.text('f0/made')).toBe(`formatted: ${made}`);
    const [point] = retrace.rewindPoints(session);
    await retrace.move(
      session,
      { verb: 'rewind', messageId: point?.messageId ?? '', scope: 'both' },
      'keep',
    );
    expect(memory.workspace.snapshot()).toEqual({});
  });

  /** Breaks the next write of the agent: the bytes land, and the file system does not answer for a while. */
  const writesUnheard = (memory: Memory, reads: number): void => {
    const { read, write: put } = memory.workspace;
    memory.workspace.write = async (...args) => {
      await put.apply(memory.workspace, args);
      memory.workspace.write = put;
      let left = reads;
      memory.workspace.read = (...file) => {
        left -= 1;
        if (left < 0) return read.apply(memory.workspace, file);
        return Promise.reject(new Error('It does not answer.'));
      };
      throw new Error('It does not answer.');
    };
  };

  test('belongs to the turn all the same when reading it back failed at first', async () => {
    const memory = newMemory();
    const { retrace, sessions } = await memoryEngine(memory, { make });
    const session = await sessions.create();
    writesUnheard(memory, 1);
    expect(await retrace.send(session, draft('make'))).toMatchObject({ status: 'failed' });
    expect(memory.workspace.text('f0/made')).toBe(made);
    const [point] = retrace.rewindPoints(session);
    await retrace.move(
      session,
      { verb: 'rewind', messageId: point?.messageId ?? '', scope: 'both' },
      'keep',
    );
    expect(memory.workspace.snapshot()).toEqual({});
  });

  test('is named as not covered when what it left cannot be read at all', async () => {
    const memory = newMemory();
    const { retrace, sessions } = await memoryEngine(memory, { make });
    const session = await sessions.create();
    writesUnheard(memory, Number.POSITIVE_INFINITY);
    const { assistantMessageId } = await retrace.send(session, draft('make'));
    const reply = session.state.nodes.get(assistantMessageId ?? '');
    if (reply?.role !== 'assistant') throw new Error('There is no reply.');
    expect(reply.changes).toMatchObject([
      { type: 'change', before: { kind: 'absent' }, after: { kind: 'uncovered' } },
    ]);
  });

  test('that has not begun when the turn is stopped never begins, however late its copy is kept', async () => {
    const memory = newMemory();
    const { retrace, sessions } = await memoryEngine(memory, { make: leaving });
    const session = await sessions.create();
    memory.workspace.put('f0/made', 'mine\n');
    const put = memory.blobs.put.bind(memory.blobs);
    const held: (() => void)[] = [];
    memory.blobs.put = async (...args) => {
      await new Promise<void>((resolve) => held.push(resolve));
      return put(...args);
    };
    const sent = retrace.send(session, draft('make'));
    await expect.poll(() => held.length).toBe(2);
    await retrace.stop(session);
    for (const release of held) release();
    const { assistantMessageId } = await sent;
    const reply = session.state.nodes.get(assistantMessageId ?? '');
    if (reply?.role !== 'assistant') throw new Error('There is no reply.');
    expect(reply.changes).toEqual([]);
    expect(memory.workspace.text('f0/made')).toBe('mine\n');
  });

  test('that does not end when the turn is stopped is named as not covered, and holds nothing up', async () => {
    const memory = newMemory();
    const { retrace, sessions } = await memoryEngine(memory, { make: leaving });
    const session = await sessions.create();
    let writing = false;
    memory.workspace.write = () => {
      writing = true;
      return new Promise(() => undefined);
    };
    const sent = retrace.send(session, draft('make'));
    await expect.poll(() => writing).toBe(true);
    await retrace.stop(session);
    const { assistantMessageId } = await sent;
    const reply = session.state.nodes.get(assistantMessageId ?? '');
    if (reply?.role !== 'assistant') throw new Error('There is no reply.');
    expect(reply.changes).toMatchObject([{ type: 'change', after: { kind: 'uncovered' } }]);
  });
});
