import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Blobs } from '../../../src/engine/blobs';
import { hashesOf, type Link } from '../../../src/core/changes';
import { changesOf } from '../../../src/core/node';
import type { OpenSession } from '../../../src/engine/openSession';
import { Storage } from '../../../src/engine/storage';
import type { SessionStore } from '../../../src/engine/store/sessionStore';
import { MemoryFileSystem } from '../../fakes/memoryFileSystem';
import { FakeLog, FakeRuntime } from '../../fakes/runtime';
import { memoryEngine, write, type Script } from '../../kit/memoryEngine';
import { MemoryWorkspace } from '../../kit/memoryWorkspace';

const root = 'memory:/store';
const day = 24 * 60 * 60 * 1000;
const draft = (text: string) => ({ text, attachments: [] });
/** Text that compressing does not help much. */
const noise = (seed: string): string =>
  Array.from({ length: 32 }, (_, at) =>
    createHash('sha256').update(`${seed} ${at}`).digest('hex'),
  ).join('');

/** Hours pass with every window of this clock. */
class Clock extends FakeRuntime {
  static ahead = 0;

  override now(): number {
    return Date.now() + Clock.ahead;
  }
}

interface World {
  readonly disk: MemoryFileSystem;
  readonly workspace: MemoryWorkspace;
}

const newWorld = (): World => ({ disk: new MemoryFileSystem(), workspace: new MemoryWorkspace() });

/** A window over the disk and workspace of a world, with a budget. */
async function openWindow(
  { disk, workspace }: World,
  name: string,
  scripts: Record<string, Script>,
  budget = { bytes: 1e9 },
) {
  const runtime = new Clock(name);
  const own = new MemoryFileSystem(disk);
  const log = new FakeLog();
  const blobs = new Blobs(root, { files: own, runtime, log });
  const made: { storage?: Storage } = {};
  const room = (store: SessionStore): Storage =>
    (made.storage ??= new Storage({
      ...{ store, blobs, runtime, log, staleAfter: 3_600 },
      budget: () => budget.bytes,
      figure: (used, most) => `${used} of ${most}`,
    }));
  const parts = { disk: own, workspace, blobs, root, runtime, room };
  const engine = await memoryEngine(parts, scripts, name);
  const storage = room(engine.store);
  return { ...engine, blobs, storage, files: own, budget, log };
}

/** Scripts `w FILE TEXT` by their own text. */
function writes(...texts: readonly string[]): Record<string, Script> {
  return Object.fromEntries(
    texts.map((text): [string, Script] => {
      const [, file = '', seed = ''] = text.split(' ');
      return [text, (turn) => write(turn, file, noise(seed))];
    }),
  );
}

function hashesIn(session: OpenSession): string[] {
  const links: Link[] = [...session.state.nodes.values()].flatMap((node) => [...changesOf(node)]);
  for (const step of session.state.steps) if (step.type === 'move') links.push(...step.move.links);
  return links.flatMap((link) => hashesOf(link));
}

/** Makes everything stored so far old. */
function later(ms = day): void {
  Clock.ahead += ms;
}

async function cleanUp(storage: Storage, ...ids: readonly string[]) {
  const givenUp = new Set(ids);
  return storage.clean((await storage.survey()).clean(givenUp), givenUp);
}

