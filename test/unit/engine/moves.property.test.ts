import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FileKey } from '../../../src/core/fileKey';
import type { NodeId, Place } from '../../../src/core/ids';
import type { Move } from '../../../src/core/journal';
import { undoStacks } from '../../../src/core/journal';
import type { Draft } from '../../../src/core/node';
import { RetraceError } from '../../../src/engine/errors';
import type { MoveRequest, Scope } from '../../../src/engine/movePlan';
import { Story, withLine, type Act } from '../../kit/story';

const numRuns = Number(process.env['FUZZ_RUNS'] ?? 500);
const files: readonly FileKey[] = ['f0/a.txt', 'f0/b.txt', 'f0/d/c.txt', 'f0/d/e/g.txt'];

const fileOf = fc.constantFrom(...files);
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('edit' as const),
      file: fileOf,
      line: fc.nat(3),
      text: fc.string({ minLength: 1, maxLength: 3 }).map(plain),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('write' as const),
      file: fileOf,
      text: fc.nat(9).map((n) => body(`w${n}`)),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), file: fileOf }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('rename' as const), file: fileOf, to: fileOf }),
  },
);
const scope = fc.constantFrom<Scope>('both', 'both', 'both', 'chat', 'files');

/** One thing a user does; `pick` chooses among what there is at that moment. */
type Doing =
  | { readonly type: 'say'; readonly acts: readonly Act[] }
  | { readonly type: 'hand'; readonly file: FileKey; readonly line: number }
  | { readonly type: 'remove by hand'; readonly file: FileKey }
  | {
      readonly type: 'move';
      readonly verb: 'rewind' | 'checkout' | 'switch' | 'regenerate';
      readonly pick: number;
      readonly scope: Scope;
      readonly acts: readonly Act[];
      readonly keep: boolean;
    }
  | { readonly type: 'undo' | 'redo' }
  | { readonly type: 'bring here' };

const acts = fc.array(act, { maxLength: 4 });
const say = fc.record({ type: fc.constant('say' as const), acts });
const move = fc.record({
  type: fc.constant('move' as const),
  verb: fc.constantFrom(
    'rewind' as const,
    'checkout' as const,
    'switch' as const,
    'regenerate' as const,
  ),
  pick: fc.nat(50),
  scope,
  acts,
  keep: fc.boolean(),
});
const takeBack = fc.record({ type: fc.constantFrom('undo' as const, 'redo' as const) });
const hand = fc.record({
  type: fc.constant('hand' as const),
  file: fileOf,
  line: fc.constantFrom(8, 9, 10),
});
const rough = fc.oneof(
  fc.record({ type: fc.constant('hand' as const), file: fileOf, line: fc.nat(4) }),
  fc.record({ type: fc.constant('remove by hand' as const), file: fileOf }),
  fc.record({ type: fc.constant('bring here' as const) }),
);

/** Lines 0–3 are the agent's to edit, 8–10 the hand's, with quiet lines between. */
function body(first: string): string {
  return [first, '1', '2', '3', '', 'quiet', 'quiet', '', 'h8', 'h9', 'h10', ''].join('\n');
}

function plain(text: string): string {
  return text.replaceAll(/[\r\n]/gu, '.');
}

class Player {
  readonly story = new Story();
  /** The whole workspace as it was when each node ended. */
  readonly at = new Map<Place, Record<FileKey, string>>();
  tokens = 0;
  draft = 0;

  constructor() {
    this.story.workspace.put('f0/a.txt', body('a'));
    this.story.workspace.put('f0/d/c.txt', body('c'));
    this.story.workspace.folders.add('f0/d');
    this.at.set(null, this.story.workspace.snapshot());
  }

  get session() {
    return this.story.session;
  }

  async say(what: readonly Act[]): Promise<void> {
    const before = this.story.workspace.snapshot();
    const { user, reply } = await this.story.say('m', what);
    this.at.set(user, before);
    this.at.set(reply, this.story.workspace.snapshot());
  }

  async regenerate(user: NodeId, what: readonly Act[]): Promise<void> {
    this.at.set(await this.story.reply(user, what), this.story.workspace.snapshot());
  }

  /** Returns the request a move stands for, or undefined when there is nothing to use it on. */
  request(doing: Extract<Doing, { type: 'move' }>): MoveRequest | undefined {
    const nodes = [...this.session.state.nodes.values()].filter(
      (node) => doing.verb !== 'rewind' || node.role === 'user',
    );
    const node = nodes[doing.pick % Math.max(nodes.length, 1)];
    return node && { verb: doing.verb, messageId: node.id, scope: doing.scope };
  }

  /** Puts a line that occurs nowhere else into a file. */
  edit(file: FileKey, line: number): string | undefined {
    const text = this.story.workspace.text(file);
    if (text === undefined) return undefined;
    const token = `T${++this.tokens}!`;
    this.story.workspace.put(file, withLine(text, line, token));
    return token;
  }

  check(): void {
    const { head, filesHead, apart } = this.session.standing;
    const { nodes } = this.session.state;
    for (const place of [head, filesHead, ...Object.values(apart)]) {
      if (place !== null) expect(nodes.has(place)).toBe(true);
    }
  }
}

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
            expect(undoStacks(player.session.state.steps).undo.at(-1)?.id).toBe(made.id);
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
