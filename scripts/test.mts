// Everything there is to test, cheap things first, and the sum of it in the last line.
//
// Each suite leaves a tally; one that leaves none, or none newer than its start, has crashed and counts as a failure.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { bin, run } from './run.mts';
import { tallyFile } from './report.mts';
import type { Tally } from './report.mts';

const node = process.execPath;
/** Checks that are one question each, and suites that count their own tests. */
const checks: Record<string, [string, ...string[]]> = {
  types: [node, 'scripts/typecheck.mts'],
  lint: [node, bin('eslint'), '--max-warnings=0', '.'],
  format: [node, bin('prettier'), '--check', '--log-level', 'warn', '.'],
};
const suites: Record<string, [string, ...string[]]> = {
  unit: [node, 'scripts/unit.mts'],
  view: [node, 'scripts/test-view.mts'],
  host: [node, 'scripts/test-host.mts', 'host'],
  web: [node, 'scripts/test-host.mts', 'web'],
  oldest: [node, 'scripts/test-host.mts', 'oldest'],
  ui: [node, 'scripts/test-ui.mts'],
};

const rows: { name: string; tally: Tally; seconds: number }[] = [];
for (const [name, command] of Object.entries({ ...checks, ...suites })) {
  console.log(`\n── ${name} ${'─'.repeat(60 - name.length)}`);
  rmSync(tallyFile(name), { force: true });
  const begin = Date.now();
  const code = await run(command[0], command.slice(1));
  const tally =
    name in checks
      ? { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 }
      : readTally(name, code);
  rows.push({ name, tally, seconds: (Date.now() - begin) / 1000 });
}

console.log(`\n${'─'.repeat(64)}`);
for (const { name, tally, seconds } of rows) {
  const sign = tally.failed === 0 ? '✓' : '✗';
  console.log(
    `${sign} ${name.padEnd(8)} ${tally.passed} passed, ${tally.failed} failed, ${seconds.toFixed(1)} s`,
  );
}
const sum = (which: keyof Tally): number =>
  rows.reduce((total, { tally }) => total + tally[which], 0);
process.exitCode = sum('failed') === 0 ? 0 : 1;
console.log(`${sum('passed')} passed, ${sum('failed')} failed`);

function readTally(name: string, code: number): Tally {
  const file = tallyFile(name);
  if (!existsSync(file)) return { passed: 0, failed: 1 };
  const tally = JSON.parse(readFileSync(file, 'utf8')) as Tally;
  const silent = tally.failed === 0 && (code !== 0 || tally.passed === 0);
  return silent ? { ...tally, failed: 1 } : tally;
}
