import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changedNothing } from '../../../src/core/journal';
import type { FileKey } from '../../../src/core/fileKey';
import type { FileChoice } from '../../../src/core/plan';
import { hand, move, numRuns, Player, rough, say, type Doing } from '../../kit/player';
import { sha256 } from '../../kit/memoryWorkspace';

type Moving = Extract<Doing, { type: 'move' }>;

const life = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: say },
    { weight: 2, arbitrary: hand },
    { weight: 2, arbitrary: rough },
    { weight: 2, arbitrary: move },
  ),
  { maxLength: 12, size: 'max' },
);
const answers = fc.array(fc.constantFrom<FileChoice>('keep', 'restore', 'merge'), {
  minLength: 1,
  maxLength: 8,
});

async function live(player: Player, doings: readonly Doing[]): Promise<void> {
  for (const doing of doings) {
    if (doing.type === 'say') await player.say(doing.acts);
    if (doing.type === 'hand') player.edit(doing.file, doing.line);
    if (doing.type === 'remove by hand') player.story.workspace.disk.delete(doing.file);
    const request = doing.type === 'move' ? player.request(doing) : undefined;
    if (request !== undefined) await player.story.move(request, 'keep');
  }
}

/** Answers every file that asks something, each from the list in turn. */
async function answered(player: Player, doing: Moving, given: readonly FileChoice[]) {
  const request = player.request({
    ...doing,
    scope: doing.scope === 'chat' ? 'both' : doing.scope,
  });
  if (request === undefined) return undefined;
  const plan = await player.story.plan(request);
  const asking = plan.files.files.filter((file) => file.choices.length > 0);
  const choices = new Map(
    asking.map(({ file }, index): [FileKey, FileChoice] => [
      file,
      given[index % given.length] ?? 'keep',
    ]),
  );
  const { mover, workspace } = player.story;
  const result = await mover.apply(player.session, workspace, plan, { choices });
  if (result.kind !== 'moved') throw new Error('the plan went stale');
  return { plan, choices, move: result.move };
}

describe('conflicts answered at random, file by file', () => {
  test('nothing is replaced whose bytes are not kept, what is kept is unchanged, and what is taken is the checkpoint', async () => {
    await fc.assert(
      fc.asyncProperty(life, move, answers, async (doings, last, given) => {
        const player = new Player();
        await live(player, doings);
        const { workspace, blobs } = player.story;
        const before = workspace.snapshot();
        const made = await answered(player, last, given);
        if (made === undefined) return;
        const after = workspace.snapshot();
        for (const [file, text] of Object.entries(before)) {
          if (text === 'folder' || after[file] === text) continue;
          expect(blobs.kept.has(sha256(new TextEncoder().encode(text)))).toBe(true);
        }
        for (const { file, choices, targetBytes, target } of made.plan.files.files) {
          const choice = made.choices.get(file);
          if (choice === undefined) continue;
          const chosen = choices.includes(choice) ? choice : choices[0];
          if (chosen === 'keep') {
            expect(after[file]).toBe(before[file]);
            expect(made.move.results?.find((one) => one.file === file)?.outcome).toBe('kept');
          }
          if (chosen === 'restore' && target?.kind === 'file')
            expect(after[file]).toBe(new TextDecoder().decode(targetBytes));
          if (chosen === 'restore' && target?.kind === 'absent')
            expect(after[file]).toBeUndefined();
        }
        player.check();
      }),
      { numRuns },
    );
  });

  test('undo gives back every byte that an answer replaced', async () => {
    await fc.assert(
      fc.asyncProperty(life, move, answers, async (doings, last, given) => {
        const player = new Player();
        await live(player, doings);
        const before = { ...player.session.standing, files: player.story.workspace.snapshot() };
        const made = await answered(player, last, given);
        if (made === undefined) return;
        const [newest] = player.session.state.steps.slice(-1);
        if (newest?.type !== 'move' || changedNothing(newest.move)) return;
        await player.story.undo();
        expect({ ...player.session.standing, files: player.story.workspace.snapshot() }).toEqual(
          before,
        );
      }),
      { numRuns },
    );
  });

  test('files that stayed can be brought along later, each to where the others are', async () => {
    await fc.assert(
      fc.asyncProperty(life, move, answers, async (doings, last, given) => {
        const player = new Player();
        await live(player, doings);
        if ((await answered(player, last, given)) === undefined) return;
        for (const file of player.session.apartFiles)
          await player.story.move({ verb: 'files', scope: 'files', only: [file] }, 'restore');
        expect(player.session.standing.apart).toEqual({});
      }),
      { numRuns },
    );
  });

  test('a host that dies in the middle leaves what a hand wrote since, and names it', async () => {
    await fc.assert(
      fc.asyncProperty(
        life,
        move,
        answers,
        fc.nat(4),
        fc.array(hand, { maxLength: 3 }),
        async (doings, last, given, at, since) => {
          const player = new Player();
          await live(player, doings);
          const { workspace, records } = player.story;
          let writes = 0;
          const push = records.push.bind(records);
          const died = new Promise<void>((resolve) => {
            workspace.beforeWrite = () => {
              if (writes++ < at) return;
              // A dead host records nothing any more.
              records.push = () => records.length;
              resolve();
              throw new Error('the host died');
            };
          });
          await Promise.race([died, answered(player, last, given)]);
          await new Promise((resolve) => setImmediate(resolve));
          workspace.beforeWrite = undefined;
          records.push = push;
          const tokens = since.flatMap(({ file, line }) => {
            const token = player.edit(file, line);
            return token === undefined ? [] : [{ file, token }];
          });
          const before = workspace.snapshot();
          await player.story.restart();
          expect(player.session.state.unsettledMoves()).toEqual([]);
          player.check();
          for (const { file } of tokens) expect(workspace.text(file)).toBe(before[file]);
        },
      ),
      { numRuns },
    );
  });
});
