import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../kit/install.mts';

/** Rules that lint has no word for: what must not occur, where, and in which files it may after all. */
const absences: [id: string, what: RegExp, where: string[], except?: RegExp][] = [
  ['F3 createFile is never used', /\.createFile\(/, ['src/**/*.ts']],
  ['F4 saveAll leaves documents unsaved', /\bsaveAll\b/, ['src/**/*.ts']],
  [
    'W5 no HTML from strings',
    /\b(innerHTML|outerHTML|insertAdjacentHTML|document\.write|unsafeHTML)\b/,
    ['webview-ui/**/*.ts'],
    /markdown\.ts$/,
  ],
  ['W5 no code from strings', /\beval\(|\bnew Function\(/, ['src/**/*.ts', 'webview-ui/**/*.ts']],
  ['W8 hidden pages are not kept', /retainContextWhenHidden/, ['src/**/*.ts']],
  ['B4 toolkit elements are registered by name', /\ballComponents\b/, ['webview-ui/**/*.ts']],
  ['C9 questions are asked in the view', /\bmodal:\s*true\b/, ['src/**/*.ts']],
  [
    'S1 nothing is kept per window',
    /\b(storageUri|storagePath|globalStoragePath)\b/,
    ['src/**/*.ts'],
  ],
  [
    'X1 colours come from the theme',
    /#[0-9a-f]{3,8}\b|\brgba?\(|\bhsla?\(/i,
    ['webview-ui/**/*.css'],
  ],
  [
    'Q2 lint is switched off only with a reason',
    /\/[/*]\s*eslint-disable(?!.* -- )/,
    ['src/**/*.ts', 'webview-ui/**/*.ts', 'test/**/*.ts', 'scripts/**/*.mts'],
  ],
  [
    'Q5 no test is run alone, and none is left out',
    /\b(it|test|describe)\.(only|skip)\(/,
    ['test/**/*.test.ts'],
  ],
];

for (const [id, what, where, except] of absences) {
  test(id, async () => {
    const found: string[] = [];
    for await (const file of glob(where, { cwd: root })) {
      if (except?.test(file)) continue;
      const lines = (await readFile(join(root, file), 'utf8')).split('\n');
      lines.forEach((line, index) => {
        if (what.test(withoutComment(line))) found.push(`${file}:${index + 1} ${line.trim()}`);
      });
    }
    expect(found).toEqual([]);
  });
}

test('W7 the page asks for its host once', async () => {
  const users: string[] = [];
  for await (const file of glob('webview-ui/**/*.ts', { cwd: root })) {
    if (/\bacquireVsCodeApi\(\)/.test(await readFile(join(root, file), 'utf8'))) users.push(file);
  }
  expect(users).toHaveLength(1);
});

/** A comment may name what the code must not do; lint's own comments count. */
function withoutComment(line: string): string {
  return line.includes('eslint-disable') ? line : line.replace(/^\s*(\/\/|\/?\*).*$/, '');
}
