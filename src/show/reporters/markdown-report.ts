import type { Finding } from '../../base/model/finding.ts';
import type { Summary } from '../../base/model/summary.ts';
import { rowPlace } from './failure-text.ts';
import { firstLine } from './first-line.ts';
import { htmlCode, markdownBlock, markdownCode } from './markdown-text.ts';
import type { PassedNote } from './passed-notes.ts';
import type { RunEnd } from './reporter.ts';
import { problemsOfRun, type RunProblem } from './run-problems.ts';
import { bySameCause, type NamedTest, type SameCause } from './same-cause.ts';
import { escapeLine } from './terminal-text.ts';
import { safeNotes } from './selection-lines.ts';
import { formatDuration } from '../../base/model/duration.ts';
import { notStarted } from './summary-lines.ts';
import { targetMarkdown } from './target-markdown.ts';
import type { ReportedOutcome } from './reported-outcome.ts';
import type { Outcomes } from './shared-outcomes.ts';

export interface MarkdownRun {
  readonly outcomes: Outcomes;
  readonly findings: readonly Finding[];
  readonly end: RunEnd;
  /** The longest report, in UTF-8 bytes; a limit in characters is then met too. */
  readonly maxBytes: number;
}

/** The results of a run for people who did not watch it: a headline, what did not pass, and the details, folded. */
export function markdownReport({ outcomes, findings, end, maxBytes }: MarkdownRun): string {
  const titleOf = outcomes.titles();
  const page = new Page(maxBytes - ROOM_FOR_NOTES);
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const problems = problemsOfRun(end);
  page.add(`## Assay: ${headline(end, errors, problems)}\n`);
  page.add(`\n${counts(end.summary, end.tests)}\n`);
  for (const { reason, text } of safeNotes(end.summary.selection))
    page.add(`\n${reason === 'only' ? '⚠️ ' : ''}${markdownCode(firstLine(text))}\n`);
  page.table('| | what is wrong with the run |\n|---|---|\n', {
    rows: problems.map(problemRow),
    noun: 'more that is wrong with the run',
  });
  page.table('| | test | where | what is wrong |\n|---|---|---|---|\n', {
    rows: badRows(outcomes),
    noun: 'more that did not pass',
  });
  const targets = targetMarkdown(end, outcomes);
  if (targets !== undefined) {
    page.table(targets.head, { rows: targets.rows, noun: 'more rows' });
    for (const note of targets.notes) page.add(`\n${note}\n`);
  }
  page.table('| | where | finding |\n|---|---|---|\n', {
    rows: findings.map(findingRow),
    noun: 'more findings',
  });
  const { notes, more } = outcomes.passedNotes();
  page.table(
    '| | passed, although an evaluator failed | where | score | evaluators |\n|---|---|---|---|---|\n',
    {
      rows: notes.map(noteRow),
      noun: 'more that passed although an evaluator failed',
      more,
    },
  );
  page.details(
    bySameCause(() => outcomes.all()),
    (group) => details(group, titleOf),
  );
  return page.text;
}

/** Room for the sentences about what was left out. */
const ROOM_FOR_NOTES = 400;
/** Details need room too. */
const SHARE_OF_TABLES = 0.6;

/** A text that never exceeds its limit, and says what it leaves out. */
class Page {
  text = '';
  private bytes = 0;
  private readonly maxBytes: number;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  add(text: string, limit = this.maxBytes): boolean {
    const bytes = Buffer.byteLength(text);
    if (this.bytes + bytes > limit) return false;
    this.text += text;
    this.bytes += bytes;
    return true;
  }

  /** `more`: how many there are besides the rows. */
  table(
    head: string,
    {
      rows,
      noun,
      more = 0,
    }: { readonly rows: Iterable<string>; readonly noun: string; readonly more?: number },
  ): void {
    const limit = this.maxBytes * SHARE_OF_TABLES;
    let count = 0;
    let left = 0;
    let hasHead = false;
    for (const row of rows) {
      if (count++ === 0) hasHead = this.add(`\n${head}`, limit);
      // The first row that does not fit is the last one that is tried.
      if (left > 0 || !hasHead || !this.add(row, limit)) left++;
    }
    if (count === 0) return;
    if (left + more > 0) this.note(`${hasHead ? 'and ' : ''}${left + more} ${noun}`);
  }

  details(groups: Iterable<SameCause>, print: (group: SameCause) => string): void {
    let left = 0;
    for (const group of groups) if (!this.add(`\n${print(group)}`)) left++;
    if (left > 0) this.note(`The details of ${left} of them are left out to keep this text short`);
  }

  /** Always fits: room is reserved for a few of them. */
  private note(text: string): void {
    this.text += `\n_${text}._\n`;
  }
}

