import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Outside VS Code the file service runs over a stand-in, with no editor open.
  resolve: { alias: { vscode: join(import.meta.dirname, 'test/fakes/vscode.ts') } },
  test: {
    include: ['test/unit/**/*.test.ts', 'test/manifest/**/*.test.ts'],
    // Two cores are common, and the suite is short: more workers cost more than they give.
    maxWorkers: 2,
    silent: 'passed-only',
    allowOnly: !process.env['CI'],
    testTimeout: 20_000,
    reporters: ['default', 'json'],
    // Not with the reporter, which would take no other name from the command line.
    outputFile: { json: 'test-results/unit.json' },
  },
});