describe('the storage', () => {
  it('is cleaned of what nothing needs, and of nothing else', async () => {
    const world = newWorld();
    const one = await openWindow(world, 'w', writes('w f a', 'w f b', 'w g c'));
    const kept = await one.sessions.create('kept');
    const gone = await one.sessions.create('gone');
    await one.retrace.send(kept, draft('w f a'));
    await one.retrace.send(gone, draft('w g c'));
    await one.blobs.put(new TextEncoder().encode(noise('nobody')));
    // What is new may be about to be referred to.
    expect((await cleanUp(one.storage)).freedCopies).toBe(0);
    later();
    expect((await cleanUp(one.storage)).freedCopies).toBe(1);
    await one.sessions.delete(gone);
    expect((await cleanUp(one.storage)).freedCopies).toBe(0);
    await one.sessions.undelete(gone.id);
    await one.sessions.delete(await one.sessions.open(gone.id));
    later(8 * day);
    const survey = await one.storage.survey();
    expect(survey.bytes).toBe(await one.blobs.usage.known());
    await one.storage.purgeDeleted();
    expect((await one.storage.survey()).sessions.map(({ title }) => title)).toEqual(['kept']);
    expect(new Set(await one.blobs.list())).toEqual(new Set(hashesIn(kept)));
    expect(await one.blobs.usage.known()).toBe((await one.storage.survey()).bytes);
  });

  it('says which files and branches are lost before a session is given up, and loses just those', async () => {
    const world = newWorld();
    world.workspace.put('f0/f', 'start');
    const one = await openWindow(world, 'w', writes('w f a', 'w f b', 'w g shared'));
    const hog = await one.sessions.create('hog');
    const other = await one.sessions.create('other');
    const first = await one.retrace.send(hog, draft('w f a'));
    await one.retrace.send(hog, draft('w g shared'));
    await one.retrace.move(
      hog,
      { verb: 'rewind', messageId: first.userMessageId, scope: 'both' },
      'keep',
    );
    await one.retrace.send(hog, draft('w f b'));
    await one.retrace.send(other, draft('w g shared'));
    later();
    const survey = await one.storage.survey();
    const { losses } = survey.clean(new Set([hog.id]));
    expect(losses).toMatchObject([{ title: 'hog', deleted: false, files: ['f0/f'], branches: 2 }]);
    await cleanUp(one.storage, hog.id);
    for (const hash of hashesIn(other)) expect(await one.blobs.get(hash)).toBeDefined();
    const plan = await one.retrace.plan(hog, {
      verb: 'checkout',
      messageId: first.assistantMessageId ?? '',
      scope: 'both',
    });
    expect(plan.files.files.map(({ file, problem }) => [file, problem?.why])).toEqual([
      ['f0/f', 'blob missing'],
    ]);
    // What the agent writes from now on can be taken back again.
    const again = await one.retrace.send(hog, draft('w f a'));
    const back = await one.retrace.move(
      hog,
      { verb: 'rewind', messageId: again.userMessageId, scope: 'both' },
      'keep',
    );
    expect(back.move.results).toMatchObject([{ file: 'f0/f', outcome: 'restored' }]);
    expect(world.workspace.text('f0/f')).toBe(noise('b'));
  });

  it('keeps what another window wrote and does not refer to yet', async () => {
    const world = newWorld();
    let go: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => (go = resolve));
    let written: () => void = () => undefined;
    const reached = new Promise<void>((resolve) => (written = resolve));
    const slow: Record<string, Script> = {
      slow: async (turn) => {
        await write(turn, 'f', noise('old'));
        written();
        await waiting;
        return undefined;
      },
    };
    const a = await openWindow(world, 'a', {});
    const b = await openWindow(world, 'b', slow);
    // The very bytes lie there as an old copy that nobody needs.
    await a.blobs.put(new TextEncoder().encode(noise('old')));
    later();
    const cleaning = (await a.storage.survey()).clean(new Set());
    expect(cleaning.copies).toHaveLength(1);
    const session = await b.sessions.create();
    const turn = b.retrace.send(session, draft('slow'));
    await reached;
    await expect(a.storage.clean(cleaning, new Set())).rejects.toMatchObject({
      code: 'run_active',
    });
    go();
    await turn;
    expect((await a.storage.clean(cleaning, new Set())).freedCopies).toBe(0);
    for (const hash of hashesIn(session)) expect(await b.blobs.get(hash)).toBeDefined();
  });

  it('keeps what a turn of the same window wrote and does not refer to yet', async () => {
    const world = newWorld();
    let freed = -1;
    const one = await openWindow(world, 'w', {
      clean: async (turn) => {
        await write(turn, 'f', noise('old'));
        freed = (await cleanUp(one.storage)).freedCopies;
        return undefined;
      },
    });
    await one.blobs.put(new TextEncoder().encode(noise('old')));
    await one.blobs.put(new TextEncoder().encode(noise('older')));
    later();
    const session = await one.sessions.create();
    await one.retrace.send(session, draft('clean'));
    expect(freed).toBe(1);
    for (const hash of hashesIn(session)) expect(await one.blobs.get(hash)).toBeDefined();
  });

  it('cleaned by another window, no window relies on what it knew before', async () => {
    const world = newWorld();
    const a = await openWindow(world, 'a', {});
    const b = await openWindow(world, 'b', writes('w f lost', 'w f x'));
    const session = await b.sessions.create();
    await b.blobs.put(new TextEncoder().encode(noise('lost')));
    await b.retrace.send(session, draft('w f x'));
    later();
    expect((await cleanUp(a.storage)).freedCopies).toBe(1);
    const { generation } = b.blobs;
    await b.retrace.send(session, draft('w f lost'));
    expect(b.blobs.generation).toBeGreaterThan(generation);
    for (const hash of hashesIn(session)) expect(await b.blobs.get(hash)).toBeDefined();
  });

  it('is not cleaned beside a session that cannot be read whole', async () => {
    const world = newWorld();
    const one = await openWindow(world, 'w', writes('w f a'));
    const session = await one.sessions.create('torn');
    await one.retrace.send(session, draft('w f a'));
    await one.blobs.put(new TextEncoder().encode(noise('nobody')));
    later();
    const record = [...world.disk.files.keys()].filter((path) => path.includes('/records/')).at(-1);
    world.disk.damage(`memory:${record ?? ''}`, (bytes) => bytes.subarray(0, 20));
    const two = await openWindow(world, 'x', {});
    const survey = await two.storage.survey();
    expect(survey.damaged.map(({ title }) => title)).toEqual(['torn']);
    expect(survey.clean(new Set()).copies).toEqual([]);
  });
});

