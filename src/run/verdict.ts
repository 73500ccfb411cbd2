import type { AssertionRecord, RecordedError, Verdict } from '../model/record.ts';

export interface GradedAssertion extends AssertionRecord {
  readonly required: boolean | number;
}

export interface Judgement {
  readonly verdict: Exclude<Verdict, 'skipped'>;
  /** Absent when something could not be measured. */
  readonly score?: number | undefined;
  readonly error?: RecordedError | undefined;
}

/**
 * A test passes when every group passes; its score is the mean over the groups. What could not be measured makes the
 * test an error, even beside a failed claim.
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

function judgeGroup(assertions: readonly GradedAssertion[], threshold: number): GroupJudgement {
  const claims = assertions.filter(({ form }) => form === 'claim');
  const evaluators = assertions.filter(({ form }) => form === 'evaluator');
  // An evaluator of weight 0 is shown and never changes the verdict, not even by failing to measure.
  const error = assertions.find((assertion) => assertion.error !== undefined && assertion.weight > 0)?.error;
  if (error !== undefined) return { passed: false, score: 0, error };
  const parts = [
    ...(claims.length === 0 ? [] : [judgeClaims(claims)]),
    ...(evaluators.length === 0 ? [] : [judgeEvaluators(evaluators, threshold)]),
  ];
  return {
    passed: parts.every((part) => part.passed),
    score: parts.reduce((sum, part) => sum + part.score, 0) / parts.length,
  };
}

function judgeClaims(claims: readonly GradedAssertion[]): GroupJudgement {
  const held = claims.filter(({ passed }) => passed === true).length;
  return { passed: held === claims.length, score: held / claims.length };
}

function judgeEvaluators(evaluators: readonly GradedAssertion[], threshold: number): GroupJudgement {
  const weights = evaluators.reduce((sum, { weight }) => sum + weight, 0);
  const score =
    weights === 0
      ? 0
      : evaluators.reduce((sum, { weight, score: own = 0 }) => sum + weight * own, 0) / weights;
  const requirementsHold = evaluators.every(({ required, score: own = 0, weight }) => {
    if (required === false || weight === 0) return true;
    return own >= (required === true ? threshold : required) - ROUNDING;
  });
  return { passed: score >= threshold - ROUNDING && requirementsHold, score };
}

/** A mean of 0.8 computed in floating point may come out as 0.7999999999999999. */
const ROUNDING = 1e-9;
