import { foldText } from '../../src/model/fold-text.ts';
import type { ResultRow } from '../../src/model/page-data.ts';
import type { Verdict } from '../../src/model/record.ts';

/** A test of one target with all its repeats: a row of a run's list. */
export interface TestRow {
  readonly key: string;
  readonly file: string;
  readonly line: number;
  readonly test: string;
  readonly description?: string | undefined;
  readonly tags: readonly string[];
  readonly target: string;
  /** Its repeats so far, in order. */
  readonly attempts: readonly ResultRow[];
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

/** One row of a test that runs once: nearly all rows of a large run. Written out, which is many times faster. */
export function testOf(attempt: ResultRow): TestRow {
  return {
    key: testKey(attempt),
    file: attempt.file,
    line: attempt.line,
    test: attempt.test,
    description: attempt.description,
    tags: attempt.tags,
    target: attempt.target,
    attempts: [attempt],
    verdict: attempt.test_verdict ?? attempt.verdict,
    isFlaky: attempt.is_flaky === true,
    problem: attempt.problem,
    score: attempt.score,
    costUsd: attempt.cost_usd,
    durationMs: attempt.duration_ms,
    searchText: searchTextOf(attempt),
  };
}

export function addAttempt(row: TestRow, attempt: ResultRow): TestRow {
  // A resumed run may have a second record of the same attempt: the later one counts.
  const attempts = row.attempts
    .filter(({ repeat }) => repeat !== attempt.repeat)
    .concat(attempt)
    .toSorted((a, b) => a.repeat - b.repeat);
  const opened = attemptToOpen(attempts);
  return {
    ...row,
    attempts,
    // The last row knows the result of its test.
    verdict: attempt.test_verdict ?? attempt.verdict,
    isFlaky: attempt.is_flaky === true,
    problem: opened.problem,
    searchText: searchTextOf(opened),
    score: meanOf(attempts.flatMap(({ score }) => score ?? [])),
    costUsd: sumOf(attempts.flatMap(({ cost_usd }) => cost_usd ?? [])),
    durationMs: meanOf(attempts.map(({ duration_ms }) => duration_ms)) ?? 0,
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

/** Without judges: what the target itself took, as far as known. */
export function agentCost({ attempts }: TestRow): number | undefined {
  return sumOf(attempts.flatMap((attempt) => agentCostOf(attempt) ?? []));
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

function meanOf(numbers: readonly number[]): number | undefined {
  return numbers.length === 0 ? undefined : numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

function sumOf(numbers: readonly number[]): number | undefined {
  return numbers.length === 0 ? undefined : numbers.reduce((sum, number) => sum + number, 0);
}
