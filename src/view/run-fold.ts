import type { ResultRow, RunCounts } from '../model/page-data.ts';
import { TestMap, type TestName } from '../model/test-map.ts';
import { testVerdict } from '../model/test-verdict.ts';
import { quantileOfSorted } from '../stats/quantile.ts';

/** What the attempts of a run came to, without the attempts. */
export interface RunTotals extends Omit<RunCounts, 'duration_ms' | 'interrupted'> {
  readonly targets: readonly string[];
  /** Attempts that passed, and those that passed or failed. */
  readonly passed_attempts: number;
  readonly measured_attempts: number;
  /** Of the attempts that reported it; absent when none did. */
  readonly cost_usd?: number | undefined;
  readonly latency_ms?: { readonly median: number; readonly p95: number } | undefined;
}

/** One test of one target over its repeats. */
export interface TestTally {
  readonly file: string;
  readonly test: string;
  readonly target: string;
  passed: number;
  failed: number;
  error: number;
  skipped: number;
  scoreSum: number;
  scoreCount: number;
  costSum: number;
  costCount: number;
  durationSum: number;
  durationCount: number;
  passAtLeast?: number | undefined;
}

interface Counted extends Pick<ResultRow, 'index' | 'verdict' | 'score' | 'cost_usd' | 'duration_ms'> {
  readonly tally: TestTally;
}

/** Folds rows into totals as they come. A row of an attempt that came before takes the place of the earlier one. */
export class RunFold {
  private readonly attempts = new Map<string, Counted>();
  private readonly tallies: TestTally[] = [];
  private readonly byTest = new TestMap<TestTally>();

  /** Answers with the index of the row that counts no longer. */
  add({
    index,
    id,
    file,
    test,
    target,
    verdict,
    score,
    cost_usd,
    duration_ms,
    pass_at_least,
  }: ResultRow): number | undefined {
    const before = this.attempts.get(id);
    if (before !== undefined) count(before, -1);
    const tally = this.tallyOf({ file, test, target });
    const counted = { index, tally, verdict, score, cost_usd, duration_ms };
    count(counted, 1);
    tally.passAtLeast = pass_at_least;
    this.attempts.set(id, counted);
    return before?.index;
  }

  tests(): readonly TestTally[] {
    return this.tallies;
  }

  totals(): RunTotals {
    const totals = { tests: 0, passed: 0, failed: 0, error: 0, skipped: 0, flaky: 0 };
    const attempts = { passed: 0, measured: 0 };
    const cost = { sum: 0, count: 0 };
    const targets = new Set<string>();
    for (const tally of this.tallies) {
      totals.tests++;
      totals[testVerdict(tally, tally.passAtLeast)]++;
      if (isFlaky(tally)) totals.flaky++;
      attempts.passed += tally.passed;
      attempts.measured += tally.passed + tally.failed;
      cost.sum += tally.costSum;
      cost.count += tally.costCount;
      targets.add(tally.target);
    }
    return {
      ...totals,
      attempts: this.attempts.size,
      targets: [...targets],
      passed_attempts: attempts.passed,
      measured_attempts: attempts.measured,
      cost_usd: cost.count === 0 ? undefined : cost.sum,
      latency_ms: this.latency(),
    };
  }

  private tallyOf(name: TestName): TestTally {
    let tally = this.byTest.get(name);
    if (tally === undefined) {
      tally = emptyTally(name);
      this.tallies.push(tally);
      this.byTest.set(name, tally);
    }
    return tally;
  }

  /** A test that was skipped took no time, and says nothing. */
  private latency(): RunTotals['latency_ms'] {
    const durations = new Float64Array(this.attempts.size);
    let length = 0;
    for (const { verdict, duration_ms } of this.attempts.values())
      if (verdict !== 'skipped') durations[length++] = duration_ms;
    if (length === 0) return undefined;
    const sorted = durations.subarray(0, length).sort();
    return { median: quantileOfSorted(sorted, 0.5), p95: quantileOfSorted(sorted, 0.95) };
  }
}

export function isFlaky({ passed, failed }: Pick<TestTally, 'passed' | 'failed'>): boolean {
  return passed > 0 && failed > 0;
}

function emptyTally({ file, test, target }: TestName): TestTally {
  return {
    file,
    test,
    target,
    passed: 0,
    failed: 0,
    error: 0,
    skipped: 0,
    scoreSum: 0,
    scoreCount: 0,
    costSum: 0,
    costCount: 0,
    durationSum: 0,
    durationCount: 0,
  };
}

function count({ tally, verdict, score, cost_usd, duration_ms }: Counted, sign: 1 | -1): void {
  tally[verdict] += sign;
  if (score !== undefined) {
    tally.scoreSum += sign * score;
    tally.scoreCount += sign;
  }
  if (cost_usd !== undefined) {
    tally.costSum += sign * cost_usd;
    tally.costCount += sign;
  }
  if (verdict !== 'skipped') {
    tally.durationSum += sign * duration_ms;
    tally.durationCount += sign;
  }
}
