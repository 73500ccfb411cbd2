import { RunFold } from '../../runs/fold/run-fold.ts';
import { attemptsOf, sumOf, type AttemptResult, type TestResult } from '../../runs/fold/test-result.ts';
import type { RunDirectory } from '../../runs/journal/run-directory.ts';
import { rulesOfRun } from '../../runs/journal/run-rules.ts';
import type { ResultRow, RunCounts } from '../../base/model/page-data.ts';
import { quantileOfSorted } from '../../base/stats/quantile.ts';
import { testVerdict } from '../../runs/fold/test-verdict.ts';

/** What the server keeps of an attempt. Its cost is with judges, as that of its row is. */
interface ViewedAttempt extends AttemptResult {
  /** The number of its record. */
  readonly index: number;
  readonly judge_cost_usd: number | undefined;
  /** Why it did not pass. */
  readonly problem: string | undefined;
}

export type ViewedTest = TestResult<ViewedAttempt>;
/** `endedAt`: when its last attempt did, as far as it is known. */
export type ViewedFold = RunFold<ViewedAttempt> & { endedAt?: number };

/** A line of a list. */
const MAX_PROBLEM = 160;

/** The fold of a run that nothing was added to yet. */
export function createFold(run: RunDirectory): ViewedFold {
  return new RunFold({ rules: rulesOfRun(run), unfinished: run.ending()?.tests });
}

export function foldRow(fold: ViewedFold, row: ResultRow, endedAt = 0): ReturnType<ViewedFold['add']> {
  if (endedAt > (fold.endedAt ?? 0)) fold.endedAt = endedAt;
  const { index, repeat, verdict, score, cost_usd, judge_cost_usd, duration_ms } = row;
  const problem = row.problem?.slice(0, MAX_PROBLEM);
  return fold.add(row, { index, repeat, verdict, score, cost_usd, judge_cost_usd, duration_ms, problem });
}

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
  /** When the last attempt ended. */
  readonly ended_at?: number | undefined;
}

export function runTotals(fold: ViewedFold): RunTotals {
  const { tests } = fold;
  const targets = [...new Set(tests.map(({ target }) => target))];
  const all = { ...totalsOf(fold, tests), ended_at: fold.endedAt };
  const [first] = targets;
  if (first !== undefined && targets.length === 1)
    return { ...all, targets, by_target: [{ target: first, has_every_test: true, ...all }] };
  const testCount = new Set(tests.map(({ file, test }) => `${file}\0${test}`)).size;
  const by_target = targets.map((target): TargetTotals => {
    const own = tests.filter((test) => test.target === target);
    return { target, has_every_test: own.length === testCount, ...totalsOf(fold, own) };
  });
  return { ...all, targets, by_target };
}

function totalsOf(fold: ViewedFold, tests: readonly ViewedTest[]): Totals {
  const totals = { tests: 0, passed: 0, failed: 0, error: 0, skipped: 0, not_graded: 0, flaky: 0 };
  const counts = { attempts: 0, passed_attempts: 0, measured_attempts: 0, skipped_attempts: 0 };
  for (const test of tests) {
    totals.tests++;
    const { verdict, isFlaky } = testVerdict(test, fold.rules);
    totals[verdict]++;
    if (isFlaky) totals.flaky++;
    counts.attempts += attemptsOf(test);
    counts.passed_attempts += test.passed;
    counts.measured_attempts += test.passed + test.failed;
    // Nothing was to be measured of either.
    counts.skipped_attempts += test.skipped + test.not_graded;
  }
  const cost = sumOverTests(tests, ({ cost_usd }) => cost_usd);
  const judges = sumOverTests(tests, ({ judge_cost_usd }) => judge_cost_usd);
  const durations = sumOverTests(tests, durationOf);
  return {
    ...totals,
    ...counts,
    ...(cost.count === 0 ? {} : { cost_usd: cost.sum, attempt_cost_usd: cost.sum / cost.count }),
    ...(judges.count === 0 ? {} : { judge_cost_usd: judges.sum }),
    latency_ms: latencyOf(tests),
    ...(counts.attempts === 0 ? {} : { attempt_ms: durations.sum / counts.attempts }),
  };
}

/** A skipped test took no time, and says nothing. */
function durationOf({ verdict, duration_ms }: ViewedAttempt): number | undefined {
  return verdict === 'skipped' ? undefined : duration_ms;
}

function sumOverTests(
  tests: readonly ViewedTest[],
  read: (attempt: ViewedAttempt) => number | undefined,
): { readonly sum: number; readonly count: number } {
  const total = { sum: 0, count: 0 };
  for (const { attempts } of tests) {
    const own = sumOf(attempts, read);
    if (own === undefined) continue;
    total.sum += own.sum;
    total.count += own.count;
  }
  return total;
}

function latencyOf(tests: readonly ViewedTest[]): Totals['latency_ms'] {
  const durations = tests.flatMap(({ attempts }) => attempts.flatMap((attempt) => durationOf(attempt) ?? []));
  if (durations.length === 0) return undefined;
  const sorted = Float64Array.from(durations).sort();
  return { median: quantileOfSorted(sorted, 0.5), p95: quantileOfSorted(sorted, 0.95) };
}
