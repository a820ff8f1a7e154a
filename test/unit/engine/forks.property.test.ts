import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ancestors } from '../../../src/core/graph';
import type { Move } from '../../../src/core/journal';
import { RetraceError } from '../../../src/engine/errors';
import { move, numRuns, Player, say, takeBack, type Doing } from '../../kit/player';

type Moving = Extract<Doing, { type: 'move' }>;

const life = fc.array(
  fc.oneof({ weight: 3, arbitrary: say }, { weight: 3, arbitrary: move }, takeBack),
  { maxLength: 12, size: 'max' },
);

async function live(player: Player, doing: Doing): Promise<void> {
  if (doing.type === 'say') await player.say(doing.acts);
  if (doing.type === 'undo' || doing.type === 'redo') await settled(player.story[doing.type]());
  if (doing.type === 'move') await go(player, doing);
}

async function go(player: Player, doing: Moving): Promise<void> {
  const request = player.request(doing);
  if (request === undefined) return;
  await player.story.move(request);
  const { head } = player.session.standing;
  if (doing.verb === 'regenerate' && request.scope !== 'files' && head !== null)
    await player.regenerate(head, doing.acts);
}

async function settled(attempt: Promise<Move>): Promise<void> {
  try {
    await attempt;
  } catch (error) {
    if (!(error instanceof RetraceError) || error.code !== 'nothing_to_do') throw error;
  }
}

describe('forks against a plain model', () => {
  test('a fork is the history up to its point, writes nothing, and its moves give exact bytes, the source gone or not', async () => {
    await fc.assert(
      fc.asyncProperty(life, fc.nat(50), life, async (before, pick, after) => {
        const source = new Player();
        for (const doing of before) await live(source, doing);
        const shown = [...source.session.state.nodes.values()].filter(
          (node) => node.role !== 'files',
        );
        const at = shown[pick % Math.max(shown.length, 1)];
        const disk = source.story.workspace.snapshot();
        const records = source.story.records.length;

        const fork = source.fork(at?.id ?? null);
        expect(source.story.workspace.snapshot()).toEqual(disk);
        expect(source.story.records.length).toBe(records);
        const { standing, nodes } = fork.session.state;
        const head = at?.role === 'user' ? at.parentId : (at?.id ?? null);
        expect(ancestors(nodes, standing.head)).toEqual(
          ancestors(source.session.state.nodes, head),
        );
        expect(standing.filesHead).toBe(source.session.standing.filesHead);
        fork.check();

        for (const doing of after) {
          await live(fork, doing);
          fork.check();
          const { filesHead, apart } = fork.session.standing;
          expect(apart).toEqual({});
          expect(fork.story.workspace.snapshot()).toEqual(fork.at.get(filesHead));
        }
        expect(source.story.records.length).toBe(records);
      }),
      { numRuns },
    );
  });

  test('forks of forks still know every file’s way', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(say, move, fc.nat(50)), { maxLength: 4 }),
        async (rounds) => {
          let player = new Player();
          for (const [said, moved, pick] of rounds) {
            await live(player, said);
            await live(player, moved);
            const ids = [...player.session.state.nodes.values()].flatMap((node) =>
              node.role === 'files' ? [] : [node.id],
            );
            player = player.fork(ids[pick % Math.max(ids.length, 1)] ?? null);
            player.check();
            expect(player.story.workspace.snapshot()).toEqual(
              player.at.get(player.session.standing.filesHead),
            );
          }
        },
      ),
      { numRuns },
    );
  });
});

test('file nodes of a fork hold the changes of what they stand for, and nothing that is shown', async () => {
  await fc.assert(
    fc.asyncProperty(life, fc.nat(50), async (before, pick) => {
      const source = new Player();
      for (const doing of before) await live(source, doing);
      const ids = [...source.session.state.nodes.keys()];
      const fork = source.fork(ids[pick % Math.max(ids.length, 1)] ?? null);
      for (const node of fork.session.state.nodes.values()) {
        if (node.role !== 'files') continue;
        const original = source.session.state.nodes.get(node.id);
        const changes = original?.role === 'assistant' ? original.changes : [];
        expect(node.changes).toEqual(changes);
        expect([...fork.session.state.children.values()].flat()).not.toContain(node.id);
      }
    }),
    { numRuns },
  );
});
