import type { Comparison, Regression, RegressionRule, RegressedTest } from '../../base/model/comparison.ts';
import { testKey } from '../../base/model/test-key.ts';
import type { PairedTest } from './pairing.ts';
import { isRepeated } from './repeated-tests.ts';

interface Compared {
  readonly rule: RegressionRule;
  readonly alpha: number;
  readonly tests: readonly PairedTest[];
  readonly verdicts: Comparison['verdicts'];
  /** Those of tests with repeats, after correction. */
  readonly pValues: ReadonlyMap<PairedTest, number>;
  /** The same replies, judged twice: nothing is chance. */
  readonly sameReplies: boolean;
}

/**
 * What got worse, by the chosen rule.
 *
 * Both p-values are two-sided, and only drops are regressions. With equal agents, the whole drops by chance with a
 * probability of at most half of alpha, and so does any single test. Together that is alpha.
 */
export function findRegression(compared: Compared): Regression {
  const { rule, tests, sameReplies } = compared;
  const whole = usesChance(rule) && !sameReplies && hasWholeDropped(compared);
  const worse = tests.flatMap((test): readonly RegressedTest[] => {
    const because = whyWorse(test, compared);
    return because === undefined ? [] : [{ id: testKey(test), because }];
  });
  // Records are in the order in which attempts ended, which is never the same.
  worse.sort((a, b) => (a.id < b.id ? -1 : 1));
  return { rule, found: whole || worse.length > 0, whole, tests: worse };
}

function usesChance(rule: RegressionRule): boolean {
  return rule === 'regression' || rule === 'significant';
}

function hasWholeDropped({ verdicts: { p_value, difference }, alpha }: Compared): boolean {
  return p_value !== undefined && p_value < alpha && difference !== undefined && difference.value < 0;
}

function whyWorse(
  test: PairedTest,
  { rule, alpha, pValues, sameReplies }: Compared,
): RegressedTest['because'] | undefined {
  const { before, after, worse, rates, scores } = test;
  const isNewFailure = before.verdict === 'passed' && after.verdict === 'failed';
  const hasFallen = after.passed * before.measured < before.passed * after.measured;
  if (rule === 'any') {
    if (isNewFailure) return 'new_failure';
    if (worse > 0 || rates.sum < 0 || hasFallen) return 'attempts';
    return scores.hasFallen ? 'score' : undefined;
  }
  if (rule === 'new-failure' || sameReplies) return isNewFailure ? 'new_failure' : undefined;
  if (isRepeated(test)) return hasFallen && (pValues.get(test) ?? 1) < alpha ? 'drop' : undefined;
  return rule === 'regression' && isNewFailure ? 'new_failure' : undefined;
}
