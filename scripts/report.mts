// How many tests passed and failed, told by each suite in a file of its own and summed up by `npm test`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mts';
import type { HostResults } from '../test/host/results.ts';

export interface Tally {
  passed: number;
  failed: number;
}

export function tallyFile(suite: string): string {
  return join(root, 'test-results', `${suite}.tally.json`);
}

export function writeTally(suite: string, tally: Tally): void {
  mkdirSync(join(root, 'test-results'), { recursive: true });
  writeFileSync(tallyFile(suite), JSON.stringify(tally));
}

/** Prints what came back from VS Code and writes the suite's tally. */
export function report(
  suite: string,
  results: HostResults | undefined,
  ended: boolean,
  logs: string,
): Tally {
  const tests = results?.tests ?? [];
  for (const test of tests) {
    const sign = { passed: '✓', failed: '✗', skipped: '-' }[test.state];
    console.log(` ${sign} ${test.title} (${Math.round(test.ms)} ms)`);
    if (test.error) console.log(test.error.replaceAll(/^/gm, '     '));
  }
  const count = (state: string): number => tests.filter((test) => test.state === state).length;
  const tally = { passed: count('passed'), failed: count('failed') };
  const fault = faultOf(results, tally, ended);
  if (fault) {
    tally.failed += 1;
    console.error(` ✗ ${suite}: ${fault} (see ${logs})`);
  }
  console.log(
    `${suite}${results ? ` (VS Code ${results.version})` : ''}: ${tally.passed} passed, ${tally.failed} failed`,
  );
  writeTally(suite, tally);
  return tally;
}

/** Returns what was wrong with the run as a whole. */
function faultOf(
  results: HostResults | undefined,
  tally: Tally,
  ended: boolean,
): string | undefined {
  if (!results) return 'the tests never began';
  if (!results.finished)
    return results.running
      ? `ended while running "${results.running}"`
      : 'ended before all tests had run';
  if (tally.passed + tally.failed === 0) return 'no test was run';
  if (!ended && tally.failed === 0) return 'VS Code reports a failure';
  return undefined;
}
