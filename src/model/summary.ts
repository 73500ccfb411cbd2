import type { GateResult, GateRules, TestGate } from './gate.ts';
import type { ErrorKind, Verdict } from './record.ts';
import type { TokenUsage } from './reply.ts';
import type { RunSelection } from './selection.ts';

/** What a run came to. `tests` counts test times target; `attempts` counts the repeats too. */
export interface Summary {
  readonly tests: number;
  readonly attempts: number;
  readonly passed: number;
  readonly failed: number;
  readonly error: number;
  readonly skipped: number;
  /** Tests that both passed and failed. */
  readonly flaky: number;
  /** Those of `error` that were measured, but not enough to decide their gate. */
  readonly undecided: number;
  /** Attempts that were planned but not made, because the run stopped before. */
  readonly not_started: number;
  /** Attempts that could not be measured, by the kind of their error. */
  readonly errors: Readonly<Partial<Record<ErrorKind, number>>>;
  /** Absent when nothing was measured. */
  readonly pass_rate?: PassRate | undefined;
  /** For k = 1, 2, ...: that at least one of k attempts passes. Empty when the number of repeats followed the results. */
  readonly pass_at_k: readonly PassEstimate[];
  /** The same for all of k attempts (pass^k). */
  readonly pass_hat_k: readonly PassEstimate[];
  readonly gates: readonly GateResult[];
  /** What the gates were asked to be. */
  readonly rules: GateRules;
  /** `--repeats auto`: how many attempts were not needed, of as many as were allowed. */
  readonly saved_attempts?: number | undefined;
  /** What agents reported; absent when none did. */
  readonly cost_usd?: number | undefined;
  readonly token_usage?: TokenUsage | undefined;
  /** What judges cost, besides. */
  readonly judge_cost_usd?: number | undefined;
  readonly judge_token_usage?: TokenUsage | undefined;
  /** Attempts whose cost, or that of their judges, is not in the sums because nobody knows it. */
  readonly attempts_without_cost: number;
  readonly duration_ms: number;
  readonly interrupted: boolean;
  /** What the run leaves out of its files; absent when it leaves nothing out. */
  readonly selection?: RunSelection | undefined;
}

/** A share with its 95 % Wilson interval. Attempts that could not be measured, or were skipped, are not in it. */
export interface PassRate {
  readonly passed: number;
  readonly measured: number;
  readonly rate: number;
  readonly low: number;
  readonly high: number;
  /** Clustered by test; absent for fewer than two tests. */
  readonly standard_error?: number | undefined;
}

/** A mean over the tests that were measured at least k times. */
export interface PassEstimate {
  readonly k: number;
  readonly value: number;
  readonly tests: number;
  /** Absent for fewer than two tests. */
  readonly standard_error?: number | undefined;
}

/** One test of one target over its repeats. Made only of tests that are repeated or have a gate. */
export interface TestSummary {
  readonly file: string;
  readonly line: number;
  readonly test: string;
  readonly target: string;
  readonly verdict: Verdict;
  readonly attempts: number;
  readonly passed: number;
  readonly failed: number;
  readonly error: number;
  readonly skipped: number;
  readonly not_started: number;
  readonly is_flaky: boolean;
  /** Absent when nothing was measured. */
  readonly pass_rate?: PassRate | undefined;
  readonly gate?: TestGate | undefined;
}