/** The worst first: errors in files mean that something did not run at all. */
function headline(
  { summary, exit_code }: RunEnd,
  fileErrors: number,
  problems: readonly RunProblem[],
): string {
  const { failed, error, passed, tests, gates } = summary;
  const parts = [
    exit_code === 0 && failed + error > 0 && gates.length > 0 ? 'gates passed' : '',
    failed > 0 ? `${failed} of ${tests} failed` : '',
    fileErrors > 0 ? `${fileErrors} ${fileErrors === 1 ? 'error' : 'errors'} in the files` : '',
    error > 0 ? `${error} of ${tests} could not be measured` : '',
    ...problems.map(titleOfProblem),
    passed === 0 && failed + error === 0 ? 'no tests ran' : '',
  ].filter((part) => part !== '');
  // A mark without this would be unclear.
  if (failed + error + fileErrors === 0 && passed > 0) parts.push(`${passed} of ${tests} passed`);
  const isFailed = failed + fileErrors > 0 || exit_code === 1;
  return `${exit_code === 0 ? '✅' : isFailed ? '❌' : '⚠️'} ${parts.join(', ')}`;
}

function counts(summary: Summary, repeated: RunEnd['tests']): string {
  const {
    failed,
    error,
    passed,
    skipped,
    not_graded = 0,
    flaky,
    not_started,
    attempts,
    tests,
    duration_ms,
  } = summary;
  const parts = [
    `${passed} passed`,
    failed > 0 ? `${failed} failed` : '',
    error > 0 ? `${error} errored` : '',
    flaky > 0 ? `${flaky} flaky` : '',
    skipped > 0 ? `${skipped} skipped` : '',
    not_graded > 0 ? `${not_graded} not graded` : '',
    not_started > 0 ? notStarted(summary, repeated) : '',
    attempts === tests ? '' : `${attempts} attempts`,
    formatDuration(duration_ms),
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

/** The name of a target may be Markdown. */
function titleOfProblem({ title, target }: RunProblem): string {
  return target === undefined ? title : markdownCode(title);
}

function* badRows(outcomes: Outcomes): Generator<string> {
  const titleOf = outcomes.titles();
  for (const outcome of outcomes.all())
    if (outcome.verdict === 'failed' || outcome.verdict === 'error') yield testRow(outcome, titleOf(outcome));
}

function testRow({ verdict, attempts, failure, file, line, row }: ReportedOutcome, title: string): string {
  const bad = attempts.filter((attempt) => attempt.verdict === verdict).length;
  const share = attempts.length === 1 ? '' : ` (${bad} of ${attempts.length} attempts)`;
  const { problem } = failure ?? {};
  const place = problem === undefined ? `${file}:${line}` : `${problem.file}:${problem.line}`;
  const what = problem === undefined ? '' : markdownCode(firstLine(`${problem.name}: ${problem.message}`));
  const ofRow = row === undefined ? '' : `, row ${markdownCode(rowPlace(row))}`;
  const mark = verdict === 'failed' ? '❌' : '⚠️';
  return `| ${mark} | ${markdownCode(title)}${share} | ${markdownCode(place)}${ofRow} | ${what} |\n`;
}

function problemRow(problem: RunProblem): string {
  const { verdict, message } = problem;
  return `| ${verdict === 'failed' ? '❌' : '⚠️'} | ${titleOfProblem(problem)}: ${markdownCode(firstLine(message))} |\n`;
}

function findingRow({ severity, file, line, message, code }: Finding): string {
  const mark = severity === 'error' ? '❌' : '⚠️';
  const place = file === '' ? '' : markdownCode(`${file}:${line}`);
  return `| ${mark} | ${place} | ${markdownCode(firstLine(message))} (${code}) |\n`;
}

function noteRow({ place, test, score, evaluators }: PassedNote): string {
  const where = markdownCode(`${place.file}:${place.line}`);
  return `| ✅ | ${markdownCode(test)} | ${where} | ${score} | ${evaluators.map(markdownCode).join('<br>')} |\n`;
}

/** One for all tests that failed for the same reason: the table above names each of them. */
function details({ first, others, otherCount }: SameCause, titleOf: (outcome: NamedTest) => string): string {
  const { failure, file } = first;
  const more =
    otherCount === 0
      ? ''
      : ` and ${otherCount} more ${otherCount === 1 ? 'test' : 'tests'}, for the same reason`;
  const head = `<summary>${htmlCode(firstLine(titleOf(first)))} in ${htmlCode(file)}${more}</summary>`;
  const shown = others.map((other) => `- ${escapeLine(`${titleOf(other)} ${other.file}:${other.line}`)}`);
  const left = otherCount - shown.length;
  const names = [...shown, ...(left > 0 ? [`- and ${left} more`] : [])];
  const also = otherCount === 0 ? '' : `\n\nThe same in:\n${names.join('\n')}`;
  return `<details>${head}\n\n${markdownBlock(`${(failure?.text ?? '').trimEnd()}${also}`)}\n</details>\n`;
}
