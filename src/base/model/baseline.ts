import {
  amount,
  closed,
  count,
  described,
  list,
  named,
  optional,
  share,
  text,
  type TypeOf,
} from './described.ts';
import { VERDICT } from './record.ts';

export const BASELINE_VERSION = 1;

/** One test of one target, over its repeats. Means and medians are over the measured repeats. */
const BASELINE_TEST = named(
  'test',
  closed(
    {
      file: text('Relative to the project.'),
      test: text("The test's id."),
      target: text("The agent's name."),
      verdict: VERDICT,
      passed: count('How many repeats passed.'),
      measured: count('How many repeats passed or failed.'),
      score: optional(share('The mean over the measured repeats.')),
      latency_median_ms: optional(amount('The median over the measured repeats.')),
      cost_usd: optional(amount('The mean of one attempt; absent unless all are known.')),
    },
    'One test of one target, over its repeats.',
  ),
);
export type BaselineTest = TypeOf<typeof BASELINE_TEST>;

/** The results of a run, small enough to keep in the repository and to review. */
export const BASELINE = closed(
  {
    assay_baseline: described<typeof BASELINE_VERSION>(
      { const: BASELINE_VERSION },
      'The version of the format.',
    ),
    run_id: text('The run it was made from.'),
    git_revision: optional(text('The commit when the run started.')),
    tests: list(BASELINE_TEST, 'Ordered by file, test and target.'),
  },
  'The results of a run, test by test. Written by `assay baseline update`.',
);
export type Baseline = TypeOf<typeof BASELINE>;
