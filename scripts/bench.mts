// Runs one benchmark, `npm run -s bench -- SUITE`, which prints one JSON object. The suite is bundled first, because it
// measures the product's own source.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root, run } from './run.mts';

const [suite, ...rest] = process.argv.slice(2);
const entry = join(root, 'bench', `${suite}.mts`);
if (suite === undefined || !existsSync(entry)) {
  const names = readdirSync(join(root, 'bench')).filter(
    (name) => name.endsWith('.mts') && name !== 'harness.mts',
  );
  console.error(`Say which: ${names.map((name) => name.slice(0, -'.mts'.length)).join(', ')}.`);
  process.exit(1);
}
// Inside node_modules, so that the packages it imports are found.
const outfile = join(root, 'node_modules', '.cache', 'bench', `${suite}.mjs`);
await build({
  entryPoints: [entry],
  outfile,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  packages: 'external',
  logLevel: 'warning',
});
process.exitCode = await run(process.execPath, ['--expose-gc', outfile, ...rest]);
