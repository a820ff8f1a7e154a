import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FileKey } from '../../../src/core/fileKey';
import { changedNothing } from '../../../src/core/journal';
import type { FileChoice } from '../../../src/core/plan';
import {
  reviewedFiles,
  reviewedReply,
  TurnReview,
  type UndoPick,
} from '../../../src/engine/reviewTurn';
import { move, numRuns, Player, rough, say, takeBack } from '../../kit/player';
import { Story, type Act } from '../../kit/story';

const file: FileKey = 'f0/a.txt';
const old = '1\n2\n3\n4\n5\n6\n';
const fresh = '1\ntwo\n3\n4\nfive\n6\n';

/** A session after one turn that acted on files. */
async function after(acts: readonly Act[], files: Readonly<Record<FileKey, string>> = {}) {
  const story = new Story();
  for (const [name, text] of Object.entries({ [file]: old, ...files }))
    story.workspace.put(name, text);
  const turn = await story.say('go', acts);
  return { ...turn, ...reviewOf(story) };
}

function reviewOf(story: Story) {
  const review = new TurnReview(story.blobs, story.runtime(), () => story.workspace);
  const reply = reviewedReply(story.session);
  if (reply === undefined) throw new Error('there is nothing to review');
  const undo = async (...picks: UndoPick[]) =>
    story.move(await review.undo(story.session, reply, picks));
  const changes = async (name: FileKey) => {
    const found = reviewedFiles(story.session, reply).find((one) => one.file === name);
    return found && review.changes(story.session, reply, found);
  };
  return { story, review, undo, changes };
}

const edits: readonly Act[] = [{ do: 'write', file, text: fresh }];

