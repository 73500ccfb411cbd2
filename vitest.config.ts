import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'web/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, 'test/long/**'],
    // Of property tests: ASSAY_TEST_SEED=7 npx vitest run looks elsewhere.
    provide: { seed: Number(process.env['ASSAY_TEST_SEED'] ?? 1), isLong: false },
    // Most tests wait for processes most of the time.
    maxWorkers: 4,
    // A process runs many files. Starting one for each file takes longer than most tests.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
