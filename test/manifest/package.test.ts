import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import type { BuildOptions, Metafile } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { buildAll } from '../../scripts/build.mts';
import { packageExtension } from '../../scripts/package.mts';
import { root } from '../kit/install.mts';

let place: string;
let dist: string;
let outputs: Metafile['outputs'];

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'retrace-bundles-'));
  dist = join(place, 'dist');
  outputs = await buildAll({ production: true, tests: false, outdir: dist });
});

afterAll(() => rm(place, { recursive: true, force: true }));

describe('bundles', () => {
  test('B1 there is one for each host, and the parts that load late', async () => {
    const files = await readdir(dist, { recursive: true, withFileTypes: true });
    const names = files
      .filter((file) => file.isFile())
      .map((file) => join(file.parentPath, file.name).slice(dist.length + 1));
    const parts = names.filter((name) => part.test(name));
    expect(parts).not.toEqual([]);
    expect(
      names
        .filter((name) => !part.test(name))
        .map((name) => name.replaceAll('\\', '/'))
        .sort(),
    ).toEqual([
      'THIRD-PARTY-NOTICES.txt',
      'agent.js',
      'extension.js',
      'guard.js',
      'node.js',
      'view/codicon.ttf',
      'view/graph.css',
      'view/graph.js',
      'view/main.css',
      'view/main.js',
      'web/extension.js',
    ]);
  });

  test('B1 nothing is left to be found at run time but VS Code, Node and each other', async () => {
    const parts = (await readdir(dist)).filter((name) => part.test(name));
    for (const name of [...parts, 'extension.js', 'agent.js', 'guard.js', 'node.js']) {
      const code = await readFile(join(dist, name), 'utf8');
      for (const required of requires(code)) {
        if (required.startsWith('./'))
          expect([...parts, 'agent.js', 'node.js'], name).toContain(required.slice(2));
        else if (builtinModules.includes(required.replace(/^node:/, '')))
          expect(['agent.js', 'guard.js', 'node.js'], required).toContain(name);
        else expect(required, name).toBe('vscode');
      }
    }
    expect(needed('guard.js')).toEqual(new Set(['guard.js']));
  });

  test('T4 the web bundle is one file that asks for nothing but vscode', async () => {
    expect(requires(await readFile(join(dist, 'web', 'extension.js'), 'utf8'))).toEqual(
      new Set(['vscode']),
    );
  });

  test('B3 they keep within their sizes', async () => {
    const size = async (...names: string[]): Promise<number> => {
      const sizes = await Promise.all(
        names.map(async (name) => (await stat(join(dist, name))).size),
      );
      return sizes.reduce((sum, one) => sum + one, 0) / 1000;
    };
    const all = (await readdir(dist)).filter((name) => name.endsWith('.js'));
    expect(await size(...needed('extension.js'))).toBeLessThanOrEqual(100);
    expect(await size(...all)).toBeLessThanOrEqual(1500);
    expect(await size('web/extension.js')).toBeLessThanOrEqual(1500);
    expect(
      await size('view/main.js', 'view/main.css', 'view/graph.js', 'view/graph.css'),
    ).toBeLessThanOrEqual(900);
  });

  test('B3, B4 no source map, no React', async () => {
    for (const name of ['extension.js', 'agent.js', 'web/extension.js', 'view/main.js']) {
      const code = await readFile(join(dist, name), 'utf8');
      expect(code, name).not.toContain('sourceMappingURL');
      expect(code, name).not.toContain('react.element');
    }
  });

  test('Q1 the core and the protocol bundle for no platform at all', async () => {
    for (const room of ['core', 'protocol']) {
      const entryPoints = (await readdir(join(root, 'src', room))).map((name) =>
        join(root, 'src', room, name),
      );
      const options: BuildOptions = {
        ...{ entryPoints, bundle: true, write: false, outdir: place, logLevel: 'silent' },
        ...{ platform: 'neutral', mainFields: ['module', 'main'] },
      };
      await expect(build(options)).resolves.toMatchObject({
        errors: [],
      });
    }
  });
});

test('B2 the package holds exactly what a user needs', async () => {
  expect(
    (await readFile(join(root, '.vscodeignore'), 'utf8'))
      .split('\n')
      .find((line) => line && !line.startsWith('#')),
  ).toBe('**');
  const warn = vi.spyOn(console, 'warn');
  const files = (await packageExtension(join(place, 'retrace.vsix'))).map((name) =>
    name.replaceAll('\\', '/'),
  );
  expect(warn.mock.calls).toEqual([]);
  warn.mockRestore();
  const own = files.filter((name) => !name.startsWith('dist/'));
  const bundles = await readdir(join(root, 'l10n')).catch(() => []);
  const pictures = (await readdir(join(root, 'media'), { recursive: true }))
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => /\.(?:png|svg)$/u.test(name));
  expect(own.sort()).toEqual(
    [
      ...['package.json', 'package.nls.json', 'package.nls.zh-cn.json'],
      ...['README.md', 'CHANGELOG.md', 'LICENSE'],
      ...bundles.map((name) => `l10n/${name}`),
      ...pictures.map((name) => `media/${name}`),
    ].sort(),
  );
  const readme = await readFile(join(root, 'README.md'), 'utf8');
  for (const [, picture] of readme.matchAll(/!\[[^\]]*\]\((?!https?:)([^)\s]+)/g)) {
    expect(own).toContain(picture);
  }
  expect(files.filter((name) => /\.(map|ts|mts)$|node_modules|test/.test(name))).toEqual([]);
});

/** What several bundles share, or one loads late. */
const part = /^part-\w+\.js$/;

/** Returns a bundle and all that is loaded at once with it. */
function needed(name: string, found = new Set<string>()): Set<string> {
  found.add(name);
  const [, output] = Object.entries(outputs).find(([path]) => path.endsWith(`/dist/${name}`)) ?? [];
  for (const { path, kind, external } of output?.imports ?? []) {
    const other = basename(path);
    if (kind === 'import-statement' && external !== true && !found.has(other)) needed(other, found);
  }
  return found;
}

/** Returns what a bundle asks for at run time. */
function requires(code: string): Set<string> {
  return new Set([...code.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name]) => name ?? ''));
}
