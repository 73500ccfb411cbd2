import type { Verdict } from './record.ts';

export const BASELINE_VERSION = 1;

/** What a run came to, small enough to be kept in the repository and read in a review. */
export interface Baseline {
  readonly assay_baseline: typeof BASELINE_VERSION;
  readonly run_id: string;
  readonly git_revision?: string | undefined;
  /** In the order of file, test and target. */
  readonly tests: readonly BaselineTest[];
}

/** One test of one target, over its repeats. */
export interface BaselineTest {
  /** Relative to the project. */
  readonly file: string;
  readonly test: string;
  readonly target: string;
  readonly verdict: Verdict;
  readonly passed: number;
  readonly measured: number;
  /** Means and medians are over the measured repeats. */
  readonly score?: number | undefined;
  readonly latency_median_ms?: number | undefined;
  /** Of one attempt, on average; absent unless every one is known. */
  readonly cost_usd?: number | undefined;
}
