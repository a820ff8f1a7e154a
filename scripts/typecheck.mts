// Checks the types of every room with the libraries that room may know, a few at a time.
import { readdirSync } from 'node:fs';
import { cpus } from 'node:os';
import { root, run } from './run.mts';

const projects = readdirSync(root).filter((name) => /^tsconfig(\.(?!base)\w+)?\.json$/.test(name));
const codes: number[] = [];
const workers = Array.from({ length: Math.min(2, cpus().length) }, async () => {
  for (let project = projects.pop(); project !== undefined; project = projects.pop()) {
    codes.push(
      await run(process.execPath, ['node_modules/typescript/bin/tsc', '--noEmit', '-p', project]),
    );
  }
});
await Promise.all(workers);
process.exitCode = codes.some((code) => code !== 0) ? 1 : 0;
