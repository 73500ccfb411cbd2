/** What a run leaves out of its files. Absent from a run of every test. */
export interface RunSelection {
  /** All tests in the files. */
  readonly tests_in_files: number;
  /** Those that are part of the run. */
  readonly selected: number;
  readonly left_out: LeftOut;
  /** The filters, as they are written on the command line. */
  readonly filters: readonly string[];
  /** `--last-failed`: why each selected test was selected. */
  readonly last_failed?: RerunCounts | undefined;
  /** `--shard`: how many attempts of the whole plan are in this part. */
  readonly shard?: ShardSelection | undefined;
}

/** How many tests were left out, by the reason. Each test is counted once. */
export interface LeftOut {
  /** They do not match a line, `--grep` or `--tag`. */
  readonly filters: number;
  /** Other tests say `only`. */
  readonly only: number;
  /** `--last-failed`: their newest records are passes. */
  readonly passed: number;
}

export interface ShardSelection {
  readonly index: number;
  readonly total: number;
  readonly attempts: number;
  readonly plan_attempts: number;
}

/**
 * How tests came out when they were last run as they are now, by the same agent. `undecided`: every attempt passed, but
 * there were fewer than were wanted. `unskipped`: the test was skipped then.
 */
export type RerunReason =
  | 'failed'
  | 'error'
  | 'undecided'
  | 'changed'
  | 'unskipped'
  | 'never_run'
  | 'skipped';

export type RerunCounts = Readonly<Record<RerunReason, number>>;
