// Runs the browser tests; arguments go on to vitest: `test-ui.mts test/ui/rewind.test.ts -t "by keyboard"`.
import { ensureBrowser } from '../test/kit/browser.mts';
import { ensureVSCode, mainVersion } from '../test/kit/install.mts';
import { buildAll } from './build.mts';
import { runVitest } from './vitest.mts';

await ensureVSCode(mainVersion);
ensureBrowser();
await buildAll({ tests: false });
process.exitCode = await runVitest('ui', [
  '--config',
  'vitest.ui.config.mts',
  ...process.argv.slice(2),
]);
