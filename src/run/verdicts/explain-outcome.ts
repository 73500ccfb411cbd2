import { describeComparison } from '../../base/match/describe-comparison.ts';
import type { AssertionOutcome, ExplainedOutcome } from '../../base/model/evidence.ts';

/** Removes secrets from a value. */
export type Redact = <T>(value: T) => T;

interface Explaining {
  readonly negate: boolean;
  /** Messages have parts of values, and nobody recognises a part of a secret. */
  readonly redact: Redact;
}

/** A comparison that failed is explained by its values. */
export function explainOutcome(outcome: AssertionOutcome, { negate, redact }: Explaining): ExplainedOutcome {
  if ('error' in outcome) return outcome;
  const { message, score, expected: stated = null, actual } = outcome;
  const isRefused = negate && score === 1 && outcome.expected !== undefined;
  // A copy would cost more than most assertions.
  if (message !== undefined && !isRefused) return outcome as ExplainedOutcome;
  const expected = isRefused ? { $not: stated } : stated;
  return { ...outcome, expected, message: describeComparison(...redact([expected, actual] as const)) };
}
