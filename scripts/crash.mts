// Kills the product's store, file service and moves at random instants, more often than `npm test` does: `crash.mts [RUNS]`.
import { runVitest } from './vitest.mts';

const [runs = '500'] = process.argv.slice(2);
process.exitCode = await runVitest('crash', ['test/unit/crash'], { CRASH_RUNS: runs });
