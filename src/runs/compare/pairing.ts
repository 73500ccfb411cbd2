import type { Change, TestOutcome } from '../../base/model/comparison.ts';
import type { TestName } from '../../base/model/test-map.ts';
import type { Cluster } from '../../base/stats/clustered-difference.ts';

/** A test that was measured in both runs, over its pairs. */
export interface PairedTest {
  readonly file: string;
  readonly line: number;
  readonly test: string;
  readonly target: string;
  /** The test itself has changed. */
  readonly isEdited: boolean;
  readonly pairs: number;
  /** Pairs that went from failed to passed. */
  readonly better: number;
  /** Pairs that went from passed to failed. */
  readonly worse: number;
  readonly before: TestOutcome;
  readonly after: TestOutcome;
  /** Differences of passing and of scores, after minus before. */
  readonly rates: Cluster;
  readonly scores: Cluster & { readonly before: number; readonly after: number; readonly hasFallen: boolean };
}

/** Two paired runs: everything that is counted and tested comes from this. */
export interface Pairing {
  readonly unit: 'attempt' | 'test';
  readonly tests: readonly PairedTest[];
  readonly onlyBefore: readonly string[];
  readonly onlyAfter: readonly string[];
  readonly unmeasured: readonly string[];
  readonly lostTests: readonly string[];
  /** Tests of `onlyBefore` that were measured. */
  readonly gone: readonly TestName[];
  readonly measures: {
    readonly cost_usd?: Change | undefined;
    readonly tokens?: Change | undefined;
    readonly latency_median_ms?: Change | undefined;
    readonly latency_p95_ms?: Change | undefined;
  };
}

/** A score that moved less than this did not move: baselines are rounded, and sums of floats are not exact. */
export const SAME_SCORE = 1e-6;
