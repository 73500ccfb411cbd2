import type { PassAtLeast } from '../model/pass-at-least.ts';
import type { Verdict } from '../model/record.ts';
import { testVerdict } from '../model/test-verdict.ts';
import type { PassCounts } from '../stats/pass-counts.ts';

/** What a test comes to over its measured repeats alone. Nothing measured is an error. */
export function measuredVerdict(
  { passed, measured }: PassCounts,
  passAtLeast: PassAtLeast | undefined,
): Verdict {
  if (measured === 0) return 'error';
  return testVerdict({ passed, failed: measured - passed, error: 0, skipped: 0 }, passAtLeast);
}
