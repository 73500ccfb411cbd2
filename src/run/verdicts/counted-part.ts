import { attemptsOf, type TestResult } from '../../runs/fold/test-result.ts';
import type { GateRules, TestGate } from '../../base/model/gate.ts';
import type { AttemptRecord, ErrorKind, Verdict } from '../../base/model/record.ts';
import type { Summary } from '../../base/model/summary.ts';
import type { CountedTests } from '../../base/stats/pass-counts.ts';
import { testVerdict } from '../../runs/fold/test-verdict.ts';
import { passNumbers } from './pass-numbers.ts';
import { RunCosts } from './run-costs.ts';
import { TriggerCount } from './skill-triggers.ts';
import type { GateFacts } from './run-gates.ts';

type Totals = Pick<Summary, 'tests' | 'flaky' | 'undecided' | Verdict>;

/** The numbers of a run, or of one of its targets, besides the tests that are kept. */
export class CountedPart {
  /** Tests that ran once and have no gate. */
  private readonly single = { passed: 0, failed: 0, error: 0, skipped: 0, not_graded: 0 };
  readonly errors: Partial<Record<ErrorKind, number>> = {};
  readonly costs = new RunCosts();
  readonly triggers = new TriggerCount();
  attempts = 0;
  notStarted = 0;
  /** Attempts that were not started, of which it is not known whether they are of this target. */
  unplaced = 0;
  durationMs = 0;

  /** `isKept`: its test is in the fold. */
  add(record: AttemptRecord, { isKept }: { readonly isKept: boolean }): void {
    const { verdict, error, duration_ms = 0 } = record;
    this.attempts++;
    this.durationMs += duration_ms;
    this.costs.add(record);
    this.triggers.add(record);
    if (error !== undefined) this.errors[error.kind] = (this.errors[error.kind] ?? 0) + 1;
    if (!isKept) this.single[verdict]++;
  }

  /** `tests`: those of this part. `groups`: the tests by their counts, if targets answer the same ones. */
  count(
    rules: GateRules,
    tests: readonly TestResult[],
    groups: readonly CountedTests[] = this.groups(tests),
  ) {
    const { passed, failed, error, not_graded } = this.single;
    const totals = { tests: attemptsOf(this.single), ...this.single, flaky: 0, undecided: 0 };
    const testGates: TestGate[] = [];
    let planned = passed + failed + error + not_graded + this.notStarted + this.unplaced;
    let repeated = 0;
    for (const test of tests.filter(isReported)) {
      const { verdict, gate, isFlaky } = testVerdict(test, rules);
      totals.tests++;
      totals[verdict]++;
      if (isFlaky) totals.flaky++;
      if (verdict === 'error' && test.passed + test.failed > 0) totals.undecided++;
      if (gate !== undefined) testGates.push(gate);
      if (test.passed + test.failed > 1) repeated++;
      planned += test.passed + test.failed + test.error + test.not_graded;
    }
    const measurable =
      totals.passed + totals.failed + totals.error + totals.not_graded + this.unstartedTests(tests);
    const numbers = passNumbers({ groups, planned: measurable }, rules.min_coverage);
    const { notStarted } = this;
    const facts = {
      passRate: numbers.pass_rate,
      planned,
      flaky: totals.flaky,
      repeated,
      notStarted,
      testGates,
    };
    return {
      totals: totals satisfies Totals,
      numbers,
      facts: facts satisfies Omit<GateFacts, 'budget' | 'interrupted'>,
    };
  }

  /** Tests of which no attempt was started. */
  private unstartedTests(tests: readonly TestResult[]): number {
    const ofKept = tests.reduce((sum, { notStarted }) => sum + notStarted, 0);
    const unreported = tests.filter((test) => !isReported(test) && test.notStarted > 0).length;
    return this.notStarted + this.unplaced - ofKept + unreported;
  }

  /** Groups tests with the same counts: there are few different ones. */
  private groups(tests: readonly TestResult[]): readonly CountedTests[] {
    const groups = new Map<string, { passed: number; measured: number; tests: number }>();
    const add = (passed: number, measured: number, count: number): void => {
      const key = `${passed}/${measured}`;
      const group = groups.get(key);
      if (group === undefined) groups.set(key, { passed, measured, tests: count });
      else group.tests += count;
    };
    if (this.single.passed > 0) add(1, 1, this.single.passed);
    if (this.single.failed > 0) add(0, 1, this.single.failed);
    for (const { passed, failed } of tests) add(passed, passed + failed, 1);
    return [...groups.values()];
  }
}

/** A test that was not started is not reported, unless it has a gate: that gate is undecided. */
export function isReported(test: TestResult): boolean {
  return attemptsOf(test) > 0 || (test.notStarted > 0 && test.passAtLeast !== undefined);
}
