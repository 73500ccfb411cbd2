import type { AttemptProblem } from '../../base/model/all-problems.ts';
import type { TextPlace } from '../../base/files/spooled-texts.ts';
import { sumOf, type TestResult } from '../../runs/fold/test-result.ts';
import type { AttemptRecord, Verdict } from '../../base/model/record.ts';
import type { TestSummary } from '../../base/model/summary.ts';

/** A test of one target over its repeats, as documents show it. */
export interface ReportedOutcome extends Readonly<TestResult<AttemptOutcome>> {
  readonly verdict: Verdict;
  readonly skip_reason?: string | undefined;
  readonly started_at: string;
  /** Undefined: no attempt tells. */
  readonly duration_ms: number | undefined;
  /** From the first attempt with this verdict, if it is failed or error; otherwise why the test is undecided. */
  readonly failure?: Failure | undefined;
}

/** What documents keep of an attempt. */
export interface AttemptOutcome extends Pick<
  AttemptRecord,
  'repeat' | 'verdict' | 'score' | 'retries' | 'duration_ms' | 'cost_usd' | 'skip_reason' | 'started_at'
> {
  /** How many records came before this one. */
  readonly arrival: number;
  /** Where its failure is, as JSON. */
  failure?: TextPlace | undefined;
}

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

/** The attempt that ended first. */
export function firstOf({ attempts }: Pick<ReportedOutcome, 'attempts'>): AttemptOutcome {
  return attempts.reduce((first, next) => (next.arrival < first.arrival ? next : first));
}

interface Known {
  readonly verdict: Verdict;
  /** The test as the run judged it, if it is repeated or has a gate. */
  readonly decided: TestSummary | undefined;
  readFailure(place: TextPlace): Failure;
}

export function toOutcome(result: TestResult<AttemptOutcome>, known: Known): ReportedOutcome {
  const { verdict, decided, readFailure } = known;
  const { attempts } = result;
  const { skip_reason, started_at } = firstOf(result);
  const failureOf = (wanted: Verdict): TextPlace | undefined =>
    attempts.find((attempt) => attempt.verdict === wanted && attempt.failure !== undefined)?.failure;
  const isBad = verdict === 'failed' || verdict === 'error';
  const place = isBad ? (failureOf(verdict) ?? failureOf('failed') ?? failureOf('error')) : undefined;
  return {
    ...result,
    verdict,
    skip_reason,
    started_at,
    duration_ms: sumOf(attempts, (attempt) => attempt.duration_ms)?.sum,
    failure: place !== undefined ? readFailure(place) : isBad ? undecided(result, decided) : undefined,
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
