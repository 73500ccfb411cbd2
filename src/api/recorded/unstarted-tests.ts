import type { TestSummary } from '../../base/model/summary.ts';

/**
 * What a run must record about its tests because no record contains it: those with attempts that were not started.
 */
export function unstartedTests(tests: readonly TestSummary[]): readonly TestSummary[] | undefined {
  const unstarted = tests.filter(({ not_started }) => not_started > 0);
  return unstarted.length === 0 ? undefined : unstarted;
}
