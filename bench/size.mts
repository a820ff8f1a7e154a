// What Retrace costs before it is used: the time and the bytes of its activation in a real VS Code, and the size of all
// that ships. The bounds are the budgets of docs/architecture.md; `theirs` is the budget.
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildAll } from '../scripts/build.mts';
import { packageExtension } from '../scripts/package.mts';
import { openWorkbench } from '../test/kit/workbench.mts';
import { median, print, ratio } from './harness.mts';

interface Activation {
  wasActive: boolean;
  load: number;
  activate: number;
  files: { name: string; bytes: number }[];
}

const runs = 5;
const place = await mkdtemp(join(tmpdir(), 'retrace-size-'));
try {
  const sizes = await bundleSizes(join(place, 'dist'));
  const vsix = join(place, 'retrace.vsix');
  await packageExtension(vsix);
  const activations = await activate(vsix);
  const loaded = activations.at(-1)?.files ?? [];
  print('size', {
    'activation ms': ratio(median(activations.map(({ load, activate }) => load + activate)), 50, 1),
    'loaded at activation kB': ratio(sum(loaded.map(({ bytes }) => bytes)) / 1000, 300, 1),
    'AI SDK bundles loaded at activation': ratio(
      loaded.filter(({ name }) => name === 'agent.js').length,
      1,
      0,
    ),
    'all host code kB': ratio(sizes.host / 1000, 1500, 1),
    'all web host code kB': ratio(sizes.webHost / 1000, 1500, 1),
    'view kB': ratio(sizes.view / 1000, 900, 1),
  });
} finally {
  await rm(place, { recursive: true, force: true });
}

/** Activates the installed package in a new extension host each time. */
async function activate(vsix: string): Promise<Activation[]> {
  const workbench = await openWorkbench({ folder: place, vsix });
  const activations: Activation[] = [];
  try {
    for (let run = 0; run < runs; run += 1) {
      if (run > 0) await workbench.reload();
      const activation = await workbench.execute<Activation>('retrace-test.activation');
      if (activation.wasActive) throw new Error('Retrace was active before anything asked for it.');
      if (activation.load === 0) throw new Error('Loading Retrace was not seen.');
      activations.push(activation);
    }
  } finally {
    await workbench.close();
  }
  return activations;
}

interface Sizes {
  host: number;
  webHost: number;
  view: number;
}

/** The bytes of what ships, as it lies on disk. */
async function bundleSizes(outdir: string): Promise<Sizes> {
  await buildAll({ production: true, tests: false, outdir });
  const inFolder = async (folder: string, ending: RegExp): Promise<number> => {
    const names = (await readdir(join(outdir, folder))).filter((name) => ending.test(name));
    const stats = await Promise.all(names.map((name) => stat(join(outdir, folder, name))));
    return sum(stats.map(({ size }) => size));
  };
  return {
    host: await inFolder('', /\.js$/u),
    webHost: await inFolder('web', /\.js$/u),
    view: await inFolder('view', /\.(?:js|css)$/u),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