describe('a full storage', () => {
  const small = (bytes: number) => ({ bytes });

  it('drops what nobody needs before it asks', async () => {
    const world = newWorld();
    const one = await openWindow(world, 'w', writes('w f a'), small(4_000));
    for (const each of ['n1', 'n2', 'n3', 'n4', 'n5', 'n6', 'n7', 'n8', 'n9'])
      await one.blobs.put(new TextEncoder().encode(noise(each)));
    await one.blobs.usage.known();
    later();
    const session = await one.sessions.create();
    expect(await one.retrace.send(session, draft('w f a'))).toMatchObject({ status: 'done' });
    expect(new Set(await one.blobs.list())).toEqual(new Set(hashesIn(session)));
  });

  it.each(['once', 'deny', 'raise'] as const)(
    'asks once a turn, and does as it is told: %s',
    async (answer) => {
      const world = newWorld();
      world.workspace.put('f0/f', noise('first'));
      world.workspace.put('f0/g', noise('second'));
      const refused: string[] = [];
      const one = await openWindow(
        world,
        'w',
        {
          both: async (turn) => {
            for (const file of ['f', 'g'])
              await write(turn, file, 'new').catch((error: unknown) => refused.push(String(error)));
            return undefined;
          },
        },
        small(10),
      );
      await one.blobs.usage.known();
      let asked = 0;
      one.approvals.changed.on(() => {
        const [question] = one.approvals.pending();
        if (question === undefined) return;
        asked += 1;
        expect(question.kind).toBe('storage');
        expect(question.detail).toMatch(/^\d+ of 10$/u);
        // Nothing is changed until there is an answer.
        expect(world.workspace.text('f0/f')).toBe(noise('first'));
        if (answer === 'raise') {
          one.budget.bytes = 1e6;
          one.storage.changed.fire(undefined);
        } else void one.approvals.answer(question.approvalId, answer);
      });
      const session = await one.sessions.create();
      const sent = await one.retrace.send(session, draft('both'));
      expect(asked).toBe(1);
      expect(sent.status).toBe('done');
      const changes = [...session.state.nodes.values()].flatMap((node) => [...changesOf(node)]);
      const texts = ['f0/f', 'f0/g'].map((file) => world.workspace.text(file));
      if (answer === 'deny') {
        expect(refused).toHaveLength(2);
        expect(texts).toEqual([noise('first'), noise('second')]);
        expect(changes).toEqual([]);
        return;
      }
      expect(texts).toEqual(['new', 'new']);
      const gone = { kind: 'uncovered', reason: 'storage full', size: 2_048 };
      expect(changes).toMatchObject(
        ['f0/f', 'f0/g'].map((file) => ({
          file,
          before: answer === 'once' ? gone : { kind: 'file' },
        })),
      );
      const { move } = await one.retrace.move(
        session,
        { verb: 'rewind', messageId: sent.userMessageId, scope: 'both' },
        'keep',
      );
      expect(move.results?.map(({ outcome, reason }) => [outcome, reason])).toEqual(
        answer === 'once'
          ? [
              ['uncovered', 'storage full'],
              ['uncovered', 'storage full'],
            ]
          : [
              ['restored', undefined],
              ['restored', undefined],
            ],
      );
    },
  );

  it('asks anew, with the new figure, where what was done was not enough', async () => {
    const world = newWorld();
    world.workspace.put('f0/f', noise('first'));
    const scripts: Record<string, Script> = { one: (turn) => write(turn, 'f', 'new') };
    const one = await openWindow(world, 'w', scripts, small(10));
    await one.blobs.usage.known();
    const asked: string[] = [];
    one.approvals.changed.on(() => {
      const [question] = one.approvals.pending();
      if (question === undefined) return;
      asked.push(question.detail.replace(/^\d+ /u, ''));
      one.budget.bytes = asked.length === 1 ? 20 : 1e6;
      one.storage.changed.fire(undefined);
    });
    const session = await one.sessions.create();
    const sent = await one.retrace.send(session, draft('one'));
    expect(sent.status).toBe('done');
    expect(asked).toEqual(['of 10', 'of 20']);
    expect(world.workspace.text('f0/f')).toBe('new');
  });

  it('on a full disk the turn stops before it changes the file it could not cover', async () => {
    const world = newWorld();
    for (const file of ['f', 'g', 'h']) world.workspace.put(`f0/${file}`, noise(file));
    const one = await openWindow(world, 'w', {
      all: async (turn) => {
        for (const file of ['f', 'g', 'h']) {
          if (file === 'g')
            one.files.fault = (_, call, uri) =>
              call === 'write' && uri.includes('/blobs/')
                ? { code: 'no space', torn: true }
                : undefined;
          if (turn.signal.aborted) break;
          await write(turn, file, `new ${file}`).catch(() => undefined);
        }
        return undefined;
      },
    });
    const session = await one.sessions.create();
    const sent = await one.retrace.send(session, draft('all'));
    expect(sent).toMatchObject({ status: 'failed', error: { code: 'storage' } });
    expect(sent.error?.message).toMatch(/full/u);
    expect(['f', 'g', 'h'].map((file) => world.workspace.text(`f0/${file}`))).toEqual([
      'new f',
      noise('g'),
      noise('h'),
    ]);
    one.files.fault = () => undefined;
    await one.retrace.move(
      session,
      { verb: 'rewind', messageId: sent.userMessageId, scope: 'both' },
      'keep',
    );
    expect(world.workspace.text('f0/f')).toBe(noise('f'));
  });
});

