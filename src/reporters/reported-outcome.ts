import type { AttemptProblem } from '../model/all-problems.ts';
import { DEFAULT_GATE_RULES } from '../model/gate.ts';
import type { AttemptRecord, Verdict } from '../model/record.ts';
import type { TestSummary } from '../model/summary.ts';
import { testVerdict } from '../verdicts/test-verdict.ts';
import type { LoggedTest } from './outcome-log.ts';

/** A test of one target over its repeats, as documents show it. */
export interface ReportedOutcome {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly test: string;
  readonly target: string;
  /** The place of its row, for a test with `each`. */
  readonly row?: AttemptRecord['row'];
  readonly verdict: Verdict;
  readonly skip_reason?: string | undefined;
  readonly started_at: string;
  readonly duration_ms: number;
  readonly attempts: readonly AttemptOutcome[];
  /** From the first attempt with this verdict, if it is failed or error; otherwise why the test is undecided. */
  readonly failure?: Failure | undefined;
}

export type AttemptOutcome = Pick<
  AttemptRecord,
  'repeat' | 'verdict' | 'score' | 'retries' | 'duration_ms' | 'cost_usd'
>;

export interface Failure {
  readonly problem: AttemptProblem;
  /** The same for tests that failed for the same reason. */
  readonly cause: string;
  /** Everything that went wrong, one line each; the first is `problem`. */
  readonly problems: readonly AttemptProblem[];
  /** What the terminal shows of it, without colours. */
  readonly text: string;
  /** The conversation up to that point. */
  readonly transcript: string;
}

/** `decided`: the test as the run judged it, if it is repeated or has a gate. */
export function toOutcome(
  { first, attempts, failures }: LoggedTest,
  decided: TestSummary | undefined,
): ReportedOutcome {
  const { file, line, column, test, row, target, skip_reason, started_at, pass_at_least } = first;
  const counts = { passed: 0, failed: 0, error: 0, skipped: 0 };
  for (const attempt of attempts) counts[attempt.verdict]++;
  const verdict =
    decided?.verdict ?? testVerdict({ ...counts, passAtLeast: pass_at_least }, DEFAULT_GATE_RULES).verdict;
  const duration_ms = attempts.reduce((sum, attempt) => sum + attempt.duration_ms, 0);
  const isBad = verdict === 'failed' || verdict === 'error';
  const failure = isBad
    ? (failures[verdict] ?? failures.failed ?? failures.error ?? undecided(first, decided))
    : undefined;
  return {
    file,
    line,
    column,
    test,
    row,
    target,
    verdict,
    skip_reason,
    started_at,
    duration_ms,
    attempts,
    failure,
  };
}

/** No attempt went wrong, but there were too few of them. */
function undecided(
  { file, line, column }: Pick<ReportedOutcome, 'file' | 'line' | 'column'>,
  decided: TestSummary | undefined,
): Failure | undefined {
  if (decided === undefined) return undefined;
  const { gate, attempts, not_started } = decided;
  const message = gate?.message ?? `only ${attempts} of ${attempts + not_started} attempts were started`;
  const name = gate === undefined ? 'not started' : 'pass_at_least';
  const problem = { file, line, column, name, message };
  return { problem, problems: [problem], cause: message, text: `${name}: ${message}\n`, transcript: '' };
}
