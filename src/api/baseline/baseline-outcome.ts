import type { BaselineOutcome } from '../../base/model/baseline-outcome.ts';
import type { Comparison } from '../../base/model/comparison.ts';
import { numbered } from '../../base/model/grouped.ts';
import { regressionSentence } from '../../base/model/comparison-words.ts';
import { comparisonExit, type RunExtent } from './comparison-exit.ts';
import type { BaselineComparison } from './run-baseline.ts';

interface ComparedWith {
  /** The name of the baseline. */
  readonly baseline: string;
  /** The target that was compared, if the run has several. */
  readonly target?: string | undefined;
  /** How the run ended. */
  readonly extent: RunExtent;
}

/** What the comparison with a baseline means for a run: for each of its targets, if it has several. */
export function baselineOutcomes(
  { whole, targets, newTargets }: BaselineComparison,
  { baseline, extent }: Omit<ComparedWith, 'target'>,
): readonly BaselineOutcome[] {
  if (whole !== undefined) return [baselineOutcome(whole, { baseline, extent })];
  if (targets.length === 0) return newTargets.map((target) => ({ baseline, target, ...NOTHING_COMPARED }));
  return targets.map(({ target, comparison }) => baselineOutcome(comparison, { baseline, target, extent }));
}

const NOTHING_COMPARED = {
  outcome: 'undecided',
  message: 'Inconclusive: the baseline has no results of this target.',
  new_failures: 0,
  fixed: 0,
} as const;

function baselineOutcome(
  comparison: Comparison,
  { baseline, target, extent }: ComparedWith,
): BaselineOutcome {
  const outcome = OUTCOMES[comparisonExit(comparison, extent)];
  const { new_failures, fixes: fixed } = comparison.tests;
  return { baseline, target, outcome, message: messageOf(comparison, outcome), new_failures, fixed };
}

const OUTCOMES = { 0: 'held', 1: 'broken', 3: 'undecided' } as const;

function messageOf(comparison: Comparison, outcome: BaselineOutcome['outcome']): string {
  const { pairs, tests } = comparison;
  const why = regressionSentence(comparison);
  if (why !== undefined) return why;
  if (pairs === 0) return 'Inconclusive: nothing could be compared.';
  if (outcome === 'undecided') return 'Inconclusive: the run is incomplete, so tests may be missing.';
  const changes = [
    tests.new_failures > 0 ? numbered(tests.new_failures, 'new failure') : 'no new failures',
    `${tests.fixes} fixed`,
  ];
  return `No regression in ${numbered(tests.compared, 'test')}: ${changes.join(', ')}.`;
}
