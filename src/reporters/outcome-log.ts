import type { AttemptRecord, Verdict } from '../model/record.ts';
import { testHash } from '../model/test-numbers.ts';
import { SortedTexts } from './sorted-texts.ts';
import type { AttemptOutcome, Failure } from './reported-outcome.ts';

/** What is kept of an attempt. */
type LoggedAttempt = AttemptOutcome &
  Pick<
    AttemptRecord,
    'file' | 'line' | 'column' | 'test' | 'row' | 'target' | 'skip_reason' | 'started_at' | 'pass_at_least'
  > & {
    /** How many records came before this one. */
    readonly arrival: number;
    failure?: Failure;
  };

/** What is kept of a test with one target. */
export interface LoggedTest {
  /** The attempt that ended first. */
  readonly first: LoggedAttempt;
  /** By repeat. */
  readonly attempts: readonly AttemptOutcome[];
  /** Of each verdict, that of the first repeat. Repeats end in any order. */
  readonly failures: Partial<Record<Verdict, Failure>>;
}

/**
 * Brings the attempts of each test together. A run may have millions of attempts, so they are sorted by a hash of their
 * test, and not kept in memory.
 */
export class OutcomeLog {
  private readonly items = new SortedTexts({ width: 2 });
  private arrivals = 0;

  /** Returns how many came before it. */
  add(record: AttemptRecord): number {
    const { file, line, column, test, row, target, skip_reason, started_at, pass_at_least } = record;
    const { repeat, verdict, score, retries, duration_ms, cost_usd } = record;
    const arrival = this.arrivals++;
    const place = { file, line, column, test, row, target, skip_reason, started_at, pass_at_least, arrival };
    const attempt: LoggedAttempt = { ...place, repeat, verdict, score, retries, duration_ms, cost_usd };
    this.items.add([testHash(record), arrival], JSON.stringify(attempt));
    return arrival;
  }

  /** What went wrong in an attempt. It has the key of the attempt and came later, so it follows the attempt. */
  addFailure(record: AttemptRecord, arrival: number, failure: Failure): void {
    this.items.add([testHash(record), arrival], JSON.stringify({ failure }));
  }

  /** In no particular order. */
  *tests(): Generator<LoggedTest> {
    let hash: number | undefined;
    let attempts: LoggedAttempt[] = [];
    for (const { key, text } of this.items) {
      const item = JSON.parse(text) as LoggedAttempt | { readonly failure: Failure };
      if (!('arrival' in item)) {
        attempts.at(-1)!.failure = item.failure;
        continue;
      }
      if (key !== hash) {
        yield* byTest(attempts).map(toTest);
        attempts = [];
        hash = key;
      }
      attempts.push(item);
    }
    yield* byTest(attempts).map(toTest);
  }

  close(): void {
    this.items.close();
  }
}

/** Different tests may have the same hash. */
function byTest(attempts: readonly LoggedAttempt[]): readonly (readonly LoggedAttempt[])[] {
  if (attempts.length < 2) return attempts.map((attempt) => [attempt]);
  const tests = new Map<string, LoggedAttempt[]>();
  for (const attempt of attempts) {
    const name = JSON.stringify([attempt.file, attempt.test, attempt.target]);
    const known = tests.get(name);
    if (known === undefined) tests.set(name, [attempt]);
    else known.push(attempt);
  }
  return [...tests.values()];
}

function toTest(logged: readonly LoggedAttempt[]): LoggedTest {
  const attempts = logged.toSorted((a, b) => a.repeat - b.repeat);
  const failures: LoggedTest['failures'] = {};
  for (const { verdict, failure } of attempts) if (failure !== undefined) failures[verdict] ??= failure;
  return {
    first: logged[0]!,
    attempts: attempts.map(({ repeat, verdict, score, retries, duration_ms, cost_usd }) => ({
      repeat,
      verdict,
      score,
      retries,
      duration_ms,
      cost_usd,
    })),
    failures,
  };
}
