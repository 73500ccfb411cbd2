import { configDefaults, defineConfig } from 'vitest/config';

/** Tests that leave nothing behind in their process: files of them share one, which saves loading the source again. */
const WITHOUT_TRACES = [
  'src/**/*.test.ts',
  'web/**/*.test.ts',
  'test/{formats,evaluators,conformance,stats,python-re,check,compare,cli}/**/*.test.ts',
];

export default defineConfig({
  test: {
    // Of property tests: ASSAY_TEST_SEED=7 npx vitest run looks elsewhere.
    provide: { seed: Number(process.env['ASSAY_TEST_SEED'] ?? 1), isLong: false },
    // Tests read what people see, also if a coding agent runs them.
    env: { ASSAY_AGENT: 'false' },
    // Most tests wait for processes most of the time.
    maxWorkers: 4,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      { extends: true, test: { name: 'shared', include: WITHOUT_TRACES, isolate: false } },
      {
        extends: true,
        test: {
          name: 'alone',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, 'test/long/**', ...WITHOUT_TRACES],
        },
      },
    ],
  },
});
