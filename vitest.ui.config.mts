import { defineConfig } from 'vitest/config';

// Browser tests: each file opens VS Code windows of its own, one file after the other, so that two cores keep up.
export default defineConfig({
  test: {
    include: ['test/ui/**/*.test.ts'],
    fileParallelism: false,
    maxWorkers: 1,
    silent: 'passed-only',
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 30_000,
    reporters: ['verbose', ['json', { outputFile: 'test-results/ui.json' }]],
  },
});
