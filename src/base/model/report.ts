import { closed, described, list, named, optional, text, type TypeOf } from './described.ts';
import { BASELINE_OUTCOME } from './baseline-outcome.ts';
import type { Comparison, TargetComparison } from './comparison.ts';
import { FINDING } from './finding.ts';
import { ATTEMPT } from './record.ts';
import { SUMMARY, TEST_SUMMARY } from './summary.ts';

/** What the reporter `json` writes. */
export const REPORT = closed({
  run_id: text("The name of the run's folder; empty if it was not recorded."),
  results: list(named('record', ATTEMPT)),
  findings: list(FINDING, 'Those of the files, of the run, and of its attempts.'),
  tests: list(TEST_SUMMARY, 'The tests that are repeated or have a gate.'),
  summary: SUMMARY,
  comparison: optional(
    described<Comparison>(
      { type: 'object' },
      'With the baseline, or with the graded run; see docs/comparing.md.',
    ),
  ),
  baselines: optional(list(BASELINE_OUTCOME, 'How the run compares with its baseline, target by target.')),
  baseline_comparisons: optional(
    described<readonly TargetComparison[]>(
      { type: 'array' },
      'With the baseline, for each target of a run with several: `target` and `comparison`.',
    ),
  ),
  target_comparisons: optional(
    described<readonly Comparison[]>(
      { type: 'array' },
      'The targets of a run with several, each compared with the first one; see docs/compare-models.md.',
    ),
  ),
  exit_code: described<number>({ enum: [0, 1, 2, 3, 130] }),
});
export type Report = TypeOf<typeof REPORT>;
