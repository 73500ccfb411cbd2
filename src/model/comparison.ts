import type { Verdict } from './record.ts';

/** Two runs, paired by attempt id: `before` is the baseline. */
export interface Comparison {
  readonly before: ComparedRun;
  readonly after: ComparedRun;
  /** What is paired: attempts; or tests, when one side is a baseline file, which contains no attempts. */
  readonly unit: 'attempt' | 'test';
  /** Attempts (or tests, see `unit`) that are in both runs and were measured in both. */
  readonly pairs: number;
  /** The tests these pairs are of, one for each target, and what became of them over their pairs. */
  readonly tests: ComparedTests;
  /** Of a verdict or a score that differs, tests that went from passed to failed first. */
  readonly changes: readonly TestChange[];
  readonly only_before: readonly string[];
  readonly only_after: readonly string[];
  /** Pairs of which one could not be measured: they are in no test of significance. */
  readonly unmeasured: readonly string[];
  /** Tests that were measured before, and after only met with errors: nobody knows whether they got worse. */
  readonly lost_tests: readonly string[];
  /** The same replies judged twice: nothing here is chance, so no significance is given. */
  readonly same_replies?: boolean | undefined;
  readonly verdicts: {
    /** Of pairs, not of tests. */
    readonly new_failures: number;
    readonly fixes: number;
    /** Of pass rates, after minus before, with its 95 % interval. */
    readonly difference?: Difference | undefined;
    /** Exact test over all measured attempts, stratified by test, two-sided; McNemar's for one attempt of each. */
    readonly p_value?: number | undefined;
    /** How many more repeats of the paired tests would settle a difference of this size; absent when it is settled. */
    readonly repeats_to_settle?: number | undefined;
    /** The same with each test counted once, whatever its repeats: for tests like these. Absent without repeats. */
    readonly by_test?: ByTest | undefined;
  };
  readonly scores: {
    /** Means over the pairs that have a score in both. */
    readonly before?: number | undefined;
    readonly after?: number | undefined;
    /** Its interval counts each test once, whatever its repeats. */
    readonly difference?: Difference | undefined;
    /** Paired permutation test over tests, seeded. */
    readonly p_value?: number | undefined;
  };
  /** Sums over the pairs of which both sides are known; of one attempt of each test when tests are paired. */
  readonly cost_usd?: Change | undefined;
  readonly tokens?: Change | undefined;
  readonly latency_median_ms?: Change | undefined;
  readonly latency_p95_ms?: Change | undefined;
  readonly alpha: number;
  /** The smallest drops that would have been seen. Absent when nothing is chance, or nothing was compared. */
  readonly detectable?: Detectable | undefined;
  readonly regression: Regression;
}

/**
 * `significant`: the whole or a single test passes less often, by more than chance explains. `regression` is that, or a test
 * with one attempt on either side that went from passed to failed; `new-failure`: any test that did, chance or not; `any`: any
 * pair or score that got worse.
 */
export type RegressionRule = 'regression' | 'significant' | 'new-failure' | 'any';

export interface Regression {
  readonly rule: RegressionRule;
  readonly found: boolean;
  /** The overall pass rate dropped by more than chance explains. */
  readonly whole: boolean;
  readonly tests: readonly RegressedTest[];
}

/** A test that got worse, by the rule. */
export interface RegressedTest {
  readonly id: string;
  /** `drop`: its pass rate fell, by more than chance explains. `attempts` and `score`: by the rule `any`. */
  readonly because: 'drop' | 'new_failure' | 'attempts' | 'score';
}

/** What this comparison could have seen, with its tests and attempts. */
export interface Detectable {
  /** How often a drop of this size would be seen. */
  readonly power: number;
  /** Of the pass rate of all tests, spread evenly; absent when no drop would be. */
  readonly whole?: number | undefined;
  /** Of one test that always passed before, with the attempts that most tests have; absent when no drop would be. */
  readonly test?:
    | {
        readonly before: number;
        readonly after: number;
        /** It counts when no more than this many attempts pass after. */
        readonly at_most: number;
        readonly drop: number;
      }
    | undefined;
  /**
   * How many repeats in both runs let a single test show that it broke, if no other test starts to vary. Absent when
   * every test has repeats and one can.
   */
  readonly repeats_for_a_test?: number | undefined;
  /** Tests with one attempt on either side: they are read as they stand. */
  readonly single_tests: number;
}

/** A run or a baseline file: all of it, paired or not. */
export interface ComparedRun {
  readonly run_id: string;
  readonly targets: readonly string[];
  readonly passed: number;
  readonly measured: number;
}

interface ComparedTests {
  readonly compared: number;
  readonly new_failures: number;
  readonly fixes: number;
  readonly flips: number;
  readonly scores: number;
  /** Whose text, target or threshold is not what it was. */
  readonly edited: number;
}

export interface ByTest {
  readonly difference?: Difference | undefined;
  /** Paired permutation test over tests, seeded. */
  readonly p_value: number;
}

export interface Difference {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

export interface Change {
  readonly before: number;
  readonly after: number;
  /** How many pairs it is of. */
  readonly pairs: number;
}

/** One test of one target over its pairs. */
export interface TestChange {
  readonly file: string;
  readonly line: number;
  readonly test: string;
  readonly target: string;
  /** `flip`: the verdict is the same, and attempts of it changed. `score`: only the score did. */
  readonly kind: 'new_failure' | 'fix' | 'flip' | 'score';
  readonly before: TestOutcome;
  readonly after: TestOutcome;
  /** Of its pass rate, two-sided, corrected for all tests that were looked at. Absent without repeats in both runs. */
  readonly p_value?: number | undefined;
}

export interface TestOutcome {
  /** Over its pairs: a run with more repeats would fail more often where all must pass. */
  readonly verdict: Verdict;
  /** Of all measured attempts; of the pairs when one side has a single one. */
  readonly passed: number;
  readonly measured: number;
  /** The mean over its pairs. */
  readonly score?: number | undefined;
}
