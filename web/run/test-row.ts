import { RunFold } from '../../src/runs/fold/run-fold.ts';
import { meanOf, meanScore, sumOf, sumOfCosts, type TestResult } from '../../src/runs/fold/test-result.ts';
import { foldText } from '../../src/base/model/fold-text.ts';
import type { ResultRow } from '../../src/base/model/page-data.ts';
import type { Verdict } from '../../src/base/model/record.ts';

/** A test of one target with its repeats so far: a row of a run's list. */
export interface TestRow extends Readonly<TestResult<ResultRow>> {
  readonly key: string;
  readonly description?: string | undefined;
  readonly tags: readonly string[];
  readonly verdict: Verdict;
  readonly isFlaky: boolean;
  readonly problem?: string | undefined;
  /** The mean of the measured ones. */
  readonly score?: number | undefined;
  /** Over all repeats, as far as it is known; undefined if none of them reports it. */
  readonly costUsd?: number | undefined;
  /** The mean of the repeats. */
  readonly durationMs: number;
  /** What a search looks through besides the conversation, as it is compared. */
  readonly searchText: string;
}

export function testKey({ file, test, target }: Pick<TestRow, 'file' | 'test' | 'target'>): string {
  return `${file}\0${test}\0${target}`;
}

/** The rows of a run's list, while its attempts come in. */
export class TestRows {
  readonly list: TestRow[] = [];
  private readonly fold = new RunFold<ResultRow>();
  /** Where each test is in the list. */
  private readonly places = new Map<TestResult<ResultRow>, number>();

  add(attempt: ResultRow): void {
    const { test } = this.fold.add(attempt, attempt);
    const place = this.places.get(test) ?? this.list.length;
    if (place === this.list.length) this.places.set(test, place);
    this.list[place] = testRow(test, attempt);
  }
}

/** `last`: the row that came last, which knows the result of its test. Written out, which is many times faster. */
function testRow(test: TestResult<ResultRow>, last: ResultRow): TestRow {
  const opened = attemptToOpen(test.attempts);
  return {
    key: testKey(test),
    file: test.file,
    line: test.line,
    column: test.column,
    row: test.row,
    test: test.test,
    target: test.target,
    passed: test.passed,
    failed: test.failed,
    error: test.error,
    skipped: test.skipped,
    not_graded: test.not_graded,
    notStarted: test.notStarted,
    passAtLeast: test.passAtLeast,
    // The fold goes on, and what is drawn must not change.
    attempts: [...test.attempts],
    description: opened.description,
    tags: opened.tags,
    verdict: last.test_verdict ?? last.verdict,
    isFlaky: last.is_flaky === true,
    problem: opened.problem,
    score: meanScore(test),
    costUsd: sumOfCosts(test),
    durationMs: meanOf(test.attempts, ({ duration_ms }) => duration_ms) ?? 0,
    searchText: searchTextOf(opened),
  };
}

function searchTextOf({ test, description, problem, tags, file, target }: ResultRow): string {
  const labels = tags.length === 0 ? '' : tags.join('\0');
  return foldText([test, description ?? '', problem ?? '', labels, file, target].join('\0'));
}

/** The repeat to show first: one that failed, else one with an error, else the first. */
export function attemptToOpen(attempts: readonly ResultRow[]): ResultRow {
  return (
    attempts.find(({ verdict }) => verdict === 'failed') ??
    attempts.find(({ verdict }) => verdict === 'error') ??
    attempts[0]!
  );
}

/** How many attempts tests have, and what they cost, as far as known. */
export function estimateOf(rows: readonly TestRow[]): {
  readonly attempts: number;
  readonly costUsd: number | undefined;
} {
  return {
    attempts: rows.reduce((count, { attempts }) => count + attempts.length, 0),
    costUsd: sumOf(rows, ({ costUsd }) => costUsd)?.sum,
  };
}

/** Without judges: what the target itself took, as far as known. */
export function agentCost({ attempts }: TestRow): number | undefined {
  return sumOf(attempts, agentCostOf)?.sum;
}

/** Whether an attempt of the test replied and did not report its cost, so the sum is too low. */
export function lacksCost({ attempts }: TestRow): boolean {
  return attempts.some(
    (attempt) =>
      (attempt.verdict === 'passed' || attempt.verdict === 'failed') && agentCostOf(attempt) === undefined,
  );
}

/** A cost that is all for judges says nothing about the agent. */
function agentCostOf({ cost_usd, judge_cost_usd }: ResultRow): number | undefined {
  if (cost_usd === undefined || judge_cost_usd === undefined) return cost_usd;
  return cost_usd > judge_cost_usd ? cost_usd - judge_cost_usd : undefined;
}
