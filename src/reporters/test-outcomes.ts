import picocolors from 'picocolors';
import { allProblems, type AttemptProblem } from '../model/all-problems.ts';
import { DEFAULT_GATE_RULES } from '../model/gate.ts';
import { ownText } from '../model/own-text.ts';
import type { AttemptRecord, Verdict } from '../model/record.ts';
import type { TestSummary } from '../model/summary.ts';
import { testKey } from '../model/test-key.ts';
import { keepHeapSmall } from '../small-heap.ts';
import { testVerdict } from '../verdicts/test-verdict.ts';
import type { BuiltInContext } from './built-in-context.ts';
import { failureCause } from './failure-cause.ts';
import { failureContext } from './failure-context.ts';
import { failureBody, failureTitle, rowPlace, type FailureContext } from './failure-text.ts';
import { firstLine } from './first-line.ts';
import { OutcomeLog, type LoggedTest } from './outcome-log.ts';
import { PassedNotes } from './passed-notes.ts';
import type { RunEnd, RunStart } from './reporter.ts';
import { escapeLine } from './terminal-text.ts';
import { transcriptText } from './transcript-lines.ts';

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

/** This many failures are shown in full, with code frames and differences; the others in one line per problem. */
const MAX_LONG_TEXTS = 500;
const MAX_TEXT = 20_000;
const MAX_PROBLEMS = 20;
/** In a file without line breaks a frame says little, and finding its place takes long. */
const MAX_FRAMED_LINE = 5000;

/** Folds records into tests. Each attempt leaves only a few numbers, and the text of what went wrong. */
export class TestOutcomes {
  private readonly log = new OutcomeLog();
  private readonly context: Pick<BuiltInContext, 'excerptAt' | 'program'>;
  private run: Pick<RunStart, 'run_id' | 'cwd' | 'asked'> = { run_id: '', cwd: '.' };
  private readonly targets = new Set<string>();
  private readonly notes = new PassedNotes();
  private longTexts = 0;
  private decided: ReadonlyMap<string, TestSummary> = new Map();

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
    const test = this.log.add(record);
    const problems = allProblems(record).slice(0, MAX_PROBLEMS).map(inOneLine);
    const [problem] = problems;
    if (problem === undefined || !this.log.claimFailure(test, record)) return;
    const cause = failureCause(record);
    return this.textsOf(record).then((texts) =>
      this.log.addFailure(test, record, { problem, problems, cause, ...texts }),
    );
  }

  /** The result of a test that is repeated or has a gate is known at the end. */
  end({ tests = [] }: Pick<RunEnd, 'tests'>): void {
    this.decided = new Map(tests.map((test) => [testKey(test), test]));
  }

  /** The tests, file by file, in the order of the files. */
  byFile(): ReadonlyMap<string, OutcomeList> {
    const read = (test: number): ReportedOutcome => {
      const logged = this.log.read(test);
      return toOutcome(logged, this.decided.get(testKey(logged.first)));
    };
    return new Map([...this.log.byFile()].map(([file, tests]) => [file, new OutcomeList(tests, read)]));
  }

  /** All of them. */
  *all(): Generator<ReportedOutcome> {
    for (const tests of this.byFile().values()) yield* tests;
  }

  /** Tests that passed although an evaluator failed. */
  passedNotes(): ReturnType<PassedNotes['list']> {
    return this.notes.list([...this.decided.values()]);
  }

  /** How tests are told apart: the target is named if there are several. */
  titles(): (outcome: Pick<ReportedOutcome, 'test' | 'target'>) => string {
    return ({ test, target }) => (this.targets.size > 1 ? `${test} [${target}]` : test);
  }

  private async textsOf(record: AttemptRecord): Promise<Pick<Failure, 'text' | 'transcript'>> {
    const excerptAt: BuiltInContext['excerptAt'] = (place) => {
      const excerpt = this.context.excerptAt(place);
      return excerpt?.lines.some(({ length }) => length > MAX_FRAMED_LINE) === true ? undefined : excerpt;
    };
    const context = failureContext({ excerptAt, colors: NO_COLORS, program: this.context.program }, this.run);
    if (++this.longTexts > MAX_LONG_TEXTS) return { text: shortText(record, context), transcript: '' };
    const label = record.verdict === 'error' ? 'ERROR' : 'FAIL';
    const text = `${label} ${failureTitle(record, context)}\n${await failureBody(record, context)}`;
    return { text: cut(text), transcript: cut(transcriptText(record)) };
  }
}

/** Outcomes that are read on demand, each time again. */
export class OutcomeList implements Iterable<ReportedOutcome> {
  private readonly tests: readonly number[];
  private readonly read: (test: number) => ReportedOutcome;

  constructor(tests: readonly number[], read: (test: number) => ReportedOutcome) {
    this.tests = tests;
    this.read = read;
  }

  get length(): number {
    return this.tests.length;
  }

  *[Symbol.iterator](): Generator<ReportedOutcome> {
    for (const test of this.tests) yield this.read(test);
  }
}

const NO_COLORS = picocolors.createColors(false);

function shortText(record: AttemptRecord, { rerun }: FailureContext): string {
  const problems = allProblems(record)
    .slice(0, MAX_PROBLEMS)
    .map(
      ({ file, line, column, name, message }) =>
        `${file}:${line}:${column} ${firstLine(`${name}: ${message}`)}`,
    );
  const row = record.row === undefined ? [] : [`row: ${rowPlace(record.row)}`];
  return `${[...row, ...problems, `rerun: ${rerun(record)}`].map(escapeLine).join('\n')}\n`;
}

function inOneLine(problem: AttemptProblem): AttemptProblem {
  return { ...problem, message: firstLine(problem.message) };
}

function cut(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  const begun = text.slice(0, MAX_TEXT).replace(/[\ud800-\udbff]$/, '');
  return ownText(`${begun}\n... cut here; the journal has the rest\n`);
}

function toOutcome(
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
