// Drives the pages in a browser against a written host: every test/view/*.check.mts, or those whose name holds the first
// argument; a second one chooses checks by name.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { spawn } from 'node:child_process';
import { tallyFile } from './report.mts';
import { root } from './run.mts';

const [wanted = '', ...rest] = process.argv.slice(2);
const folder = join(root, 'test', 'view');
const files = readdirSync(folder).filter(
  (name) => name.endsWith('.check.mts') && name.includes(wanted),
);
const tally = { passed: 0, failed: 0 };
for (const name of files) {
  const counted = await check(join(folder, name));
  tally.passed += counted.passed;
  tally.failed += counted.failed;
}
mkdirSync(dirname(tallyFile('view')), { recursive: true });
writeFileSync(tallyFile('view'), JSON.stringify(tally));
process.exitCode = tally.failed === 0 && tally.passed > 0 ? 0 : 1;

/** One file counts its own checks, and says so in its last line; one that does not has crashed. */
async function check(file: string): Promise<{ passed: number; failed: number }> {
  const child = spawn(process.execPath, [file, ...rest], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (piece: Buffer) => {
    output += piece.toString();
    process.stdout.write(piece);
  });
  await new Promise((resolve) => child.on('close', resolve));
  const sums = /(\d+) passed, (\d+) failed\s*$/u.exec(output);
  return sums ? { passed: Number(sums[1]), failed: Number(sums[2]) } : { passed: 0, failed: 1 };
}
