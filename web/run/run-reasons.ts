import type { Reasons } from '../../src/base/model/run-headline.ts';
import { reasonOf } from './group-rows.ts';
import type { TestRow } from './test-row.ts';

/** Why the tests of a run failed: the most common reason. Undefined if none failed, or no reason is known. */
export function runReasons(tests: readonly TestRow[]): Reasons | undefined {
  const counts = new Map<string, { readonly first: TestRow; tests: number }>();
  for (const row of tests) {
    const reason = reasonOf(row);
    if (reason === undefined) continue;
    const known = counts.get(reason);
    if (known === undefined) counts.set(reason, { first: row, tests: 1 });
    else known.tests++;
  }
  let most: { readonly first: TestRow; readonly tests: number } | undefined;
  for (const one of counts.values()) if (one.tests > (most?.tests ?? 0)) most = one;
  const text = most?.first.problem;
  return most === undefined || text === undefined
    ? undefined
    : { text, tests: most.tests, count: counts.size };
}
