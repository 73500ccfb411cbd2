import { groupBy } from '../../src/base/model/group-by.ts';
import type { Reasons } from '../../src/base/model/run-headline.ts';
import { reasonOf } from './group-rows.ts';
import type { TestRow } from './test-row.ts';

/** Why the tests of a run failed: the most common reason. Undefined if none failed, or no reason is known. */
export function runReasons(tests: readonly TestRow[]): Reasons | undefined {
  const groups = groupBy(
    tests.filter((row) => reasonOf(row) !== undefined),
    (row) => reasonOf(row)!,
  );
  let most: readonly TestRow[] = [];
  for (const group of groups.values()) if (group.length > most.length) most = group;
  const text = most[0]?.problem;
  return text === undefined ? undefined : { text, tests: most.length, count: groups.size };
}
