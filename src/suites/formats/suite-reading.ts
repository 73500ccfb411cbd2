import type { Finding } from '../../base/model/finding.ts';
import { isJsonList, isJsonObject, ownValue, type Json } from '../../base/model/json.ts';
import type { Suite } from '../../base/model/suite.ts';
import type { Test } from '../../base/model/test.ts';

/** A suite whose tests are read one by one: with `each`, a small file can stand for millions of them. */
export interface SuiteReading {
  readonly suite: Omit<Suite, 'tests'>;
  /** It may have more tests than fit in memory: rows of a file, or very many in a list. */
  readonly mayBeLong: boolean;
  /** Reads all tests, each time it is called. Returns what is wrong with the file. */
  tests(): Generator<Test, readonly Finding[]>;
}

/** Whether `each` of an authored test may stand for very many rows. */
export function mayHaveManyRows(authored: Json): boolean {
  const each = isJsonObject(authored) ? ownValue(authored, 'each') : undefined;
  return typeof each === 'string' || (isJsonList(each) && each.length > MANY_ROWS);
}

const MANY_ROWS = 1000;

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
