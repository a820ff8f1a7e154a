// Runs one benchmark, `npm run -s bench -- SUITE`, which prints one JSON object. The suite is bundled first, because it
// measures the product's own source.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import type { Plugin } from 'esbuild';
import { root, run } from './run.mts';

const [suite, ...rest] = process.argv.slice(2);
const entry = join(root, 'bench', `${suite}.mts`);
if (suite === undefined || !existsSync(entry)) {
  const names = readdirSync(join(root, 'bench')).filter(
    (name) => name.endsWith('.mts') && !['harness.mts', 'peer.mts'].includes(name),
  );
  console.error(`Say which: ${names.map((name) => name.slice(0, -'.mts'.length)).join(', ')}.`);
  process.exit(1);
}
/** Scripts and the test kit run as they are: where they lie tells them where the project is. */
const scriptsAsTheyAre: Plugin = {
  name: 'scripts-as-they-are',
  setup(build) {
    build.onResolve({ filter: /^\.\.?\/.*\.mts$/ }, ({ path, resolveDir }) => ({
      path: pathToFileURL(join(resolveDir, path)).href,
      external: true,
    }));
  },
};

// Inside node_modules, so that the packages it imports are found.
const outfile = join(root, 'node_modules', '.cache', 'bench', `${suite}.mjs`);
await build({
  ...{ entryPoints: [entry], outfile, bundle: true, format: 'esm', platform: 'node' },
  ...{ target: 'node24', packages: 'external', logLevel: 'warning', plugins: [scriptsAsTheyAre] },
  // Outside VS Code the file service runs over a stand-in, with no editor open.
  alias: { vscode: join(root, 'test', 'fakes', 'vscode.ts') },
  logOverride: { 'import-is-undefined': 'silent' },
});
process.exitCode = await run(process.execPath, ['--expose-gc', outfile, ...rest]);