describe('the changes of the last reply', () => {
  test('one is undone alone by a move of just its file, which can be taken back and done again', async () => {
    const { story, undo, changes, reply } = await after(edits);
    const move = await undo({ file, changes: [0] });
    expect(move).toMatchObject({ verb: 'files', results: [{ file, outcome: 'restored' }] });
    expect(story.workspace.text(file)).toBe('1\n2\n3\n4\nfive\n6\n');
    expect(story.session.standing).toMatchObject({ head: reply, apart: {} });
    expect((await changes(file))?.map(({ state }) => state)).toEqual(['undone', 'as written']);
    await story.undo();
    expect(story.workspace.text(file)).toBe(fresh);
    expect((await changes(file))?.map(({ state }) => state)).toEqual(['as written', 'as written']);
    await story.redo();
    expect(story.workspace.text(file)).toBe('1\n2\n3\n4\nfive\n6\n');
  });

  test('all undone one by one come to the same as the whole file undone', async () => {
    const { story, undo, changes, reply } = await after(edits);
    await undo({ file, changes: [1] });
    await undo({ file, changes: [0] });
    expect(story.workspace.text(file)).toBe(old);
    expect(await changes(file)).toBeUndefined();
    const whole = await after(edits);
    await whole.undo({ file, changes: 'all' });
    expect(whole.story.workspace.text(file)).toBe(old);
    await story.checkout(reply, 'files');
    expect(story.workspace.text(file)).toBe(fresh);
    expect(story.session.standing).toEqual({ head: reply, filesHead: reply, apart: {} });
  });

  test('the next turn begins from what was left, and a rewind to its message brings just that back', async () => {
    await fc.assert(
      fc.asyncProperty(text, text, text, fc.nat(), async (before, next, third, pick) => {
        const { story, undo, changes, user, reply } = await after(
          [{ do: 'write', file, text: next }],
          { [file]: before },
        );
        const all = (await changes(file)) ?? [];
        const chosen = all[pick % Math.max(all.length, 1)];
        if (chosen === undefined) return;
        await undo({ file, changes: [chosen.index] });
        const left = story.workspace.text(file);
        const second = await story.say('more', [{ do: 'write', file, text: third }]);
        await story.rewind(second.user);
        expect(story.workspace.text(file)).toBe(left);
        await story.checkout(second.reply);
        expect(story.workspace.text(file)).toBe(third);
        const fork = story.fork(reply);
        await fork.checkout(reply, 'files');
        expect(fork.workspace.text(file)).toBe(next);
        await fork.undo();
        await story.checkout(reply);
        expect(story.workspace.text(file)).toBe(next);
        await story.rewind(user);
        expect(story.workspace.text(file)).toBe(before);
      }),
      { numRuns: Math.ceil(numRuns / 5) },
    );
  });

  test('whatever was undone, rewinding and returning are exact', async () => {
    await fc.assert(
      fc.asyncProperty(text, text, fc.nat(), async (before, next, pick) => {
        const { story, undo, changes, user, reply } = await after(
          [{ do: 'write', file, text: next }],
          { [file]: before },
        );
        const all = (await changes(file)) ?? [];
        const chosen = all[pick % Math.max(all.length, 1)];
        if (chosen === undefined) return;
        await undo({ file, changes: [chosen.index] });
        await story.restart();
        await story.rewind(user);
        expect(story.workspace.text(file)).toBe(before);
        await story.checkout(reply);
        expect(story.workspace.text(file)).toBe(next);
      }),
      { numRuns: Math.ceil(numRuns / 5) },
    );
  });

  test('a hand’s lines stay, and a change the hand edited is refused and left alone', async () => {
    const { story, undo } = await after(edits);
    story.workspace.put(file, 'mine\n1\ntwo\n3\n4\nfive!\n6\n');
    await undo({ file, changes: [0] });
    expect(story.workspace.text(file)).toBe('mine\n1\n2\n3\n4\nfive!\n6\n');
    await expect(undo({ file, changes: [1] })).rejects.toMatchObject({ code: 'conflict' });
    expect(story.workspace.text(file)).toBe('mine\n1\n2\n3\n4\nfive!\n6\n');
  });

  test('lines a hand wrote between two writes of the reply are nobody’s to undo', async () => {
    const story = new Story();
    story.workspace.put(file, old);
    await story.say('first', [{ do: 'edit', file, line: 0, text: 'one' }]);
    story.workspace.put(file, 'one\n2\n3\nhand\n5\n6\n');
    await story.say('second', [{ do: 'edit', file, line: 5, text: 'six' }]);
    const { undo, changes } = reviewOf(story);
    expect(await changes(file)).toMatchObject([{ start: 5, removed: ['6\n'] }]);
    await undo({ file, changes: [0] });
    expect(story.workspace.text(file)).toBe('one\n2\n3\nhand\n5\n6\n');
  });

  test('unsaved text is what is reviewed and undone in, and stays unsaved', async () => {
    const { story, undo } = await after(edits);
    story.workspace.unsaved.set(file, new TextEncoder().encode(`${fresh}mine\n`));
    await undo({ file, changes: [1] });
    expect(story.workspace.unsaved.has(file)).toBe(true);
    expect(story.workspace.text(file)).toBe('1\ntwo\n3\n4\n5\n6\nmine\n');
  });

  test('files made, deleted and renamed go back whole; some kept and some undone go in one move', async () => {
    const acts: readonly Act[] = [
      ...edits,
      { do: 'write', file: 'f0/new.txt', text: 'new\n' },
      { do: 'delete', file: 'f0/gone.txt' },
      { do: 'rename', file: 'f0/p.txt', to: 'f0/q.txt' },
      { do: 'edit', file: 'f0/q.txt', line: 0, text: 'q' },
    ];
    const { story, undo } = await after(acts, { 'f0/gone.txt': 'g\n', 'f0/p.txt': 'p\nx\n' });
    await undo({ file: 'f0/q.txt', changes: [0] });
    expect(story.workspace.text('f0/q.txt')).toBe('p\nx\n');
    await story.undo();
    await undo(
      { file, changes: [1] },
      { file: 'f0/new.txt', changes: [0] },
      { file: 'f0/gone.txt', changes: 'all' },
      { file: 'f0/q.txt', changes: 'all' },
    );
    expect(story.workspace.snapshot()).toEqual({
      [file]: '1\ntwo\n3\n4\n5\n6\n',
      'f0/gone.txt': 'g\n',
      'f0/p.txt': 'p\nx\n',
    });
    await story.undo();
    expect(story.workspace.text('f0/q.txt')).toBe('q\nx\n');
    expect(story.workspace.text(file)).toBe(fresh);
  });

  test('a notebook goes whole: without one of its lines it may be none', async () => {
    const name = 'f0/n.ipynb';
    const { story, undo, changes } = await after([{ do: 'write', file: name, text: '{\n}\n' }], {
      [name]: '{}\n',
    });
    expect(await changes(name)).toBeUndefined();
    await expect(undo({ file: name, changes: [0] })).rejects.toMatchObject({ code: 'not_found' });
    await undo({ file: name, changes: 'all' });
    expect(story.workspace.text(name)).toBe('{}\n');
  });

  test('a file that was undone is no longer reviewed; after a rewind nothing is', async () => {
    const { story, undo, user, reply } = await after(edits);
    const node = reviewedReply(story.session);
    await undo({ file, changes: 'all' });
    expect(node && reviewedFiles(story.session, node)).toEqual([]);
    await story.checkout(reply);
    await story.rewind(user);
    expect(reviewedReply(story.session)).toBeUndefined();
  });

  test('an undo made for where the files were is refused once they are elsewhere', async () => {
    const { story, review } = await after(edits);
    const reply = reviewedReply(story.session);
    if (reply === undefined) throw new Error('there is nothing to review');
    const request = await review.undo(story.session, reply, [{ file, changes: [0] }]);
    await story.say('more', [{ do: 'edit', file, line: 0, text: 'one' }]);
    await expect(story.move(request)).rejects.toMatchObject({ code: 'not_found' });
    expect(story.workspace.text(file)).toBe(fresh.replace('1', 'one'));
  });

  test('in any life without hand edits every way to and from what was undone is exact', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof({ weight: 2, arbitrary: say }, { weight: 2, arbitrary: picked }, move, takeBack),
          {
            maxLength: 14,
            size: 'max',
          },
        ),
        async (doings) => {
          const player = new Player();
          const { story } = player;
          const review = new TurnReview(story.blobs, story.runtime(), () => story.workspace);
          for (const doing of doings) {
            if (doing.type === 'say') await player.say(doing.acts);
            if (doing.type === 'undo' || doing.type === 'redo')
              await story[doing.type]().catch(() => undefined);
            if (doing.type === 'move' && doing.verb !== 'regenerate') {
              const request = player.request(doing);
              if (request !== undefined) await story.move(request);
            }
            if (doing.type === 'pick') {
              const request = await picking(story, review, doing, false);
              if (request === undefined) continue;
              const made = await story.move(request);
              expect(made.results?.map(({ outcome }) => outcome)).not.toContain('kept');
              player.at.set(story.session.standing.filesHead, story.workspace.snapshot());
            }
            const { filesHead, apart } = player.session.standing;
            expect(apart).toEqual({});
            expect(story.workspace.snapshot()).toEqual(player.at.get(filesHead));
          }
        },
      ),
      { numRuns },
    );
  });

  test('with hand edits anywhere, taking an undo back gives the very bytes and the place from before', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            { weight: 2, arbitrary: say },
            { weight: 3, arbitrary: picked },
            { weight: 2, arbitrary: rough },
          ),
          { maxLength: 14, size: 'max' },
        ),
        fc.constantFrom<FileChoice>('keep', 'restore'),
        async (doings, choice) => {
          const player = new Player();
          const { story } = player;
          const review = new TurnReview(story.blobs, story.runtime(), () => story.workspace);
          for (const doing of doings) {
            if (doing.type === 'say') await player.say(doing.acts);
            if (doing.type === 'hand') player.edit(doing.file, doing.line);
            if (doing.type === 'remove by hand') story.workspace.disk.delete(doing.file);
            if (doing.type !== 'pick') continue;
            const request = await picking(story, review, doing, true);
            if (request === undefined) continue;
            const before = { ...story.session.standing, files: story.workspace.snapshot() };
            const made = await story.move(request, choice);
            const there = { ...story.session.standing, files: story.workspace.snapshot() };
            if (changedNothing(made)) continue;
            await story.undo();
            expect({ ...story.session.standing, files: story.workspace.snapshot() }).toEqual(
              before,
            );
            await story.redo();
            expect({ ...story.session.standing, files: story.workspace.snapshot() }).toEqual(there);
          }
        },
      ),
      { numRuns },
    );
  });
});

