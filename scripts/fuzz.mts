// Runs the property tests longer than `npm test` does, and each fuzzer for a minute: `fuzz.mts [RUNS] [more arguments for
// vitest]`. `FUZZ_SECONDS` gives the fuzzers another time.
import { runVitest } from './vitest.mts';

const [first, ...rest] = process.argv.slice(2);
const runs = first !== undefined && /^\d+$/.test(first) ? first : undefined;
const args = first === undefined || runs ? rest : [first, ...rest];
const env = {
  FUZZ_RUNS: runs ?? process.env['FUZZ_RUNS'] ?? '10000',
  FUZZ_SECONDS: process.env['FUZZ_SECONDS'] ?? '60',
};
process.exitCode = await runVitest(
  'fuzz',
  ['--testTimeout', '3600000', ...(args.length > 0 ? args : ['property', 'fuzz'])],
  env,
);
