import { assertionLabel } from './all-problems.ts';
import type { AssertionRecord, AttemptRecord } from './record.ts';
import { reaches } from './threshold.ts';

/** The evaluators whose weighted mean is compared with the threshold. */
export interface ScoreSum {
  /** `step 1`, or `whole test`. */
  readonly name: string;
  readonly evaluators: readonly AssertionRecord[];
  /** Undefined if an evaluator that counts could not be measured. */
  readonly mean: number | undefined;
  readonly threshold: number | undefined;
  readonly isLow: boolean;
}

type Scored = Pick<AttemptRecord, 'steps' | 'assertions' | 'threshold'>;

/** Why a scored test got its score: a weighted mean for each group of evaluators. */
export function scoreSums({ steps, assertions, threshold }: Scored): readonly ScoreSum[] {
  const groups = [
    ...steps.map((step, index) => ({ name: `step ${index + 1}`, all: step.assertions })),
    { name: 'whole test', all: assertions },
  ];
  return groups.flatMap(({ name, all }) => {
    const evaluators = all.filter(({ form }) => form === 'evaluator');
    if (evaluators.length === 0) return [];
    const mean = meanOf(evaluators);
    const isLow = mean !== undefined && threshold !== undefined && !reaches(mean, threshold);
    return [{ name, evaluators, mean, threshold, isLow }];
  });
}

function meanOf(evaluators: readonly AssertionRecord[]): number | undefined {
  const counting = evaluators.filter(({ weight }) => weight > 0);
  const weight = counting.reduce((sum, one) => sum + one.weight, 0);
  if (weight === 0) return 0;
  if (counting.some(({ score }) => score === undefined)) return undefined;
  return counting.reduce((sum, one) => sum + one.weight * one.score!, 0) / weight;
}

/** With as many digits as tell it from a threshold. */
export function exactScore(score: number): string {
  return String(Number(score.toFixed(4)));
}

/** The evaluators that failed, or could not be measured, in a test that passed. */
export function failedEvaluators({
  steps,
  assertions,
}: Pick<Scored, 'steps' | 'assertions'>): readonly AssertionRecord[] {
  return [...steps, { assertions }]
    .flatMap((group) => group.assertions)
    .filter(({ form, passed }) => form === 'evaluator' && passed !== true);
}

/** `score 0.75, threshold 0.5`. */
export function scoreWords({ score, threshold }: Pick<AttemptRecord, 'score' | 'threshold'>): string {
  return [
    score === undefined ? '' : `score ${exactScore(score)}`,
    threshold === undefined ? '' : `threshold ${exactScore(threshold)}`,
  ]
    .filter((part) => part !== '')
    .join(', ');
}

/** `contains#2 scored 0`, in a test that passed all the same. */
export function evaluatorWords(evaluator: AssertionRecord): string {
  const label = assertionLabel(evaluator);
  return evaluator.score === undefined
    ? `${label} could not be measured`
    : `${label} scored ${exactScore(evaluator.score)}`;
}