describe('after any clean-up', () => {
  it('every move of a kept session plans the same, or the loss was named', async () => {
    const files = ['f', 'g', 'h'];
    const step = fc.record({
      session: fc.nat(2),
      file: fc.constantFrom(...files),
      seed: fc.constantFrom('a', 'b', 'c', 'd'),
      then: fc.constantFrom('stay', 'rewind', 'fork', 'delete'),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 10 }),
        fc.array(fc.nat(5), { maxLength: 2 }),
        async (steps, give) => {
          const world = newWorld();
          const scripts = writes(
            ...files.flatMap((file) => ['a', 'b', 'c', 'd'].map((seed) => `w ${file} ${seed}`)),
          );
          const one = await openWindow(world, 'w', scripts);
          const sessions: OpenSession[] = [];
          for (let n = 0; n < 3; n += 1) sessions.push(await one.sessions.create(`s${n}`));
          for (const { session: at, file, seed, then } of steps) {
            const session = sessions[at];
            if (session === undefined) continue;
            const sent = await one.retrace.send(session, draft(`w ${file} ${seed}`));
            const request = {
              verb: 'rewind',
              messageId: sent.userMessageId,
              scope: 'both',
            } as const;
            if (then === 'rewind') await one.retrace.move(session, request, 'restore');
            if (then === 'fork') sessions.push(await one.retrace.fork(session, {}));
            if (then === 'delete') {
              await one.sessions.delete(session);
              sessions[at] = await one.sessions.create();
            }
          }
          later();
          const plans = async (): Promise<Map<string, string>> => {
            const found = new Map<string, string>();
            for (const session of sessions) {
              for (const { id, role } of session.state.nodes.values()) {
                if (role !== 'assistant') continue;
                const plan = await one.retrace.plan(session, {
                  verb: 'checkout',
                  messageId: id,
                  scope: 'both',
                });
                one.retrace.cancel(plan.planId);
                for (const each of plan.files.files)
                  found.set(
                    `${session.id} ${id} ${each.file}`,
                    JSON.stringify([each.kind, each.result]),
                  );
              }
            }
            return found;
          };
          const before = await plans();
          const survey = await one.storage.survey();
          const givenUp = new Set(give.flatMap((n) => survey.sessions[n]?.id ?? []));
          const cleaning = survey.clean(givenUp);
          const cleaned = await one.storage.clean(cleaning, givenUp);
          expect(cleaned.freedCopies).toBe(cleaning.copies.length);
          const named = new Set(
            cleaned.losses.flatMap(({ sessionId, files: lost }) =>
              lost.map((file) => `${sessionId} ${file}`),
            ),
          );
          for (const [key, plan] of await plans()) {
            const [session = '', , file = ''] = key.split(' ');
            if (!named.has(`${session} ${file}`))
              expect([key, plan]).toEqual([key, before.get(key)]);
          }
          for (const { deleted, sessionId } of cleaned.losses)
            if (deleted) await expect(one.sessions.undelete(sessionId)).rejects.toThrow();
        },
      ),
      { numRuns: 30 },
    );
  }, 60_000);
});
