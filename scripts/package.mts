// Packs the extension: a production build and what .vscodeignore lets through, in a folder of its own, so that nothing
// left over from development can ship.
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createVSIX, listFiles, PackageManager } from '@vscode/vsce';
import { buildAll } from './build.mts';
import { root } from './run.mts';

/** Writes the VSIX to `file` and returns the paths of what it holds. */
export async function packageExtension(file: string): Promise<string[]> {
  const stage = await mkdtemp(join(tmpdir(), 'retrace-package-'));
  try {
    const texts = (await readdir(root)).filter((name) => /^package\.nls\..*json$/.test(name));
    for (const name of [
      '.vscodeignore',
      'README.md',
      'CHANGELOG.md',
      'LICENSE',
      'media',
      'l10n',
      ...texts,
    ]) {
      if (existsSync(join(root, name)))
        await cp(join(root, name), join(stage, name), { recursive: true });
    }
    await writeFile(
      join(stage, 'package.json'),
      JSON.stringify(await shippedManifest(), undefined, 2),
    );
    await buildAll({ production: true, tests: false, outdir: join(stage, 'dist') });
    await quietly(() =>
      createVSIX({
        cwd: stage,
        packagePath: file,
        dependencies: false,
        allowMissingRepository: true,
        rewriteRelativeLinks: false,
      }),
    );
    return await listFiles({ cwd: stage, packageManager: PackageManager.None });
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

/** vsce lists what it packs on the way; whoever calls decides what is printed here. */
async function quietly(act: () => Promise<unknown>): Promise<void> {
  const { log } = console;
  console.log = () => undefined;
  try {
    await act();
  } finally {
    console.log = log;
  }
}

/** The manifest without what only this repository needs. */
async function shippedManifest(): Promise<Record<string, unknown>> {
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Record<
    string,
    unknown
  >;
  const ours = ['private', 'scripts', 'allowScripts', 'dependencies', 'devDependencies'];
  return Object.fromEntries(Object.entries(manifest).filter(([key]) => !ours.includes(key)));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { name, version } = JSON.parse(
    await readFile(join(root, 'package.json'), 'utf8'),
  ) as Record<'name' | 'version', string>;
  const file = resolve(process.argv[2] ?? join(root, `${name}-${version}.vsix`));
  const files = await packageExtension(file);
  console.log(files.sort().join('\n'));
  console.log(`\n${file}`);
}
