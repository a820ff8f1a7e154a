import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Move } from '../../../src/core/journal';
import { changedNothing, undoStacks } from '../../../src/core/journal';
import type { Draft } from '../../../src/core/node';
import { RetraceError } from '../../../src/engine/errors';
import { hand, move, numRuns, Player, rough, say, takeBack, type Doing } from '../../kit/player';

async function settled(attempt: Promise<Move>): Promise<Move | undefined> {
  try {
    return await attempt;
  } catch (error) {
    if (error instanceof RetraceError && error.code === 'nothing_to_do') return undefined;
    throw error;
  }
}

describe('moves against a plain model', () => {
  test('without hand edits every move gives the bytes of the place it goes to, and nodes never go', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof({ weight: 2, arbitrary: say }, { weight: 3, arbitrary: move }, takeBack),
          { maxLength: 16, size: 'max' },
        ),
        async (doings) => {
          const player = new Player();
          let count = 0;
          for (const doing of doings) {
            if (doing.type === 'say') await player.say(doing.acts);
            if (doing.type === 'undo' || doing.type === 'redo')
              await settled(player.story[doing.type]());
            if (doing.type === 'move') {
              const request = player.request(doing);
              if (request === undefined) continue;
              const made = await player.story.move(request);
              expect(
                made.results?.filter(
                  (result) => result.outcome === 'kept' || result.outcome === 'failed',
                ),
              ).toEqual([]);
              if (doing.verb === 'regenerate' && request.scope !== 'files') {
                const { head } = player.session.standing;
                if (head !== null) await player.regenerate(head, doing.acts);
              }
            }
            const { filesHead, apart } = player.session.standing;
            expect(apart).toEqual({});
            expect(player.story.workspace.snapshot()).toEqual(player.at.get(filesHead));
            expect(player.session.state.nodes.size).toBeGreaterThanOrEqual(count);
            count = player.session.state.nodes.size;
            player.check();
          }
        },
      ),
      { numRuns },
    );
  });

  test('a hand edit on other lines survives every move that does not itself delete the file', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            { weight: 2, arbitrary: say },
            { weight: 3, arbitrary: move },
            { weight: 3, arbitrary: hand },
            takeBack,
          ),
          { maxLength: 16, size: 'max' },
        ),
        async (doings) => {
          const player = new Player();
          for (const doing of doings) {
            if (doing.type === 'say')
              await player.say(doing.acts.filter((one) => one.do !== 'write'));
            if (doing.type === 'hand') player.edit(doing.file, doing.line);
            if (doing.type !== 'move' && doing.type !== 'undo' && doing.type !== 'redo') continue;
            const before = player.story.workspace.snapshot();
            const made =
              doing.type === 'move'
                ? await moveOf(player, { ...doing, keep: true })
                : await settled(player.story[doing.type]());
            if (made === undefined) continue;
            const gone = new Set(
              made.results
                ?.filter((result) => result.outcome === 'deleted')
                .map((result) => result.file),
            );
            const kept = Object.values(player.story.workspace.snapshot()).join('\n');
            for (const [file, text] of Object.entries(before)) {
              // A line of the hand's is safe unless a recorded text was gone back to exactly, or the file on the way deleted.
              const exact = made.results?.some(
                (result) => result.file === file && ['restored', 'moved'].includes(result.outcome),
              );
              const renamed = made.links.some(
                (link) => link.type === 'rename' && link.from === file,
              );
              if (gone.has(file) || exact === true || renamed) continue;
              for (const token of text.match(/T\d+!/gu) ?? []) expect(kept).toContain(token);
            }
          }
        },
      ),
      { numRuns },
    );
  });

  test('undo of any move gives back head, files head, apart, draft and bytes; redo goes there again', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            { weight: 2, arbitrary: say },
            { weight: 3, arbitrary: move },
            { weight: 3, arbitrary: rough },
            takeBack,
          ),
          { maxLength: 16, size: 'max' },
        ),
        async (doings) => {
          const player = new Player();
          for (const doing of doings) {
            if (doing.type === 'say') await player.say(doing.acts);
            if (doing.type === 'hand') player.edit(doing.file, doing.line);
            if (doing.type === 'remove by hand') player.story.workspace.disk.delete(doing.file);
            if (doing.type === 'undo' || doing.type === 'redo')
              await settled(player.story[doing.type]());
            player.check();
            if (doing.type !== 'move' && doing.type !== 'bring here') continue;
            const draft: Draft = { text: `draft ${++player.draft}`, attachments: [] };
            await player.session.putDraft(draft, true);
            const before = {
              ...player.session.standing,
              files: player.story.workspace.snapshot(),
              draft,
            };
            const made =
              doing.type === 'move'
                ? await moveOf(player, doing)
                : await player.story.move({ verb: 'files', scope: 'files' }, 'restore');
            if (made === undefined) continue;
            const there = { ...player.session.standing, files: player.story.workspace.snapshot() };
            const newest = undoStacks(player.session.state.steps).undo.at(-1)?.id;
            if (changedNothing(made)) {
              expect(newest).not.toBe(made.id);
              continue;
            }
            expect(newest).toBe(made.id);
            await player.story.undo();
            expect({
              ...player.session.standing,
              files: player.story.workspace.snapshot(),
              draft: player.session.draft.draft,
            }).toEqual(before);
            await player.story.redo();
            expect({
              ...player.session.standing,
              files: player.story.workspace.snapshot(),
            }).toEqual(there);
          }
        },
      ),
      { numRuns },
    );
  });
});

function moveOf(
  player: Player,
  doing: Extract<Doing, { type: 'move' }>,
): Promise<Move> | undefined {
  const request = player.request(doing);
  return request && player.story.move(request, doing.keep ? 'keep' : 'restore');
}
