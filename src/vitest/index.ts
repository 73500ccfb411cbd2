import { afterAll, describe, expect, test, type TestOptions } from 'vitest';
import { createAssaySuite, type AssaySuite } from './assay-suite.ts';
import type { RecordedTest } from './suite-run.ts';

declare module 'vitest' {
  // `task.meta` in reporters and hooks.
  interface TaskMeta extends RecordedTest {}
}

export type { AssaySuite, AssaySuiteOptions, SuitePath } from './assay-suite.ts';

/** Makes every test of a suite a test of vitest: `assaySuite('booking.test.yaml', { agent })`. */
export const assaySuite: AssaySuite = createAssaySuite({
  describe: (name, define) => describe(name, define),
  test: (name, options, body) => test(name, options as TestOptions, body),
  afterAll: (check) => afterAll(check),
  currentFile: () => expect.getState().testPath,
  knowsTag,
});

/** Vitest has tags since 4.1, and refuses those that its config does not name. */
function knowsTag(tag: string): boolean {
  const worker = (globalThis as Record<string, unknown>)['__vitest_worker__'] as Worker | undefined;
  const config = worker?.config;
  if (config?.tags === undefined) return false;
  return config.strictTags === false || config.tags.some(({ name }) => name === tag);
}

interface Worker {
  readonly config?: {
    readonly tags?: readonly { readonly name: string }[];
    readonly strictTags?: boolean;
  };
}
