import { DEFAULT_GATE_RULES } from '../../base/model/gate.ts';
import type { Verdict } from '../../base/model/record.ts';
import type { TestSummary } from '../../base/model/summary.ts';
import { TestMap, type TestName } from '../../base/model/test-map.ts';
import { testVerdict } from './test-verdict.ts';
import type { TestResult } from './test-result.ts';

/** The tests of a run that are repeated or have a gate, as the run judged them. Only its end can do that. */
export class DecidedTests {
  readonly tests: readonly TestSummary[];
  private readonly byName = new TestMap<TestSummary>();

  constructor(tests: readonly TestSummary[]) {
    this.tests = tests;
    for (const test of tests) this.byName.set(test, test);
  }

  find(name: TestName): TestSummary | undefined {
    return this.byName.get(name);
  }

  /** Any other test has no gate, and passes if its attempts pass. */
  verdictOf(test: Readonly<TestResult>): Verdict {
    return this.find(test)?.verdict ?? testVerdict(test, DEFAULT_GATE_RULES).verdict;
  }
}
