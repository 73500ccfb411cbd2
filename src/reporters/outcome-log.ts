import { byCodePoint } from '../model/by-code-point.ts';
import type { TestName } from '../model/test-map.ts';
import type { PassAtLeast } from '../model/pass-at-least.ts';
import type { AttemptRecord, Verdict } from '../model/record.ts';
import { TestNumbers } from '../model/test-numbers.ts';
import { PlaceTable } from './place-table.ts';
import { TextLog } from './text-log.ts';
import type { AttemptOutcome, Failure } from './test-outcomes.ts';

/** What is kept of a test with one target. */
export interface LoggedTest {
  /** The fields of its first record. */
  readonly first: Pick<
    AttemptRecord,
    'file' | 'line' | 'column' | 'test' | 'row' | 'target' | 'skip_reason' | 'started_at' | 'pass_at_least'
  >;
  readonly attempts: readonly AttemptOutcome[];
  /** The first of each verdict. */
  readonly failures: Partial<Record<Verdict, Failure>>;
}

interface LoggedFailure {
  readonly repeat: number;
  readonly number: number;
}

/** The outcomes of tests, as JSON outside of the heap: a run may have a hundred thousand of them. */
export class OutcomeLog {
  private readonly numbers = new TestNumbers();
  private readonly tests = new TextLog();
  private readonly attempts = new TextLog();
  private readonly failures = new TextLog();
  /** By test: the numbers of its attempts, from the second on. */
  private readonly repeated = new Map<number, number[]>();
  /** By test: the number of its first attempt. */
  private readonly firstAttempts: number[] = [];
  private readonly failuresOf = new Map<number, Partial<Record<Verdict, LoggedFailure>>>();
  private readonly files = new Map<string, number[]>();
  /** By test. */
  private readonly places = new PlaceTable();

  /** Returns the number of its test. */
  add(record: AttemptRecord): number {
    const { repeat, verdict, score, retries, duration_ms, cost_usd } = record;
    const attempt = this.attempts.add(
      JSON.stringify([repeat, verdict, score, retries, duration_ms, cost_usd]),
    );
    const known = this.numbers.get(record, (number) => this.isOf(number, record));
    if (known === undefined) return this.addTest(record, attempt);
    const repeated = this.repeated.get(known);
    if (repeated === undefined) this.repeated.set(known, [attempt]);
    else repeated.push(attempt);
    return known;
  }

  /**
   * Whether the failure of this attempt is wanted: that of the first repeat with its verdict. Repeats end in any
   * order, so an earlier one may come later.
   */
  claimFailure(test: number, { verdict, repeat }: Pick<AttemptRecord, 'verdict' | 'repeat'>): boolean {
    const failures = this.failuresOf.get(test) ?? {};
    const known = failures[verdict];
    if (known !== undefined && known.repeat <= repeat) return false;
    failures[verdict] = { repeat, number: NOT_THERE_YET };
    this.failuresOf.set(test, failures);
    return true;
  }

  addFailure(
    test: number,
    { verdict, repeat }: Pick<AttemptRecord, 'verdict' | 'repeat'>,
    failure: Failure,
  ): void {
    const failures = this.failuresOf.get(test)!;
    if (failures[verdict]!.repeat !== repeat) return;
    failures[verdict] = { repeat, number: this.failures.add(JSON.stringify(failure)) };
  }

  /** The tests by file, both in the order of the files: tests finish in another order in every run. */
  byFile(): Iterable<readonly [string, readonly number[]]> {
    return [...this.files]
      .sort(([a], [b]) => byCodePoint(a, b))
      .map(([file, tests]) => [file, this.places.sort(tests)]);
  }

  read(test: number): LoggedTest {
    const attempts = [this.firstAttempts[test]!, ...(this.repeated.get(test) ?? [])];
    return {
      first: this.firstOf(test),
      attempts: attempts.map((number) => this.attemptAt(number)).sort((a, b) => a.repeat - b.repeat),
      failures: this.failuresAt(test),
    };
  }

  private firstOf(number: number): LoggedTest['first'] {
    const [file, line, column, test, row, target, skip_reason, started_at, pass_at_least] = fieldsOf(
      this.tests.at(number),
    ) as [
      string,
      number,
      number,
      string,
      AttemptRecord['row'],
      string,
      string | undefined,
      string,
      PassAtLeast | undefined,
    ];
    return { file, line, column, test, row, target, skip_reason, started_at, pass_at_least };
  }

  private addTest(record: AttemptRecord, attempt: number): number {
    const { file, line, column, test, row, target, skip_reason, started_at, pass_at_least } = record;
    const number = this.tests.add(
      JSON.stringify([file, line, column, test, row, target, skip_reason, started_at, pass_at_least]),
    );
    this.numbers.add(record, number);
    this.firstAttempts.push(attempt);
    this.places.add(record);
    const tests = this.files.get(file);
    if (tests === undefined) this.files.set(file, [number]);
    else tests.push(number);
    return number;
  }

  private isOf(number: number, { file, test, target }: TestName): boolean {
    const first = this.firstOf(number);
    return first.test === test && first.file === file && first.target === target;
  }

  private attemptAt(number: number): AttemptOutcome {
    const [repeat, verdict, score, retries, duration_ms, cost_usd] = fieldsOf(this.attempts.at(number)) as [
      number,
      Verdict,
      number | undefined,
      number,
      number,
      number | undefined,
    ];
    return { repeat, verdict, score, retries, duration_ms, cost_usd };
  }

  private failuresAt(test: number): LoggedTest['failures'] {
    const failures: LoggedTest['failures'] = {};
    for (const [verdict, { number }] of Object.entries(this.failuresOf.get(test) ?? {})) {
      if (number !== NOT_THERE_YET)
        failures[verdict as Verdict] = JSON.parse(this.failures.at(number)) as Failure;
    }
    return failures;
  }
}

const NOT_THERE_YET = -1;
/** The items of a JSON list; null stands for missing ones. */
function fieldsOf(json: string): readonly unknown[] {
  return (JSON.parse(json) as readonly unknown[]).map((value) => value ?? undefined);
}
