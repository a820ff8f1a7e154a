// Runs the tests that need no VS Code; arguments go on to vitest: `unit.mts test/unit/core -t "merge"`.
import { runVitest } from './vitest.mts';

process.exitCode = await runVitest('unit', process.argv.slice(2));
