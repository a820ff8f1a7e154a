#!/usr/bin/env node
// Stands in for VS Code's executable: takes what @vscode/test-electron passes to one, runs the tests in a real VS Code
// in a browser, and ends with their exit code.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { mainVersion } from '../test/kit/install.mts';
import type { Version } from '../test/kit/install.mts';
import { openWorkbench } from '../test/kit/workbench.mts';
import type { Host } from '../test/kit/workbench.mts';

const args = process.argv.slice(2);
const tests = option('extensionTestsPath');
const folder = args.find((arg) => !arg.startsWith('--'));
const {
  RETRACE_TEST_HOST: host = 'node',
  RETRACE_TEST_VERSION: version = mainVersion,
  RETRACE_TEST_LOGS: logs,
} = process.env;
const limit = Number(process.env['RETRACE_TEST_LIMIT'] ?? 480_000);

let ended: (code: number) => void;
const exitCode = new Promise<number>((resolve) => (ended = resolve));
const workbench = await openWorkbench({
  ...(folder ? { folder } : {}),
  ...(logs ? { consoleFile: join(logs, 'console.log'), logFile: join(logs, 'server.log') } : {}),
  host: host as Host,
  version: version as Version,
  payload: [['extensionTestsPath', tests]],
  async prepare(page) {
    await page.exposeFunction('codeAutomationLog', () => {});
    await page.exposeFunction('codeAutomationExit', (code: number) => ended(code));
  },
});
const late = sleep(limit, 1, { ref: false }).then((code) => {
  console.error(`The tests did not end within ${limit / 1000} s.`);
  return code;
});
process.exitCode = await Promise.race([exitCode, late]);
await workbench.close();

function option(name: string): string {
  const value = args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
  if (value === undefined) throw new Error(`--${name}= is missing.`);
  return value;
}
