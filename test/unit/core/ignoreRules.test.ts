import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IgnoreRules } from '../../../src/core/ignoreRules';

const paths = [
  'a.log',
  'b.txt',
  'build/out.js',
  'src/build/out.js',
  'src/build',
  'docs/a/b/c.md',
  'docs/c.md',
  'deep/x/y/z.tmp',
  'foo/bar',
  'foo/bar/baz',
  'x/foo/bar',
  '#hash',
  '!bang',
  'a b.txt',
  'ends ',
  'keep/important.log',
  'keep/other.log',
  '[odd].txt',
  'o.txt',
  'file1',
  'file2',
  'fileA',
  'é/üx.txt',
  '.env',
  '.env.local',
  'sub/.env',
  'sub/keep.log',
  'sub/drop.me',
  'a-c',
  'node_modules/x/index.js',
];
const files = [
  '*.log\n',
  '/build/\n',
  'build/\n',
  'build\n',
  'docs/**/*.md\n',
  '**/y/**\n',
  'foo/bar\n',
  '\\#hash\n\\!bang\n',
  'a b.txt\nends\\ \n',
  '*.log\n!important.log\n',
  'keep/\n!keep/important.log\n',
  '[[]odd].txt\n',
  'file[0-9]\n',
  'file[!0-9]\n',
  '[a-c]-[!a]\n',
  'é/\n',
  '.env*\n!.env.local\n',
  '# comment\n\n   \n*.tmp\r\n',
  '/*\n!/src\n',
  '**/foo\n',
  'foo/**\n',
  '*\n!*.txt\n!*/\n',
  'x/**/bar\n',
  '?.txt\n',
  'file[[:digit:]]\n',
  'node_modules\n',
  '/sub/*.log\n',
  'docs/*\n',
  '***.md\n',
  'a**\n',
];

describe('ignore files', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'ignore-'));
    execFileSync('git', ['init', '-q', folder]);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function byGit(): Set<string> {
    try {
      const output = execFileSync(
        'git',
        ['-c', 'core.excludesFile=/dev/null', 'check-ignore', '--no-index', '-z', '--stdin'],
        { cwd: folder, input: paths.join('\0'), stdio: ['pipe', 'pipe', 'ignore'] },
      );
      return new Set(output.toString().split('\0').filter(Boolean));
    } catch {
      // It ends with 1 when nothing is ignored.
      return new Set();
    }
  }

  it.each(files)('are read as Git reads them: %j', (text) => {
    writeFileSync(join(folder, '.gitignore'), text);
    const rules = new IgnoreRules();
    rules.add('', text);
    expect(paths.filter((path) => rules.ignores(path))).toEqual(
      paths.filter((path) => byGit().has(path)),
    );
  });

  it('nearer ones win over farther ones', () => {
    mkdirSync(join(folder, 'sub'), { recursive: true });
    const texts = { '.gitignore': '*.log\n', 'sub/.gitignore': '!keep.log\n/drop.me\n' };
    const rules = new IgnoreRules();
    for (const [name, text] of Object.entries(texts)) {
      writeFileSync(join(folder, name), text);
      rules.add(dirname(name) === '.' ? '' : dirname(name), text);
    }
    expect(paths.filter((path) => rules.ignores(path))).toEqual(
      paths.filter((path) => byGit().has(path)),
    );
    rmSync(join(folder, 'sub'), { recursive: true });
  });
});
