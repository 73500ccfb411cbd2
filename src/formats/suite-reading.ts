import type { Finding } from '../model/finding.ts';
import type { Suite } from '../model/suite.ts';
import type { Test } from '../model/test.ts';

/** A suite whose tests are read one by one: with `each`, a small file can stand for millions of them. */
export interface SuiteReading {
  readonly suite: Omit<Suite, 'tests'>;
  /** Rows of other files are part of it. */
  readonly hasRowFiles: boolean;
  /** Reads all tests, each time it is called. Returns what is wrong with the file. */
  tests(): Generator<Test, readonly Finding[]>;
}

export function collectTests(reading: SuiteReading): {
  readonly suite: Suite;
  readonly findings: readonly Finding[];
} {
  const tests: Test[] = [];
  const generator = reading.tests();
  let next = generator.next();
  for (; next.done !== true; next = generator.next()) tests.push(next.value);
  return { suite: { ...reading.suite, tests }, findings: next.value };
}
