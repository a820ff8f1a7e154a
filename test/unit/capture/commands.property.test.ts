import { writeFile, chmod, mkdir } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { gitStateOf, openPlace, treeOf } from './kit';

vi.mock('vscode', () => import('../../fakes/vscode'));

const runs = Number(process.env['FUZZ_RUNS'] ?? 15);

const name = fc.constantFrom('a', 'b c', 'd/e', 'd', 'd/f/g', 'h#%.txt', '名', 'd/f', 'k.sh');
const text = fc.constantFrom('', 'x\\n', 'one\\ntwo\\n', 'crlf\\r\\n', '\\0\\377', 'no end');
const mode = fc.constantFrom('644', '755', '600');

/** One thing a shell does; what cannot be done fails, and the next one goes on. */
const act = fc.oneof(
  fc.record({ n: name, x: text }).map(({ n, x }) => `printf '${x}' > '${n}'`),
  fc.record({ n: name, x: text }).map(({ n, x }) => `printf '${x}' >> '${n}'`),
  fc.record({ n: name, m: name }).map(({ n, m }) => `mv '${n}' '${m}'`),
  fc.record({ n: name, m: name }).map(({ n, m }) => `cp -r '${n}' '${m}'`),
  name.map((n) => `touch '${n}'`),
  name.map((n) => `rm '${n}'`),
  name.map((n) => `rm -r '${n}'`),
  name.map((n) => `mkdir -p '${n}'`),
  name.map((n) => `rmdir '${n}'`),
  name.map((n) => `sed -i s/one/ONE/ '${n}'`),
  fc
    .record({ n: name, m: mode })
    .map(({ n, m }) => `chmod ${m} "$(find '${n}' -maxdepth 0 -type f)"`),
  fc.record({ n: name, m: name }).map(({ n, m }) => `ln -sfn '${m}' '${n}'`),
);
const script = fc.array(act, { minLength: 1, maxLength: 10 });

const story = fc.record({
  git: fc.constantFrom('none', 'clean', 'dirty'),
  first: fc.array(fc.record({ n: name, x: fc.constantFrom('1\n', 'one\ntwo', ''), m: mode }), {
    maxLength: 5,
  }),
  before: script,
  turns: fc.array(script, { minLength: 1, maxLength: 3 }),
});

const line = (acts: readonly string[]): string => `{ ${acts.join('; ')}; } 2>/dev/null`;

describe.skipIf(process.platform === 'win32')('random commands', () => {
  it(
    'are taken back and made again exactly, with Git and without',
    { timeout: Math.max(120_000, runs * 8_000) },
    async () => {
      await fc.assert(
        fc.asyncProperty(story, async ({ git, first, before, turns }) => {
          const place = await openPlace();
          try {
            for (const { n, x, m } of first) {
              const file = place.at(n);
              await mkdir(place.at(n, '..'), { recursive: true }).catch(() => undefined);
              await writeFile(file, x).catch(() => undefined);
              await chmod(file, parseInt(m, 8)).catch(() => undefined);
            }
            if (git !== 'none') {
              await place.git('init', '-q');
              await place.git('add', '-A');
              await place.git('commit', '-qm', 'one', '--allow-empty');
            }
            const trees: Record<string, string>[] = [];
            const ids: { user: string; reply: string }[] = [];
            if (git === 'dirty') {
              await place.turn(async (turn) => {
                await place.command(turn, line(before));
              });
            }
            const repository = git === 'none' ? undefined : await gitStateOf(place.root);
            trees.push(await treeOf(place.root));
            for (const acts of turns) {
              ids.push(
                await place.turn(async (turn) => {
                  await place.command(turn, line(acts));
                }),
              );
              trees.push(await treeOf(place.root));
            }
            const last = ids.at(-1);
            for (let round = 0; round < 2; round++) {
              for (let at = ids.length - 1; at >= 0; at--) {
                const move = await place.move('rewind', ids[at]?.user ?? '');
                expect(await treeOf(place.root), JSON.stringify(move.results)).toEqual(trees[at]);
              }
              const move = await place.move('checkout', last?.reply ?? '');
              expect(await treeOf(place.root), JSON.stringify(move.results)).toEqual(trees.at(-1));
            }
            await place.move('rewind', ids[0]?.user ?? '');
            expect(await treeOf(place.root)).toEqual(trees[0]);
            if (repository !== undefined) expect(await gitStateOf(place.root)).toEqual(repository);
          } finally {
            await place.close();
          }
        }),
        { numRuns: runs },
      );
    },
  );
});
