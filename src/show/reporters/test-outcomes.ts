import { SpooledTexts, type TextPlace } from '../../base/files/spooled-texts.ts';
import { DecidedTests } from '../../runs/fold/decided-tests.ts';
import { RunFold } from '../../runs/fold/run-fold.ts';
import type { TestResult } from '../../runs/fold/test-result.ts';
import { allProblems, type AttemptProblem } from '../../base/model/all-problems.ts';
import { ownText } from '../../base/model/own-text.ts';
import type { AttemptRecord, Verdict } from '../../base/model/record.ts';
import { byPlace } from '../../base/model/record-order.ts';
import { keepHeapSmall } from '../../base/system/small-heap.ts';
import type { BuiltInContext } from './built-in-context.ts';
import { failureCause } from '../../base/match/failure-cause.ts';
import { FailureClaims } from './failure-claims.ts';
import { failureContext } from './failure-context.ts';
import { failureBody, failureTitle, rowPlace, type FailureContext } from './failure-text.ts';
import { firstLine } from './first-line.ts';
import { PassedNotes } from './passed-notes.ts';
import {
  firstOf,
  toOutcome,
  type AttemptOutcome,
  type Failure,
  type ReportedOutcome,
} from './reported-outcome.ts';
import type { RunEnd, RunStart } from './reporter.ts';
import { escapeLine } from './terminal-text.ts';
import { transcriptText } from './transcript-lines.ts';
import { NO_COLORS } from './colors.ts';

const MAX_TEXT = 20_000;
const MAX_PROBLEMS = 20;
/** In a file without line breaks a frame says little, and finding its place takes long. */
const MAX_FRAMED_LINE = 5000;

/** The tests of a run for documents. Each attempt leaves a few numbers; the text of what went wrong waits in a file. */
export class TestOutcomes {
  private readonly fold = new RunFold<AttemptOutcome>();
  private readonly failures = new SpooledTexts();
  /** In the order of the files, when the run has ended. */
  private sorted: readonly TestResult<AttemptOutcome>[] = [];
  private readonly context: Pick<BuiltInContext, 'excerptAt' | 'program'>;
  private run: Pick<RunStart, 'run_id' | 'cwd' | 'asked'> = { run_id: '', cwd: '.' };
  private readonly targets = new Set<string>();
  private readonly notes = new PassedNotes();
  private readonly claims = new FailureClaims();
  private decided = new DecidedTests([]);
  private arrivals = 0;

  constructor(context: Pick<BuiltInContext, 'excerptAt' | 'program'>) {
    this.context = context;
    keepHeapSmall();
  }

  start(run: RunStart): void {
    this.run = run;
  }

  add(record: AttemptRecord): void | Promise<void> {
    this.targets.add(record.target);
    this.notes.add(record);
    const attempt = this.addAttempt(record);
    const problems = allProblems(record).slice(0, MAX_PROBLEMS).map(inOneLine);
    const [problem] = problems;
    if (problem === undefined) return;
    const claim = this.claims.take(record);
    if (claim === undefined) return;
    const cause = failureCause(record);
    return this.textsOf(record, claim).then((texts) => {
      const failure: Failure = { problem, problems, cause, ...texts };
      attempt.failure = this.failures.add(JSON.stringify(failure));
    });
  }

  private addAttempt(record: AttemptRecord): AttemptOutcome {
    const { repeat, verdict, score, retries, duration_ms, cost_usd, skip_reason, started_at } = record;
    const numbers = { repeat, verdict, score, retries, duration_ms, cost_usd };
    const attempt = { ...numbers, skip_reason, started_at, arrival: this.arrivals++, failure: undefined };
    this.fold.add(record, attempt);
    return attempt;
  }

  /** The result of a test that is repeated or has a gate is known at the end. */
  end({ tests = [] }: Pick<RunEnd, 'tests'>): void {
    this.decided = new DecidedTests(tests);
    this.sorted = this.fold.tests.toSorted(
      (a, b) =>
        byPlace(a, b) || firstOf(a).repeat - firstOf(b).repeat || firstOf(a).arrival - firstOf(b).arrival,
    );
  }

  /** How many tests there are, when the run has ended. */
  get count(): number {
    return this.sorted.length;
  }

  /** Removes everything. */
  close(): void {
    this.failures.close();
  }

  /** The tests in the order of the files, read each time again. */
  *all(): Generator<ReportedOutcome> {
    const readFailure = (place: TextPlace): Failure => JSON.parse(this.failures.at(place)) as Failure;
    for (const test of this.sorted) {
      const decided = this.decided.find(test);
      yield toOutcome(test, { verdict: this.decided.verdictOf(test), decided, readFailure });
    }
  }

  /** The same without their failures. */
  results(): readonly TestResult<AttemptOutcome>[] {
    return this.sorted;
  }

  readonly verdictOf = (test: Readonly<TestResult>): Verdict => this.decided.verdictOf(test);

  /** Tests that passed although an evaluator failed. */
  passedNotes(): ReturnType<PassedNotes['list']> {
    return this.notes.list(this.decided.tests);
  }

  /** How tests are told apart: the target is named if there are several. */
  titles(): (outcome: Pick<ReportedOutcome, 'test' | 'target'>) => string {
    return ({ test, target }) => (this.targets.size > 1 ? `${test} [${target}]` : test);
  }

  private async textsOf(
    record: AttemptRecord,
    claim: 'long' | 'short',
  ): Promise<Pick<Failure, 'text' | 'transcript'>> {
    const excerptAt: BuiltInContext['excerptAt'] = (place) => {
      const excerpt = this.context.excerptAt(place);
      return excerpt?.lines.some(({ length }) => length > MAX_FRAMED_LINE) === true ? undefined : excerpt;
    };
    const context = failureContext({ excerptAt, colors: NO_COLORS, program: this.context.program }, this.run);
    if (claim === 'short') return { text: shortText(record, context), transcript: '' };
    const label = record.verdict === 'error' ? 'ERROR' : 'FAIL';
    const text = `${label} ${failureTitle(record, context)}\n${await failureBody(record, context)}`;
    return { text: cut(text), transcript: cut(transcriptText(record)) };
  }
}

function shortText(record: AttemptRecord, { rerun }: FailureContext): string {
  const problems = allProblems(record)
    .slice(0, MAX_PROBLEMS)
    .map(
      ({ file, line, column, name, message }) =>
        `${file}:${line}:${column} ${firstLine(`${name}: ${message}`)}`,
    );
  const row = record.row === undefined ? [] : [`row: ${rowPlace(record.row)}`];
  const command = rerun(record);
  const last = command === undefined ? [] : [`rerun: ${command}`];
  return `${[...row, ...problems, ...last].map(escapeLine).join('\n')}\n`;
}

function inOneLine({ file, line, column, name, message }: AttemptProblem): AttemptProblem {
  return { file, line, column, name, message: firstLine(message) };
}

function cut(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  const begun = text.slice(0, MAX_TEXT).replace(/[\ud800-\udbff]$/, '');
  return ownText(`${begun}\n... cut here; the journal has the rest\n`);
}
