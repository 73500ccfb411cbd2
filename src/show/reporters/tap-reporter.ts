import type { Finding } from '../../base/model/finding.ts';
import type { BuiltInContext } from './built-in-context.ts';
import { firstLine } from './first-line.ts';
import type { Reporter, RunEnd } from './reporter.ts';
import { problemsOfRun, type RunProblem } from './run-problems.ts';
import { selectionLines } from './selection-lines.ts';
import { escapeForTerminal, escapeLine } from './terminal-text.ts';
import type { ReportedOutcome } from './reported-outcome.ts';
import { outcomesOf, type Outcomes } from './shared-outcomes.ts';
import { writeParts } from './write-parts.ts';

/** TAP version 14: a test point per test and target, per error in a file, and per problem of the run. */
export function createReporter(context: BuiltInContext): Reporter {
  const outcomes = outcomesOf(context);
  const errors: Finding[] = [];
  return {
    onRunStart: (run) => outcomes.start(run),
    onFinding(finding) {
      if (finding.severity === 'error') errors.push(finding);
    },
    onResult: (record) => outcomes.add(record),
    onRunEnd: (end) => outcomes.report(end, (all) => writeParts(context.write, document(all, errors, end))),
  };
}

function* document(outcomes: Outcomes, errors: readonly Finding[], end: RunEnd): Generator<string> {
  const titleOf = outcomes.titles();
  const problems = problemsOfRun(end);
  const planned = errors.length + outcomes.count + problems.length;
  yield 'TAP version 14\n';
  yield planned === 0 ? '1..0 # SKIP no tests ran\n' : `1..${planned}\n`;
  for (const line of selectionLines(end.summary.selection)) yield `# ${escapeLine(line)}\n`;
  let number = 0;
  for (const finding of errors) yield findingPoint(finding, ++number);
  for (const outcome of outcomes.all()) yield testPoint(outcome, ++number, titleOf(outcome));
  for (const problem of problems) yield problemPoint(problem, ++number);
  if (end.summary.interrupted) yield 'Bail out! The run was interrupted.\n';
}

function testPoint(outcome: ReportedOutcome, number: number, title: string): string {
  const { file, verdict, skip_reason, attempts, duration_ms, failure } = outcome;
  const name = describe(`${file}: ${title}`);
  if (verdict === 'skipped')
    return `ok ${number} - ${name} # SKIP${skip_reason === undefined ? '' : ` ${escapeLine(skip_reason)}`}\n`;
  if (verdict === 'not_graded') return `ok ${number} - ${name} # SKIP not graded\n`;
  const ok = verdict === 'passed' ? 'ok' : 'not ok';
  const counts = attempts.length === 1 ? [] : [`attempts: ${quoted(attempts.map((one) => one.verdict))}`];
  const rows = [...(duration_ms === undefined ? [] : [`duration_ms: ${duration_ms.toFixed(3)}`]), ...counts];
  if (failure !== undefined) {
    const { problem, text } = failure;
    rows.unshift(
      `message: ${quoted(firstLine(`${problem.name}: ${problem.message}`))}`,
      `severity: ${verdict === 'failed' ? 'fail' : 'error'}`,
      ...at(problem),
    );
    rows.push('details: |2', ...lines(text).map((shown) => (shown === '' ? '' : `  ${shown}`)));
  }
  return `${ok} ${number} - ${name}\n${diagnostics(rows)}`;
}

function findingPoint(finding: Finding, number: number): string {
  const { file, line, code, message, hint } = finding;
  const isOfRun = file === '';
  const rows = [`message: ${quoted(message)}`, 'severity: error', ...(isOfRun ? [] : at(finding))];
  if (hint !== undefined) rows.push(`hint: ${quoted(hint)}`);
  return `not ok ${number} - ${describe(isOfRun ? `run: ${code}` : `${file}:${line} ${code}`)}\n${diagnostics(rows)}`;
}

function problemPoint({ code, title, message, verdict }: RunProblem, number: number): string {
  const rows = [
    `message: ${quoted(message)}`,
    `severity: ${verdict === 'failed' ? 'fail' : 'error'}`,
    `code: ${code}`,
  ];
  return `not ok ${number} - ${describe(`run: ${title}`)}\n${diagnostics(rows)}`;
}

function at({ file, line, column }: Pick<Finding, 'file' | 'line' | 'column'>): readonly string[] {
  return ['at:', `  file: ${quoted(file)}`, `  line: ${line}`, `  column: ${column}`];
}

function diagnostics(rows: readonly string[]): string {
  return ['---', ...rows, '...'].map((row) => `${`  ${row}`.trimEnd()}\n`).join('');
}

/** A description ends at a `#`, unless it is escaped. */
function describe(text: string): string {
  return escapeLine(text)
    .replaceAll('\\', '\\\\')
    .replaceAll('#', String.raw`\#`);
}

/** Strings of JSON are strings of YAML. */
function quoted(value: string | readonly string[]): string {
  return JSON.stringify(typeof value === 'string' ? escapeForTerminal(value) : value);
}

function lines(text: string): readonly string[] {
  return escapeForTerminal(text).trimEnd().split('\n');
}
