import fc from 'fast-check';
import { expect } from 'vitest';
import type { FileKey } from '../../src/core/fileKey';
import type { NodeId, Place } from '../../src/core/ids';
import type { MoveRequest, Scope } from '../../src/engine/movePlan';
import { Story, withLine, type Act } from './story';

export const numRuns = Number(process.env['FUZZ_RUNS'] ?? 500);
const files: readonly FileKey[] = ['f0/a.txt', 'f0/b.txt', 'f0/d/c.txt', 'f0/d/e/g.txt'];

export const fileOf = fc.constantFrom(...files);
export const act: fc.Arbitrary<Act> = fc.oneof(
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
export const scope = fc.constantFrom<Scope>('both', 'both', 'both', 'chat', 'files');

/** One thing a user does; `pick` chooses among what there is at that moment. */
export type Doing =
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

export const acts = fc.array(act, { maxLength: 4 });
export const say = fc.record({ type: fc.constant('say' as const), acts });
export const move = fc.record({
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
export const takeBack = fc.record({ type: fc.constantFrom('undo' as const, 'redo' as const) });
export const hand = fc.record({
  type: fc.constant('hand' as const),
  file: fileOf,
  line: fc.constantFrom(8, 9, 10),
});
export const rough = fc.oneof(
  fc.record({ type: fc.constant('hand' as const), file: fileOf, line: fc.nat(4) }),
  fc.record({ type: fc.constant('remove by hand' as const), file: fileOf }),
  fc.record({ type: fc.constant('bring here' as const) }),
);

/** Lines 0–3 are the agent's to edit, 8–10 the hand's, with quiet lines between. */
export function body(first: string): string {
  return [first, '1', '2', '3', '', 'quiet', 'quiet', '', 'h8', 'h9', 'h10', ''].join('\n');
}

function plain(text: string): string {
  return text.replaceAll(/[\r\n]/gu, '.');
}

export class Player {
  /** The whole workspace as it was when each node ended. */
  readonly at = new Map<Place, Record<FileKey, string>>();
  tokens = 0;
  draft = 0;

  constructor(
    readonly story = new Story(),
    /** Where a fork comes from: the workspace is as that one left it. */
    source?: Player,
  ) {
    if (source === undefined) {
      this.story.workspace.put('f0/a.txt', body('a'));
      this.story.workspace.put('f0/d/c.txt', body('c'));
      this.story.workspace.folders.add('f0/d');
    }
    const known = source?.at ?? new Map([[null, this.story.workspace.snapshot()]]);
    for (const [place, files] of known) this.at.set(place, files);
  }

  /** Goes on in a fork, over the same workspace. */
  fork(at: Place): Player {
    return new Player(this.story.fork(at), this);
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
      (node) => node.role === 'user' || (node.role === 'assistant' && doing.verb !== 'rewind'),
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
