import type { ResultRow } from '../model/page-data.ts';
import type { RunCounts } from '../model/page-data.ts';

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
  score: Mean;
  cost: Mean;
  duration: Mean;
}

interface Mean {
  sum: number;
  count: number;
}

interface Counted extends Pick<ResultRow, 'index' | 'verdict' | 'score' | 'cost_usd' | 'duration_ms'> {
  readonly tally: TestTally;
}

/** Folds rows into totals as they come. A row of an attempt that came before takes the place of the earlier one. */
export class RunFold {
  private readonly attempts = new Map<string, Counted>();
  private readonly byTest = new Map<string, TestTally>();

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
  }: ResultRow): number | undefined {
    const before = this.attempts.get(id);
    if (before !== undefined) count(before, -1);
    const tally = this.tallyOf(file, test, target);
    const counted = { index, tally, verdict, score, cost_usd, duration_ms };
    count(counted, 1);
    this.attempts.set(id, counted);
    return before?.index;
  }

  tests(): Iterable<TestTally> {
    return this.byTest.values();
  }

  totals(): RunTotals {
    const totals = { tests: 0, passed: 0, failed: 0, error: 0, skipped: 0, flaky: 0 };
    const attempts = { passed: 0, measured: 0 };
    const cost = { sum: 0, count: 0 };
    const targets = new Set<string>();
    for (const tally of this.byTest.values()) {
      totals.tests++;
      totals[verdictOf(tally)]++;
      if (isFlaky(tally)) totals.flaky++;
      attempts.passed += tally.passed;
      attempts.measured += tally.passed + tally.failed;
      cost.sum += tally.cost.sum;
      cost.count += tally.cost.count;
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

  private tallyOf(file: string, test: string, target: string): TestTally {
    const key = `${file}\0${test}\0${target}`;
    let tally = this.byTest.get(key);
    if (tally === undefined) {
      const empty = (): Mean => ({ sum: 0, count: 0 });
      const counts = { passed: 0, failed: 0, error: 0, skipped: 0 };
      tally = { file, test, target, ...counts, score: empty(), cost: empty(), duration: empty() };
      this.byTest.set(key, tally);
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
    return { median: quantile(sorted, 0.5), p95: quantile(sorted, 0.95) };
  }
}

export function isFlaky({ passed, failed }: Pick<TestTally, 'passed' | 'failed'>): boolean {
  return passed > 0 && failed > 0;
}

function count({ tally, verdict, score, cost_usd, duration_ms }: Counted, sign: 1 | -1): void {
  tally[verdict] += sign;
  addTo(tally.score, score, sign);
  addTo(tally.cost, cost_usd, sign);
  if (verdict !== 'skipped') addTo(tally.duration, duration_ms, sign);
}

function addTo(mean: Mean, value: number | undefined, sign: 1 | -1): void {
  if (value === undefined) return;
  mean.sum += sign * value;
  mean.count += sign;
}

function verdictOf({ failed, error, passed }: TestTally): 'passed' | 'failed' | 'error' | 'skipped' {
  if (failed > 0) return 'failed';
  if (error > 0) return 'error';
  return passed > 0 ? 'passed' : 'skipped';
}

/** Between two neighbours, as most tools do. */
function quantile(sorted: Float64Array, share: number): number {
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)]!;
  return below + (sorted[Math.ceil(place)]! - below) * (place - Math.floor(place));
}
