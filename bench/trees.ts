import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Edit } from './fileTurns.ts';

/** Lines that look like code: no two files are alike, and they compress as code does. */
function textOf(path: string, version: number, most = 80): string {
  let state = Array.from(path).reduce(
    (sum, char) => (sum * 31 + char.charCodeAt(0)) >>> 0,
    version + 7,
  );
  const next = (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state % below;
  };
  const lines = Array.from(
    { length: 20 + next(most) },
    (_, line) => `  const value${next(1_000)} = compute(${line}, 'name${next(9_999)}');`,
  );
  return `// ${path}\n${lines.join('\n')}\n`;
}

/** Makes a project of so many files under `src` and returns their paths. */
export async function makeTree(project: string, count: number, most?: number): Promise<string[]> {
  const paths = Array.from({ length: count }, (_, n) => `src/part${n % 100}/module${n}.ts`);
  for (let part = 0; part < 100; part += 1)
    await mkdir(join(project, `src/part${part}`), { recursive: true });
  for (const path of paths) await writeFile(join(project, path), textOf(path, 0, most));
  return paths;
}

/** Each edit changes a few lines of what the file holds. */
export async function editsOf(
  project: string,
  paths: readonly string[],
  round: number,
): Promise<Edit[]> {
  return Promise.all(
    paths.map(async (path) => {
      const lines = (await readFile(join(project, path), 'utf8')).split('\n');
      const at = 2 + (round % 10);
      lines.splice(at, 1, `  // edited in round ${round}`, `  const edited = ${round};`);
      return { path, bytes: new TextEncoder().encode(lines.join('\n')) };
    }),
  );
}

/** Returns a function that gives the next few paths, spread over the tree as edits are. */
export function takeFrom(paths: readonly string[]): (count: number) => readonly string[] {
  let at = 0;
  return (count) => Array.from({ length: count }, () => paths[(at++ * 7919) % paths.length] ?? '');
}
