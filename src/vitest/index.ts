import { afterAll, describe, expect, test } from 'vitest';
import { createAssaySuite, type AssaySuite } from './assay-suite.ts';

export type { AssaySuite, AssaySuiteOptions, SuitePath } from './assay-suite.ts';

/** Makes every test of a suite a test of vitest: `assaySuite('booking.test.yaml', { agent })`. */
export const assaySuite: AssaySuite = createAssaySuite({
  describe: (name, define) => describe(name, define),
  test: (name, options, body) => test(name, options, body),
  afterAll: (check) => afterAll(check),
  currentFile: () => expect.getState().testPath,
});
