import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { move, numRuns, Player, rough, say, takeBack, type Doing } from '../../kit/player';
import { Story } from '../../kit/story';

type Moving = Extract<Doing, { type: 'move' }>;

const life = fc.array(fc.oneof({ weight: 2, arbitrary: say }, { weight: 2, arbitrary: move }), {
  maxLength: 10,
  size: 'max',
});

async function live(player: Player, doings: readonly Doing[]): Promise<void> {
  for (const doing of doings) {
    if (doing.type === 'say') await player.say(doing.acts);
    const request = doing.type === 'move' ? player.request(doing) : undefined;
    if (request !== undefined) await player.story.move(request, 'keep');
  }
}

describe('moves in trouble', () => {
  test('files that fail stay apart and are named; trying again brings them to where the others are', async () => {
    await fc.assert(
      fc.asyncProperty(
        life,
        move,
        fc.subarray(['f0/a.txt', 'f0/b.txt', 'f0/d/c.txt', 'f0/d/e/g.txt']),
        async (doings, last, failing) => {
          const player = new Player();
          await live(player, doings);
          const request = player.request({ ...last, scope: 'both' });
          if (request === undefined) return;
          for (const file of failing) player.story.workspace.failing.add(file);
          const made = await player.story.move(request);
          const failed = made.results?.filter((result) => result.outcome === 'failed') ?? [];
          for (const { reason } of failed) expect(reason).toBeTruthy();
          player.story.workspace.failing.clear();
          for (let tries = 0; tries < 3 && player.session.apartFiles.length > 0; tries++) {
            await player.story.move({ verb: 'files', scope: 'files' });
          }
          expect(player.session.standing.apart).toEqual({});
          const files = (snapshot: object): unknown =>
            Object.entries(snapshot).filter(([, text]) => text !== 'folder');
          expect(files(player.story.workspace.snapshot())).toEqual(
            files(player.at.get(player.session.standing.filesHead) ?? {}),
          );
        },
      ),
      { numRuns },
    );
  });

  test('a host that dies at any write of a move leaves it to be finished exactly at the next start', async () => {
    await fc.assert(
      fc.asyncProperty(life, move, fc.nat(6), async (doings, last, at) => {
        const player = new Player();
        await live(player, doings);
        const request = player.request(last);
        if (request === undefined) return;
        const plan = await player.story.plan(request);
        let writes = 0;
        const { workspace } = player.story;
        const dead = new Promise<boolean>((resolve) => {
          workspace.beforeWrite = () => {
            if (writes++ >= at) {
              resolve(true);
              throw new Dead();
            }
          };
        });
        // A host that is dead records nothing any more: what the move would say of its failures never reaches the disk.
        const { records } = player.story;
        const push = records.push.bind(records);
        records.push = (...more) => (writes > at ? records.length : push(...more));
        await Promise.race([
          dead,
          player.story.mover.apply(player.session, workspace, plan, { choices: new Map() }),
        ]);
        await new Promise((resolve) => setImmediate(resolve));
        workspace.beforeWrite = undefined;
        records.push = push;
        await player.story.restart();
        expect(player.session.state.unsettledMoves()).toEqual([]);
        expect(player.session.standing.apart).toEqual({});
        expect(workspace.snapshot()).toEqual(player.at.get(player.session.standing.filesHead));
      }),
      { numRuns },
    );
  });

  test('two sessions over one folder: every byte a move replaced can be had again, and both stay whole', async () => {
    const doing = fc.record({ second: fc.boolean(), what: fc.oneof(say, move, rough, takeBack) });
    await fc.assert(
      fc.asyncProperty(fc.array(doing, { maxLength: 14, size: 'max' }), async (doings) => {
        const one = new Player();
        const two = new Player(new Story('t', one.story.workspace, one.story.blobs));
        for (const { second, what } of doings) {
          const player = second ? two : one;
          if (what.type === 'say') await player.say(what.acts);
          if (what.type === 'hand') player.edit(what.file, what.line);
          if (what.type === 'remove by hand') player.story.workspace.disk.delete(what.file);
          const made = what.type === 'move' ? await moved(player, what) : undefined;
          for (const link of made?.links ?? []) {
            const before = link.type === 'change' ? link.before : undefined;
            if (before?.kind === 'file') expect(one.story.blobs.kept.has(before.hash)).toBe(true);
          }
          one.check();
          two.check();
        }
      }),
      { numRuns },
    );
  });
});

class Dead extends Error {}

function moved(player: Player, doing: Moving) {
  const request = player.request(doing);
  return request && player.story.move(request, doing.keep ? 'keep' : 'restore');
}
