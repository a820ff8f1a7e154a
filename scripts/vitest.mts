import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeTally } from './report.mts';
import { root, run } from './run.mts';

interface JsonReport {
  numPassedTests: number;
  numFailedTests: number;
  numFailedTestSuites: number;
  testResults: { status: string; assertionResults: unknown[] }[];
}

/** Runs vitest, leaves the suite's tally, and returns the exit code; a suite without tests has failed. */
export async function runVitest(
  suite: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<number> {
  const file = join(root, 'test-results', `${suite}.json`);
  rmSync(file, { force: true });
  const code = await run(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', '--outputFile.json', file, ...args],
    env,
  );
  const tally = read(file);
  if (!tally || tally.passed + tally.failed === 0 || (code !== 0 && tally.failed === 0)) {
    console.error(
      ` ✗ ${suite}: ${tally ? `vitest ended with ${code} and no failed test` : 'no results'}`,
    );
    writeTally(suite, { passed: tally?.passed ?? 0, failed: (tally?.failed ?? 0) + 1 });
    return code === 0 ? 1 : code;
  }
  writeTally(suite, tally);
  return code;
}

function read(file: string): { passed: number; failed: number } | undefined {
  try {
    const report = JSON.parse(readFileSync(file, 'utf8')) as JsonReport;
    // A file that fails to load has no tests to count.
    const broken = report.testResults.filter(
      ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
    );
    return { passed: report.numPassedTests, failed: report.numFailedTests + broken.length };
  } catch (error) {
    console.error(error);
    return undefined;
  }
}
