import type { GateRules, TestGate } from '../../base/model/gate.ts';
import type { Verdict } from '../../base/model/record.ts';
import type { VerdictNumbers } from '../../base/model/summary.ts';
import { testGate, type VerdictCounts } from './test-gate.ts';

/** How many attempts of a test got each verdict. */
export interface AttemptCounts extends Omit<VerdictCounts, 'notStarted'>, VerdictNumbers {
  /** Planned, but not started because the run stopped first. */
  readonly notStarted?: number | undefined;
}

export interface TestVerdict {
  readonly verdict: Verdict;
  readonly isFlaky: boolean;
  /** Absent if the test has none. */
  readonly gate?: TestGate | undefined;
}

/**
 * The verdict of a test over its repeats. It passes if every attempt passes, or as often as its gate requires.
 * Everything that counts or shows tests calls this function, so that no two places can disagree.
 */
export function testVerdict(counts: AttemptCounts, rules: GateRules): TestVerdict {
  // Every field by name: this runs for each test of a run, and an object made by rest or spread is slow and large.
  const { passed, failed, error, skipped, not_graded = 0, notStarted = 0, passAtLeast } = counts;
  // One judged repeat says nothing of the others.
  if (not_graded > 0)
    return { verdict: failed > 0 ? 'failed' : error > 0 ? 'error' : 'not_graded', isFlaky: isFlaky(counts) };
  if (skipped > 0 && passed + failed + error + notStarted === 0)
    return { verdict: 'skipped', isFlaky: false };
  const flaky = isFlaky(counts);
  const gate = testGate({ passed, failed, error, notStarted, passAtLeast }, rules);
  if (gate !== undefined) return { verdict: VERDICTS[gate.outcome], isFlaky: flaky, gate };
  if (failed > 0) return { verdict: 'failed', isFlaky: flaky };
  return { verdict: error + notStarted > 0 ? 'error' : 'passed', isFlaky: flaky };
}

/** Passed in one attempt and failed in another. */
export function isFlaky({ passed, failed }: Pick<AttemptCounts, 'passed' | 'failed'>): boolean {
  return passed > 0 && failed > 0;
}

const VERDICTS = { held: 'passed', broken: 'failed', undecided: 'error' } as const;
