import { judgeAgreement, type JudgeAgreement } from '../../base/stats/judge-agreement.ts';
import type { CheckedExample, JudgedExample } from './check-examples.ts';

export interface CheckReport extends JudgeAgreement {
  readonly judge: string;
  readonly examples: number;
  /** Examples without a verdict: they are in none of the numbers. */
  readonly errors: number;
  /** Between labels and scores. */
  readonly mean_absolute_error: number | undefined;
  readonly results: readonly CheckedExample[];
}

/** What the replies of a judge say about it. */
export function createCheckReport(judge: string, results: readonly CheckedExample[]): CheckReport {
  const judged = results.filter(isJudged);
  const rated = judged.map(({ label_passes, passes, votes }) => ({
    label: label_passes,
    verdict: passes,
    votes,
  }));
  const distance = judged.reduce((sum, { label, score }) => sum + Math.abs(label - score), 0);
  return {
    judge,
    examples: results.length,
    errors: results.length - judged.length,
    ...judgeAgreement(rated),
    mean_absolute_error: judged.length === 0 ? undefined : distance / judged.length,
    results,
  };
}

export function isJudged(result: CheckedExample): result is JudgedExample {
  return 'score' in result;
}
