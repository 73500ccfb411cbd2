import type { Verdict } from './record.ts';

/** Two runs, paired by attempt id: `before` is the baseline. */
export interface Comparison {
  readonly before: ComparedRun;
  readonly after: ComparedRun;
  /** Attempts that are in both runs and were measured in both. */
  readonly pairs: number;
  /** Of a verdict or a score that differs, tests that went from passed to failed first. */
  readonly changes: readonly TestChange[];
  readonly only_before: readonly string[];
  readonly only_after: readonly string[];
  /** Pairs of which one could not be measured: they are in no test of significance. */
  readonly unmeasured: readonly string[];
  readonly verdicts: {
    readonly new_failures: number;
    readonly fixes: number;
    /** Of pass rates, after minus before, with its 95 % interval. */
    readonly difference?: Difference | undefined;
    /** Exact McNemar over the pairs, two-sided. */
    readonly p_value?: number | undefined;
    /** How many more repeats of the paired tests would settle a difference of this size; absent when it is settled. */
    readonly repeats_to_settle?: number | undefined;
  };
  readonly scores: {
    readonly difference?: Difference | undefined;
    /** Paired permutation test, seeded. */
    readonly p_value?: number | undefined;
  };
  readonly cost_usd?: Change | undefined;
  readonly tokens?: Change | undefined;
  readonly latency_median_ms?: Change | undefined;
  readonly latency_p95_ms?: Change | undefined;
  readonly regression: { readonly rule: 'regression' | 'significant' | 'any'; readonly found: boolean };
}

export interface ComparedRun {
  readonly run_id: string;
  readonly passed: number;
  readonly measured: number;
}

export interface Difference {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

export interface Change {
  readonly before: number;
  readonly after: number;
}

/** One test of one target over its repeats. */
export interface TestChange {
  readonly file: string;
  readonly line: number;
  readonly test: string;
  readonly target: string;
  readonly kind: 'new_failure' | 'fix' | 'flip' | 'score';
  readonly before: TestOutcome;
  readonly after: TestOutcome;
  /** After Holm's correction over the compared tests. */
  readonly p_value?: number | undefined;
}

export interface TestOutcome {
  readonly verdict: Verdict;
  readonly passed: number;
  readonly measured: number;
  readonly score?: number | undefined;
}
