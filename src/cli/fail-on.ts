import type { RegressionRule } from '../model/comparison.ts';

const RULES: readonly string[] = [
  'regression',
  'significant',
  'new-failure',
  'any',
] satisfies readonly RegressionRule[];

export function isRegressionRule(value: string): value is RegressionRule {
  return RULES.includes(value);
}

export function failOnProblem(value: string): string {
  return `--fail-on takes regression, significant, new-failure or any, not "${value}"`;
}
