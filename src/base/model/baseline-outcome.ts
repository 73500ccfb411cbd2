import { closed, count, named, oneOf, optional, text, type TypeOf } from './described.ts';

/** How a run compares with its baseline: one for each target if the run has several. */
export const BASELINE_OUTCOME = named(
  'baseline',
  closed({
    baseline: text('The run or file that the run was compared with.'),
    target: optional(text('The target that was compared, if the run has several.')),
    outcome: oneOf(['held', 'broken', 'undecided'], '`undecided`: something could not be compared.'),
    message: text('For people, in a sentence.'),
    new_failures: count('Tests that passed in the baseline and fail now.'),
    fixed: count('Tests that failed in the baseline and pass now.'),
  }),
);
export type BaselineOutcome = TypeOf<typeof BASELINE_OUTCOME>;