const text = fc
  .array(fc.constantFrom('a\n', 'b\n', '\n'), { maxLength: 10 })
  .map((lines) => lines.join(''));
interface Pick {
  readonly file: number;
  readonly change: number;
  readonly whole: boolean;
}

/** Returns the move that undoes one of the changes there are; undefined where there is none, or it cannot be undone. */
async function picking(
  story: Story,
  review: TurnReview,
  { file, change, whole }: Pick,
  byHand: boolean,
) {
  const reply = reviewedReply(story.session);
  const files = reply && reviewedFiles(story.session, reply);
  const one = files?.[file % Math.max(files.length, 1)];
  if (reply === undefined || one === undefined) return undefined;
  const open = (await review.changes(story.session, reply, one))?.filter(
    ({ state }) => state !== 'undone',
  );
  const chosen = open?.[change % Math.max(open.length, 1)];
  const changes = whole || chosen === undefined ? 'all' : [chosen.index];
  try {
    return await review.undo(story.session, reply, [{ file: one.file, changes }]);
  } catch (error) {
    expect(error).toMatchObject({ code: 'conflict' });
    // Its old name is another file's now; or a hand wrote in the very lines, or between two writes of the reply.
    if (!byHand) expect(one.from).toBeDefined();
    return undefined;
  }
}

const picked = fc.record({
  type: fc.constant('pick' as const),
  file: fc.nat(9),
  change: fc.nat(9),
  whole: fc.boolean(),
});
