import { closed, count, list, optional, text, type TypeOf } from './described.ts';

/** How many tests were left out, by reason. Each test is counted once. */
const LEFT_OUT = closed(
  {
    filters: count('They do not match a line, `--grep` or `--tag`.'),
    only: count('Other tests have `only`.'),
    passed: count('`--last-failed`: their newest records are passes.'),
  },
  'Tests that are left out, by reason.',
);
export type LeftOut = TypeOf<typeof LEFT_OUT>;

/** The results of tests when they last ran in their current form, with the same agent. */
const RERUN_COUNTS = closed(
  {
    failed: count(),
    error: count(),
    undecided: count('Every attempt passed, but there were too few, or their records have no checksums.'),
    changed: count('The test or its agent has changed since.'),
    unskipped: count('The test was skipped then.'),
    never_run: count(),
    skipped: count('The test is skipped now.'),
  },
  'Why `--last-failed` selected tests.',
);
export type RerunCounts = TypeOf<typeof RERUN_COUNTS>;
export type RerunReason = keyof RerunCounts;

const SHARD = closed(
  { index: count(), total: count(), attempts: count(), plan_attempts: count() },
  'The part of the plan that this run covers.',
);

export const RUN_SELECTION = closed(
  {
    tests_in_files: count(),
    selected: count('Tests that are part of the run.'),
    left_out: LEFT_OUT,
    filters: list(text(), 'As on the command line.'),
    last_failed: optional(RERUN_COUNTS),
    shard: optional(SHARD),
  },
  'What the run leaves out of its files; absent if it runs them completely.',
);
export type RunSelection = TypeOf<typeof RUN_SELECTION>;
