import { comparisonHeadline } from '../../src/base/model/comparison-headline.ts';
import type { Comparison } from '../../src/base/model/comparison.ts';
import type { Verdict } from '../../src/base/model/record.ts';

/** What a comparison came to, in the sentence of `assay compare`. No sign where chance may explain new failures. */
export function compareHeadline(comparison: Comparison): {
  readonly outcome: Verdict | undefined;
  readonly sentence: string;
} {
  return { outcome: outcomeOf(comparison), sentence: comparisonHeadline(comparison) };
}

function outcomeOf({ pairs, tests, regression }: Comparison): Verdict | undefined {
  if (pairs === 0) return 'error';
  if (regression.found) return 'failed';
  return tests.new_failures > 0 ? undefined : 'passed';
}
