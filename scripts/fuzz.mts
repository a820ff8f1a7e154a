// Runs the property tests longer than `npm test` does: `fuzz.mts [RUNS] [more arguments for vitest]`.
import { runVitest } from './vitest.mts';

const [first, ...rest] = process.argv.slice(2);
const runs = first !== undefined && /^\d+$/.test(first) ? first : undefined;
const args = first === undefined || runs ? rest : [first, ...rest];
const env = { FUZZ_RUNS: runs ?? process.env['FUZZ_RUNS'] ?? '10000' };
process.exitCode = await runVitest(
  'fuzz',
  ['--testTimeout', '3600000', ...(args.length > 0 ? args : ['property', 'fuzz'])],
  env,
);
