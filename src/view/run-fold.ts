import { DEFAULT_GATE_RULES, type GateRules } from '../model/gate.ts';
import type { ResultRow, RunCounts } from '../model/page-data.ts';
import type { PassAtLeast } from '../model/pass-at-least.ts';
import type { TestSummary } from '../model/summary.ts';
import { TestMap, type TestName } from '../model/test-map.ts';
import { testVerdict, type TestVerdict } from '../verdicts/test-verdict.ts';
import { quantileOfSorted } from '../stats/quantile.ts';
import { CountedAttempts, type CountedAttempt } from './counted-attempts.ts';

/** The results of a run, or of one of its targets, without the attempts. */
interface Totals extends Omit<RunCounts, 'duration_ms' | 'interrupted'> {
  /** Attempts that passed, and those that passed or failed. */
  readonly passed_attempts: number;
  readonly measured_attempts: number;
  readonly skipped_attempts: number;
  /** Over the attempts that reported it; absent if none did. */
  readonly cost_usd?: number | undefined;
  readonly attempt_cost_usd?: number | undefined;
  /** The part of it for judges. */
  readonly judge_cost_usd?: number | undefined;
  readonly latency_ms?: { readonly median: number; readonly p95: number } | undefined;
  /** The mean of all attempts. */
  readonly attempt_ms?: number | undefined;
}

export interface TargetTotals extends Totals {
  readonly target: string;
  /** Whether it ran every test of the run, or only some of them. */
  readonly has_every_test: boolean;
}

export interface RunTotals extends Totals {
  readonly targets: readonly string[];
  readonly by_target: readonly TargetTotals[];
}

/** One test of one target over its repeats. */
export interface TestTally {
  /** Its place in the list of tests. */
  readonly number: number;
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
  judgeCostSum: number;
  judgeCostCount: number;
  durationSum: number;
  durationCount: number;
  notStarted: number;
  passAtLeast?: PassAtLeast | undefined;
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
  private readonly attempts = new CountedAttempts();
  private readonly names = new Map<string, string>();
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
    judge_cost_usd,
    duration_ms,
    pass_at_least,
  }: ResultRow): FoldedRow {
    const before = this.attempts.get(id);
    if (before !== undefined) count(this.tallies[before.test]!, before, -1);
    const tally = this.tallyOf({ file, test, target });
    const counted = { index, test: tally.number, verdict, score, cost_usd, judge_cost_usd, duration_ms };
    count(tally, counted, 1);
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
    const targets = new Map<string, TestTally[]>();
    for (const tally of this.tallies) {
      const own = targets.get(tally.target);
      if (own === undefined) targets.set(tally.target, [tally]);
      else own.push(tally);
    }
    const all = this.totalsOf(this.tallies, () => true);
    const [first] = targets.keys();
    if (first !== undefined && targets.size === 1)
      return { ...all, targets: [first], by_target: [{ target: first, has_every_test: true, ...all }] };
    const testCount = countTests(this.tallies);
    const by_target = [...targets].map(([target, tallies]): TargetTotals => ({
      target,
      has_every_test: tallies.length === testCount,
      ...this.totalsOf(tallies, (tally) => tally.target === target),
    }));
    return { ...all, targets: [...targets.keys()], by_target };
  }

  /** `isCounted`: which tests these are. */
  private totalsOf(tallies: readonly TestTally[], isCounted: (tally: TestTally) => boolean): Totals {
    const totals = { tests: 0, passed: 0, failed: 0, error: 0, skipped: 0, flaky: 0 };
    const counts = { attempts: 0, passed_attempts: 0, measured_attempts: 0, skipped_attempts: 0 };
    const cost = { sum: 0, count: 0, judges: 0, judged: 0 };
    let durationMs = 0;
    for (const tally of tallies) {
      totals.tests++;
      const { verdict, isFlaky } = testVerdict(tally, this.rules);
      totals[verdict]++;
      if (isFlaky) totals.flaky++;
      counts.attempts += tally.passed + tally.failed + tally.error + tally.skipped;
      counts.passed_attempts += tally.passed;
      counts.measured_attempts += tally.passed + tally.failed;
      counts.skipped_attempts += tally.skipped;
      durationMs += tally.durationSum;
      cost.sum += tally.costSum;
      cost.count += tally.costCount;
      cost.judges += tally.judgeCostSum;
      cost.judged += tally.judgeCostCount;
    }
    return {
      ...totals,
      ...counts,
      ...(cost.count === 0 ? {} : { cost_usd: cost.sum, attempt_cost_usd: cost.sum / cost.count }),
      ...(cost.judged === 0 ? {} : { judge_cost_usd: cost.judges }),
      latency_ms: this.latencyOf(isCounted),
      ...(counts.attempts === 0 ? {} : { attempt_ms: durationMs / counts.attempts }),
    };
  }

  private tallyOf(name: TestName): TestTally {
    let tally = this.byTest.get(name);
    if (tally === undefined) {
      tally = emptyTally(
        { ...name, file: this.shared(name.file), target: this.shared(name.target) },
        { number: this.tallies.length, notStarted: this.unfinished.get(name) },
      );
      this.tallies.push(tally);
      this.byTest.set(name, tally);
    }
    return tally;
  }

  /** Each record has its own copy of the name of its file. One is kept. */
  private shared(name: string): string {
    const known = this.names.get(name);
    if (known === undefined) this.names.set(name, name);
    return known ?? name;
  }

  /** A skipped test took no time, and says nothing. */
  private latencyOf(isCounted: (tally: TestTally) => boolean): Totals['latency_ms'] {
    const durations: number[] = [];
    for (const { test, verdict, duration_ms } of this.attempts)
      if (verdict !== 'skipped' && isCounted(this.tallies[test]!)) durations.push(duration_ms);
    if (durations.length === 0) return undefined;
    const sorted = Float64Array.from(durations).sort();
    return { median: quantileOfSorted(sorted, 0.5), p95: quantileOfSorted(sorted, 0.95) };
  }
}

/** For any number of targets. */
function countTests(tallies: readonly TestTally[]): number {
  const files = new Map<string, Set<string>>();
  for (const { file, test } of tallies) {
    const tests = files.get(file);
    if (tests === undefined) files.set(file, new Set([test]));
    else tests.add(test);
  }
  return [...files.values()].reduce((sum, { size }) => sum + size, 0);
}

function emptyTally(
  { file, test, target }: TestName,
  { number, notStarted = 0 }: { readonly number: number; readonly notStarted: number | undefined },
): TestTally {
  return {
    number,
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
    judgeCostSum: 0,
    judgeCostCount: 0,
    durationSum: 0,
    durationCount: 0,
    notStarted,
  };
}

function count(
  tally: TestTally,
  { verdict, score, cost_usd, judge_cost_usd, duration_ms }: CountedAttempt,
  sign: 1 | -1,
): void {
  tally[verdict] += sign;
  if (score !== undefined) {
    tally.scoreSum += sign * score;
    tally.scoreCount += sign;
  }
  if (cost_usd !== undefined) {
    tally.costSum += sign * cost_usd;
    tally.costCount += sign;
  }
  if (judge_cost_usd !== undefined) {
    tally.judgeCostSum += sign * judge_cost_usd;
    tally.judgeCostCount += sign;
  }
  if (verdict !== 'skipped') {
    tally.durationSum += sign * duration_ms;
    tally.durationCount += sign;
  }
}
