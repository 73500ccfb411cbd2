import type { Comparison, RegressionRule } from '../model/comparison.ts';
import type { PairedTest } from './pairing.ts';

interface Compared {
  readonly rule: RegressionRule;
  readonly alpha: number;
  readonly tests: readonly PairedTest[];
  readonly verdicts: Comparison['verdicts'];
}

/** Whether it got worse, by the chosen rule. */
export function hasRegressed({ rule, alpha, tests, verdicts }: Compared): boolean {
  switch (rule) {
    case 'regression':
      return tests.some(({ before, after }) => before.verdict === 'passed' && after.verdict === 'failed');
    case 'any':
      return tests.some(({ worse, rates, scores }) => worse > 0 || rates.sum < 0 || scores.hasFallen);
    case 'significant': {
      const { p_value, by_test, new_failures, fixes } = verdicts;
      if (p_value !== undefined) return p_value < alpha && new_failures > fixes;
      const change = tests.reduce((sum, { rates }) => sum + rates.sum, 0);
      return by_test !== undefined && by_test.p_value < alpha && change < 0;
    }
  }
}
