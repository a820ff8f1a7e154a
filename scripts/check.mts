// Types, lint, format and unit tests: what needs no VS Code. All are run, so that one answer names every fault.
import { run } from './run.mts';

const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
let failed = 0;
for (const script of ['typecheck', 'lint', 'format:check', 'unit']) {
  if ((await run(npm, ['run', '-s', script])) !== 0) {
    console.error(`✗ ${script}`);
    failed += 1;
  }
}
process.exitCode = failed === 0 ? 0 : 1;
