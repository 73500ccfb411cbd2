import type { AssertionRecord, RecordedError, Verdict } from '../../base/model/record.ts';
import { reaches } from '../../base/model/threshold.ts';

export interface GradedAssertion extends AssertionRecord {
  readonly required: boolean | number;
}

export interface Judgement {
  readonly verdict: Exclude<Verdict, 'skipped'>;
  /** Absent if something could not be measured. */
  readonly score?: number | undefined;
  readonly error?: RecordedError | undefined;
}

/**
 * A test passes if every group passes; its score is the mean over the groups. Anything that could not be measured
 * makes the test an error, even beside a failed claim.
 */
export function judge(
  groups: readonly (readonly GradedAssertion[])[],
  { threshold, error }: { readonly threshold: number; readonly error?: RecordedError | undefined },
): Judgement {
  const measured = groups.filter((group) => group.length > 0).map((group) => judgeGroup(group, threshold));
  const firstError = error ?? measured.find((group) => group.error !== undefined)?.error;
  if (firstError !== undefined) return { verdict: 'error', error: firstError };
  const passed = measured.every((group) => group.passed);
  const score =
    measured.length === 0
      ? undefined
      : measured.reduce((sum, group) => sum + group.score, 0) / measured.length;
  return { verdict: passed ? 'passed' : 'failed', score };
}

interface GroupJudgement {
  readonly passed: boolean;
  readonly score: number;
  readonly error?: RecordedError | undefined;
}

/** Claims are one part, and all must hold. Evaluators are the other, and their mean must reach the threshold. */
function judgeGroup(assertions: readonly GradedAssertion[], threshold: number): GroupJudgement {
  const claims = { count: 0, held: 0 };
  const evaluators = { count: 0, weight: 0, score: 0 };
  let requirementsHold = true;
  const yielding = { weight: 0, error: undefined as RecordedError | undefined };
  for (const { form, weight, required, passed, score = 0, error, yields } of assertions) {
    // An evaluator of weight 0 is shown but never changes the verdict, not even if it cannot be measured.
    if (error !== undefined && weight > 0) {
      if (yields !== true) return { passed: false, score: 0, error };
      yielding.weight += weight;
      yielding.error ??= error;
    }
    if (form === 'claim') {
      claims.count++;
      if (passed === true) claims.held++;
    } else {
      evaluators.count++;
      evaluators.weight += weight;
      evaluators.score += weight * score;
      if (required !== false && weight !== 0 && error === undefined) requirementsHold &&= passed === true;
    }
  }
  const claimScore = claims.held / claims.count;
  const claimsHold = claims.held === claims.count;
  if (evaluators.count === 0) return { passed: claimsHold, score: claimScore };
  const mean = evaluators.weight === 0 ? 0 : evaluators.score / evaluators.weight;
  const passed = claimsHold && reaches(mean, threshold) && requirementsHold;
  // What could not be measured hides no failure: of the best score, the others would fail all the same.
  const best = evaluators.weight === 0 ? 0 : (evaluators.score + yielding.weight) / evaluators.weight;
  const mayPass = claimsHold && reaches(best, threshold) && requirementsHold;
  if (yielding.error !== undefined && mayPass) return { passed: false, score: 0, error: yielding.error };
  return { passed, score: claims.count === 0 ? mean : (claimScore + mean) / 2 };
}

/**
 * Whether one assertion holds: a claim fully, an evaluator from its required score on, otherwise from the
 * threshold.
 */
export function doesHold(
  { form, required }: Pick<GradedAssertion, 'form' | 'required'>,
  score: number,
  threshold: number,
): boolean {
  if (form === 'claim') return score === 1;
  return reaches(score, typeof required === 'number' ? required : threshold);
}
