import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { root } from './run.mts';

/** Writes the licences of every package that a bundle contains: minified code no longer carries them. */
export async function writeNotices(outputs: Metafile['outputs'], outdir: string): Promise<void> {
  const inputs = Object.values(outputs).flatMap((output) => Object.keys(output.inputs));
  const folders = new Set(inputs.map(packageFolder).filter((folder) => folder !== undefined));
  const notices = await Promise.all([...folders].sort().map(notice));
  await mkdir(outdir, { recursive: true });
  await writeFile(
    join(outdir, 'THIRD-PARTY-NOTICES.txt'),
    notices.join(`\n\n${'='.repeat(80)}\n\n`),
  );
}

function packageFolder(input: string): string | undefined {
  const path = input.replaceAll('\\', '/');
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
}

async function notice(folder: string): Promise<string> {
  const place = join(root, folder);
  const manifest = JSON.parse(await readFile(join(place, 'package.json'), 'utf8')) as Record<
    string,
    unknown
  >;
  const names = existsSync(place) ? await readdir(place) : [];
  const texts = names.filter((name) => /^(licen[cs]e|notice|copying)(\.|-|$)/i.test(name)).sort();
  const bodies = await Promise.all(texts.map((name) => readFile(join(place, name), 'utf8')));
  const head = `${String(manifest['name'])} ${String(manifest['version'])} (${String(manifest['license'])})`;
  return [head, ...bodies.map((body) => body.trim())].join('\n\n');
}
