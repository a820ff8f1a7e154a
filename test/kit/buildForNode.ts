import { basename, join } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '../..');

/** Bundles a module of the tests, with the product in it, for a Node process of its own, and returns where it is. */
export async function buildForNode(module: string): Promise<string> {
  // Inside node_modules, so that the packages it imports are found.
  const outfile = join(root, 'node_modules/.cache/processes', basename(module, '.ts') + '.mjs');
  await build({
    ...{ entryPoints: [join(root, module)], outfile, bundle: true },
    ...{ format: 'esm', platform: 'node', target: 'node24', packages: 'external' },
    ...{ logLevel: 'error', alias: { vscode: join(root, 'test/fakes/vscode.ts') } },
  });
  return outfile;
}
