import type { PassAtLeast } from '../../base/model/pass-at-least.ts';
import type { AttemptRecord, Verdict } from '../../base/model/record.ts';
import type { VerdictNumbers } from '../../base/model/summary.ts';
import type { RecordPlace } from '../../base/model/record-order.ts';
import type { TestName } from '../../base/model/test-map.ts';

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** What every user of the fold keeps of an attempt. */
export interface AttemptResult {
  readonly repeat: number;
  readonly verdict: Verdict;
  readonly score?: number | undefined;
  readonly duration_ms?: number | undefined;
  readonly cost_usd?: number | undefined;
}

/**
 * One test of one target over its repeats: the only place where attempts become a test. Who reads what of it:
 *
 * | user                                            | besides the counts and the gate                             |
 * | ----------------------------------------------- | ----------------------------------------------------------- |
 * | summary of a run (`run/run-tally.ts`)           | the place and `notStarted`; no attempts                     |
 * | terminal, Markdown: tests × targets             | the place; no attempts                                      |
 * | JUnit, TAP, Markdown, GitHub                    | attempts with retries, and where their failures are stored  |
 * | viewer: rows, totals, digests, HTML             | attempts with the numbers of their records                  |
 * | compare, baseline, grade, targets of a run      | fingerprint, line; attempts with tokens                     |
 * | `--last-failed`                                 | nothing                                                     |
 * | `--shard-by`                                    | durations                                                   |
 * | vitest, `assay mcp`, `assay lsp`                | attempts that are whole records                             |
 */
export interface TestResult<Attempt extends AttemptResult = AttemptResult>
  extends Mutable<RecordPlace>, Record<Verdict, number> {
  /** Of its text and its agent. */
  fingerprint?: string | undefined;
  /** By repeat. Empty if they are only counted. */
  readonly attempts: Attempt[];
  /** Planned, but not started because the run stopped first. */
  notStarted: number;
  passAtLeast?: PassAtLeast | undefined;
}

/** What an attempt's record, or a plan, says about its test. */
export type DescribedTest = TestName &
  Pick<AttemptRecord, 'line' | 'pass_at_least'> &
  Partial<Pick<AttemptRecord, 'column' | 'row' | 'fingerprint'>>;

/** After the tests of the same line whose place is known. */
export const UNKNOWN_COLUMN = Number.MAX_SAFE_INTEGER;

/** A test without attempts. Every field is there from the start, and in the same order: that is fast and small. */
export function emptyResult<Attempt extends AttemptResult>({
  file,
  test,
  target,
}: TestName): TestResult<Attempt> {
  return {
    file,
    line: 0,
    column: UNKNOWN_COLUMN,
    row: undefined,
    test,
    target,
    fingerprint: undefined,
    passed: 0,
    failed: 0,
    error: 0,
    skipped: 0,
    not_graded: 0,
    notStarted: 0,
    passAtLeast: undefined,
    attempts: [],
  };
}

/**
 * Keeps the order of the repeats, which is mostly the order of arrival. Returns the earlier record of the same
 * attempt: it does not count any more.
 */
export function addAttempt<Attempt extends AttemptResult>(
  test: TestResult<Attempt>,
  attempt: Attempt,
): Attempt | undefined {
  const { attempts } = test;
  test[attempt.verdict]++;
  let at = attempts.length;
  while (at > 0 && attempts[at - 1]!.repeat > attempt.repeat) at--;
  const before = attempts[at - 1];
  if (before?.repeat !== attempt.repeat) {
    if (at === attempts.length) attempts.push(attempt);
    else attempts.splice(at, 0, attempt);
    return undefined;
  }
  attempts[at - 1] = attempt;
  test[before.verdict]--;
  return before;
}

export function attemptsOf({ passed, failed, error, skipped, not_graded = 0 }: VerdictNumbers): number {
  return passed + failed + error + skipped + not_graded;
}

/** The mean of those that have one; undefined if none has. */
export function meanScore({ attempts }: Pick<TestResult, 'attempts'>): number | undefined {
  return meanOf(attempts, ({ score }) => score);
}

/** Over those that report it; undefined if none does. */
export function sumOfCosts({ attempts }: Pick<TestResult, 'attempts'>): number | undefined {
  return sumOf(attempts, ({ cost_usd }) => cost_usd)?.sum;
}

export function meanCost({ attempts }: Pick<TestResult, 'attempts'>): number | undefined {
  return meanOf(attempts, ({ cost_usd }) => cost_usd);
}

/** A skipped test took no time, and says nothing. */
export function meanDuration({ attempts }: Pick<TestResult, 'attempts'>): number | undefined {
  return meanOf(attempts, ({ verdict, duration_ms }) => (verdict === 'skipped' ? undefined : duration_ms));
}

function meanOf<Attempt>(
  attempts: readonly Attempt[],
  read: (attempt: Attempt) => number | undefined,
): number | undefined {
  const found = sumOf(attempts, read);
  return found && found.sum / found.count;
}

/** In the order of the repeats: the sum of floating point numbers must not depend on which attempt ended first. */
export function sumOf<Attempt>(
  attempts: readonly Attempt[],
  read: (attempt: Attempt) => number | undefined,
): { readonly sum: number; readonly count: number } | undefined {
  let sum = 0;
  let count = 0;
  for (const attempt of attempts) {
    const value = read(attempt);
    if (value === undefined) continue;
    sum += value;
    count++;
  }
  return count === 0 ? undefined : { sum, count };
}
