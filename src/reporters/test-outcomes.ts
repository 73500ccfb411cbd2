import picocolors from 'picocolors';
import { allProblems, type AttemptProblem } from '../model/all-problems.ts';
import { ownText } from '../model/own-text.ts';
import type { AttemptRecord } from '../model/record.ts';
import type { TestSummary } from '../model/summary.ts';
import { testKey } from '../model/test-key.ts';
import { keepHeapSmall } from '../small-heap.ts';
import type { BuiltInContext } from './built-in-context.ts';
import { failureCause } from './failure-cause.ts';
import { FailureClaims } from './failure-claims.ts';
import { failureContext } from './failure-context.ts';
import { failureBody, failureTitle, rowPlace, type FailureContext } from './failure-text.ts';
import { firstLine } from './first-line.ts';
import { OutcomeLog } from './outcome-log.ts';
import { PassedNotes } from './passed-notes.ts';
import { PLACE_WIDTH, PlaceKeys } from './place-keys.ts';
import { toOutcome, type Failure, type ReportedOutcome } from './reported-outcome.ts';
import type { RunEnd, RunStart } from './reporter.ts';
import { SortedTexts } from './sorted-texts.ts';
import { escapeLine } from './terminal-text.ts';
import { transcriptText } from './transcript-lines.ts';

const MAX_TEXT = 20_000;
const MAX_PROBLEMS = 20;
/** In a file without line breaks a frame says little, and finding its place takes long. */
const MAX_FRAMED_LINE = 5000;

/**
 * Folds records into tests, in memory that does not grow with their number. Each attempt leaves only a few numbers, and
 * the text of what went wrong.
 */
export class TestOutcomes {
  private readonly log = new OutcomeLog();
  private readonly places = new PlaceKeys();
  /** The outcomes in the order of the files, when the run has ended. */
  private readonly sorted = new SortedTexts({ width: PLACE_WIDTH + 1, compare: this.places.compare });
  private readonly context: Pick<BuiltInContext, 'excerptAt' | 'program'>;
  private run: Pick<RunStart, 'run_id' | 'cwd' | 'asked'> = { run_id: '', cwd: '.' };
  private readonly targets = new Set<string>();
  private readonly notes = new PassedNotes();
  private readonly claims = new FailureClaims();
  private decided: readonly TestSummary[] = [];
  /** How many tests there are, when the run has ended. */
  count = 0;

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
    const arrival = this.log.add(record);
    const problems = allProblems(record).slice(0, MAX_PROBLEMS).map(inOneLine);
    const [problem] = problems;
    if (problem === undefined) return;
    const claim = this.claims.take(record);
    if (claim === undefined) return;
    const cause = failureCause(record);
    return this.textsOf(record, claim).then((texts) =>
      this.log.addFailure(record, arrival, { problem, problems, cause, ...texts }),
    );
  }

  /** The result of a test that is repeated or has a gate is known at the end. */
  end({ tests = [] }: Pick<RunEnd, 'tests'>): void {
    this.decided = tests;
    const decided = new Map(tests.map((test) => [testKey(test), test]));
    for (const test of this.log.tests()) {
      const { first } = test;
      const outcome = toOutcome(test, decided.get(testKey(first)));
      this.sorted.add([...this.places.keyOf(first), first.arrival], JSON.stringify(outcome));
      this.count++;
    }
    this.log.close();
  }

  /** Removes everything. */
  close(): void {
    this.sorted.close();
  }

  /** The tests in the order of the files, read each time again. */
  *all(): Generator<ReportedOutcome> {
    for (const { text } of this.sorted) yield JSON.parse(text) as ReportedOutcome;
  }

  /** Tests that passed although an evaluator failed. */
  passedNotes(): ReturnType<PassedNotes['list']> {
    return this.notes.list(this.decided);
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

function inOneLine({ file, line, column, name, message }: AttemptProblem): AttemptProblem {
  return { file, line, column, name, message: firstLine(message) };
}

function cut(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  const begun = text.slice(0, MAX_TEXT).replace(/[\ud800-\udbff]$/, '');
  return ownText(`${begun}\n... cut here; the journal has the rest\n`);
}
