import type { Verdict } from './record.ts';

/** Two runs, paired by attempt id: `before` is the baseline. */
export interface Comparison {
  readonly before: ComparedRun;
  readonly after: ComparedRun;
  /** What is paired: attempts; or tests, if one side is a baseline file, which contains no attempts. */
  readonly unit: 'attempt' | 'test';
  /** Attempts (or tests, see `unit`) that were measured in both runs. */
  readonly pairs: number;
  /** The tests of these pairs, one per target, and how they changed. */
  readonly tests: ComparedTests;
  /** Pairs with another verdict or score; tests that went from passed to failed first. */
  readonly changes: readonly TestChange[];
  readonly only_before: readonly string[];
  readonly only_after: readonly string[];
  /** Pairs with one unmeasured side: they are in no test of significance. */
  readonly unmeasured: readonly string[];
  /**
   * Tests that were measured before and now have only errors, are skipped, or are gone from the files of a whole run: it is
   * unknown whether they got worse.
   */
  readonly lost_tests: readonly string[];
  /** The same replies judged twice: nothing here is chance, so no significance is given. */
  readonly same_replies?: boolean | undefined;
  readonly verdicts: {
    /** Counts pairs, not tests. */
    readonly new_failures: number;
    readonly fixes: number;
    /** The difference of pass rates, after minus before, with its 95% interval. */
    readonly difference?: Difference | undefined;
    /** Exact test over all measured attempts, stratified by test, two-sided; McNemar's for one attempt of each. */
    readonly p_value?: number | undefined;
    /** How many more repeats of the paired tests would settle a difference of this size; absent if it is settled. */
    readonly repeats_to_settle?: number | undefined;
    /**
     * The same with each test counted once, for any number of repeats: for tests like these. Absent without
     * repeats.
     */
    readonly by_test?: ByTest | undefined;
  };
  readonly scores: {
    /** Means over the pairs with a score on both sides. */
    readonly before?: number | undefined;
    readonly after?: number | undefined;
    /** Its interval counts each test once, for any number of repeats. */
    readonly difference?: Difference | undefined;
    /** Paired permutation test over tests, seeded. */
    readonly p_value?: number | undefined;
  };
  /** Sums over the pairs with both sides known; of one attempt of each test if tests are paired. */
  readonly cost_usd?: Change | undefined;
  readonly tokens?: Change | undefined;
  readonly latency_median_ms?: Change | undefined;
  readonly latency_p95_ms?: Change | undefined;
  readonly alpha: number;
  /** The smallest detectable drops. Absent if nothing is chance, or nothing was compared. */
  readonly detectable?: Detectable | undefined;
  readonly regression: Regression;
}

/** The comparison of one target of a run with the same target in the baseline. */
export interface TargetComparison {
  readonly target: string;
  readonly comparison: Comparison;
}

/** A comparison with every test of both runs, for a list. */
export interface ListedComparison extends Comparison {
  readonly test_pairs: readonly TestPair[];
}

/** `unmeasured`: a side has only errors, or was skipped. */
export type PairKind = TestChange['kind'] | 'unmeasured' | 'same' | 'only_before' | 'only_after';

/**
 * A test and its counterpart in the other run. The names are those in the records of the later run, or of the only
 * run that has it; a name that the earlier run spells differently is given too.
 */
export interface TestPair {
  readonly file: string;
  readonly test: string;
  readonly target: string;
  readonly before_file?: string | undefined;
  readonly before_target?: string | undefined;
  readonly kind: PairKind;
  readonly p_value?: number | undefined;
}

/**
 * `significant`: the overall pass rate or that of a single test dropped by more than chance explains. `regression`
 * is that, or a test with one attempt on either side that went from passed to failed; `new-failure`: any test that
 * did, by chance or not; `any`: any pair or score that got worse.
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

/** What this comparison could have detected, with its tests and attempts. */
export interface Detectable {
  /** How often a drop of this size would be detected. */
  readonly power: number;
  /** For the pass rate of all tests, spread evenly; absent if no drop would be detected. */
  readonly whole?: number | undefined;
  /**
   * For one test that always passed before, with the attempts that most tests have; absent if no drop would be
   * detected.
   */
  readonly test?:
    | {
        readonly before: number;
        readonly after: number;
        /** It counts as a drop if no more than this many attempts pass after. */
        readonly at_most: number;
        readonly drop: number;
      }
    | undefined;
  /**
   * How many repeats in both runs let a single test show that it broke, if no other test starts to vary. Absent if
   * every test has repeats and one can.
   */
  readonly repeats_for_a_test?: number | undefined;
  /** Tests with one attempt on either side: they are read as they are. */
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
  /** Tests whose text, target or threshold changed. */
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
  /** The number of pairs it covers. */
  readonly pairs: number;
}

/** One test of one target over its pairs. */
export interface TestChange {
  readonly file: string;
  readonly line: number;
  readonly test: string;
  readonly target: string;
  /** `flip`: the verdict is the same, but some attempts changed. `score`: only the score changed. */
  readonly kind: 'new_failure' | 'fix' | 'flip' | 'score';
  readonly before: TestOutcome;
  readonly after: TestOutcome;
  /** For its pass rate, two-sided, corrected for all tests that were checked. Absent without repeats in both runs. */
  readonly p_value?: number | undefined;
}

export interface TestOutcome {
  /** Over its pairs: a run with more repeats would fail more often if all must pass. */
  readonly verdict: Verdict;
  /** Over all measured attempts; over the pairs if one side has a single one. */
  readonly passed: number;
  readonly measured: number;
  /** The mean over its pairs. */
  readonly score?: number | undefined;
}
