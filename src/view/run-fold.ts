import { DEFAULT_GATE_RULES, type GateRules } from '../model/gate.ts';
import type { ResultRow, RunCounts } from '../model/page-data.ts';
import type { PassAtLeast } from '../model/pass-at-least.ts';
import type { TestSummary } from '../model/summary.ts';
import { TestMap, type TestName } from '../model/test-map.ts';
import { testVerdict, type TestVerdict } from '../verdicts/test-verdict.ts';
import { quantileOfSorted } from '../stats/quantile.ts';

/** The results of a run without its attempts. */
export interface RunTotals extends Omit<RunCounts, 'duration_ms' | 'interrupted'> {
  readonly targets: readonly string[];
  /** Attempts that passed, and those that passed or failed. */
  readonly passed_attempts: number;
  readonly measured_attempts: number;
  /** Over the attempts that reported it; absent if none did. */
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
  notStarted: number;
  passAtLeast?: PassAtLeast | undefined;
}

interface Counted extends Pick<ResultRow, 'index' | 'verdict' | 'score' | 'cost_usd' | 'duration_ms'> {
  readonly tally: TestTally;
}

/** The verdict of a row's test, over its attempts so far. */
interface FoldedRow extends TestVerdict {
  /** The index of the row that this one replaces. */
  readonly replaced?: number | undefined;
}

export interface FoldOptions {
  /** The gates of the run. */
  readonly rules?: GateRules | undefined;
  /** Tests with attempts that the run left out. */
  readonly unfinished?: readonly TestSummary[] | undefined;
}

/** Folds rows into totals as they come. A later row of the same attempt replaces the earlier one. */
export class RunFold {
  private readonly attempts = new Map<string, Counted>();
  private readonly tallies: TestTally[] = [];
  private readonly byTest = new TestMap<TestTally>();
  private readonly rules: GateRules;
  private readonly unfinished = new TestMap<number>();

  constructor({ rules = DEFAULT_GATE_RULES, unfinished = [] }: FoldOptions = {}) {
    this.rules = rules;
    for (const test of unfinished) this.unfinished.set(test, test.not_started);
  }

  /** Returns the verdict of the row's test so far. */
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
  }: ResultRow): FoldedRow {
    const before = this.attempts.get(id);
    if (before !== undefined) count(before, -1);
    const tally = this.tallyOf({ file, test, target });
    const counted = { index, tally, verdict, score, cost_usd, duration_ms };
    count(counted, 1);
    tally.passAtLeast = pass_at_least;
    this.attempts.set(id, counted);
    return { replaced: before?.index, ...testVerdict(tally, this.rules) };
  }

  /** The number of the latest record of an attempt. */
  indexOf(id: string): number | undefined {
    return this.attempts.get(id)?.index;
  }

  tests(): readonly TestTally[] {
    return this.tallies;
  }

  verdictOf(name: TestName): TestVerdict | undefined {
    const tally = this.byTest.get(name);
    return tally === undefined ? undefined : testVerdict(tally, this.rules);
  }

  totals(): RunTotals {
    const totals = { tests: 0, passed: 0, failed: 0, error: 0, skipped: 0, flaky: 0 };
    const attempts = { passed: 0, measured: 0 };
    const cost = { sum: 0, count: 0 };
    const targets = new Set<string>();
    for (const tally of this.tallies) {
      totals.tests++;
      const { verdict, isFlaky } = testVerdict(tally, this.rules);
      totals[verdict]++;
      if (isFlaky) totals.flaky++;
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
      tally = emptyTally(name, this.unfinished.get(name));
      this.tallies.push(tally);
      this.byTest.set(name, tally);
    }
    return tally;
  }

  /** A skipped test took no time, and says nothing. */
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

function emptyTally({ file, test, target }: TestName, notStarted = 0): TestTally {
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
    notStarted,
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
