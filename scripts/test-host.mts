// Runs the tests of test/host inside VS Code: `test-host.mts host|web|oldest|desktop [--grep TEXT] [--whole]`.
//
// @vscode/test-electron launches them all. On most machines and in CI the executable it is given is our stand-in, which
// runs VS Code's server; `desktop` lets it download a desktop VS Code.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { TestRunFailedError, runTests } from '@vscode/test-electron';
import type { HostOptions, HostResults } from '../test/host/results.ts';
import { ensureBrowser } from '../test/kit/browser.mts';
import { ensureVSCode, mainVersion, oldestVersion, root } from '../test/kit/install.mts';
import { buildAll } from './build.mts';
import { report } from './report.mts';
import type { Tally } from './report.mts';

const kinds = {
  host: { host: 'node', version: mainVersion, grep: undefined },
  web: { host: 'web', version: mainVersion, grep: undefined },
  oldest: { host: 'node', version: oldestVersion, grep: '@oldest' },
  desktop: undefined,
} as const;
type Kind = keyof typeof kinds;

/** Every combination takes hours, in milliseconds. */
const wholeLimit = 4 * 60 * 60 * 1000;

/** Runs one kind and returns how many tests passed and failed; a run that did not come to its end counts as failed. */
async function testHost(kind: Kind, asked: HostOptions): Promise<Tally> {
  const setup = kinds[kind];
  if (setup) {
    await ensureVSCode(setup.version);
    ensureBrowser();
  }
  await buildAll({ tests: true });
  const place = await mkdtemp(join(tmpdir(), `retrace-${kind}-`));
  const logs = join(root, 'test-results', kind);
  await rm(logs, { recursive: true, force: true });
  try {
    const folder = join(place, 'workspace');
    await mkdir(folder);
    const options: HostOptions = { ...(setup?.grep && { grep: setup.grep }), ...asked };
    await writeFile(join(place, 'options.json'), JSON.stringify(options));
    const ended = await launch(kind, folder, logs, asked.whole === true);
    const results = await readFile(join(place, 'results.json'), 'utf8').catch(() => undefined);
    return report(
      kind,
      results === undefined ? undefined : (JSON.parse(results) as HostResults),
      ended,
      logs,
    );
  } finally {
    await rm(place, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** Returns whether VS Code ended as if all tests had passed. */
async function launch(kind: Kind, folder: string, logs: string, whole: boolean): Promise<boolean> {
  const setup = kinds[kind];
  const entry = setup?.host === 'web' ? 'host-web' : 'host';
  const standIn = join(
    root,
    'scripts',
    process.platform === 'win32' ? 'vscode-stand-in.cmd' : 'vscode-stand-in.mts',
  );
  try {
    await runTests({
      ...(setup ? { vscodeExecutablePath: standIn } : { version: 'stable' }),
      extensionDevelopmentPath: root,
      extensionTestsPath: join(root, 'dist', 'test', entry),
      launchArgs: [folder],
      extensionTestsEnv: setup
        ? {
            RETRACE_TEST_HOST: setup.host,
            RETRACE_TEST_VERSION: setup.version,
            RETRACE_TEST_LOGS: logs,
            ...(whole && { RETRACE_TEST_LIMIT: String(wholeLimit) }),
          }
        : {},
    });
    return true;
  } catch (error) {
    if (error instanceof TestRunFailedError) return false;
    throw error;
  }
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { grep: { type: 'string' }, whole: { type: 'boolean' } },
});
const kind = positionals[0];
if (kind === undefined || !(kind in kinds))
  throw new Error(`Say which: ${Object.keys(kinds).join(', ')}.`);
const tally = await testHost(kind as Kind, values);
process.exitCode = tally.failed === 0 ? 0 : 1;
