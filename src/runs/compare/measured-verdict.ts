import type { Verdict } from '../../base/model/record.ts';
import type { PassCounts } from '../../base/stats/pass-counts.ts';
import { testVerdict } from '../fold/test-verdict.ts';
import type { GateRules } from '../../base/model/gate.ts';
import type { ComparedTest } from './run-side.ts';

/** The verdict of a test over its measured repeats alone. If nothing was measured, it is an error. */
export function measuredVerdict(
  { passed, measured }: PassCounts,
  { passAtLeast }: Pick<ComparedTest, 'passAtLeast'>,
  rules: GateRules,
): Verdict {
  if (measured === 0) return 'error';
  const counts = { passed, failed: measured - passed, error: 0, skipped: 0, not_graded: 0, passAtLeast };
  return testVerdict(counts, rules).verdict;
}
