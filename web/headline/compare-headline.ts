import type { Comparison } from '../../src/model/comparison.ts';
import type { Verdict } from '../../src/model/record.ts';
import { plural } from '../text/format.ts';

/** What a comparison came to, in one sentence. No sign where chance may explain new failures. */
export function compareHeadline({
  pairs,
  tests,
  verdicts,
  regression,
}: Pick<Comparison, 'pairs' | 'tests' | 'verdicts' | 'regression'>): {
  readonly outcome: Verdict | undefined;
  readonly sentence: string;
} {
  const { new_failures, fixes, flips, compared } = tests;
  if (pairs === 0)
    return { outcome: 'error', sentence: 'Nothing to compare: no test was measured in both runs' };
  const changed = [
    new_failures > 0 ? plural(new_failures, 'new failure') : '',
    fixes > 0 ? `${fixes} fixed` : '',
  ].filter((part) => part !== '');
  const counts = `${changed.join(', ')} in ${plural(compared, 'test')}`;
  const points = Math.round((verdicts.difference?.value ?? 0) * 1000) / 10;
  const rate =
    points === 0
      ? ''
      : `; the pass rate ${points < 0 ? 'fell' : 'rose'} by ${Math.abs(points)} ${Math.abs(points) === 1 ? 'point' : 'points'}`;
  if (regression.found) {
    const chance = regression.whole ? ', more than chance explains' : '';
    const what = changed.length === 0 ? `${plural(regression.tests.length, 'test')} got worse` : counts;
    return { outcome: 'failed', sentence: `Worse: ${what}${rate}${chance}` };
  }
  if (new_failures > 0)
    return { outcome: undefined, sentence: `No regression: ${counts}${rate}, which chance may explain` };
  if (fixes > 0) return { outcome: 'passed', sentence: `Better: ${counts}, none broken${rate}` };
  const same = `${compared === 1 ? 'the only test has' : `all ${plural(compared, 'test')} have`} the same verdict`;
  return {
    outcome: 'passed',
    sentence: `No change: ${same}${flips > 0 ? `; repeats of ${flips} differ` : ''}`,
  };
}
